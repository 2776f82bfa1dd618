import type { BrokerageAccount } from '@tradewright/contract/brokerage-accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { type AlpacaStandIn, STAND_IN_KEYS, startAlpacaStandIn } from '../../../test-support/stand-ins/alpaca/alpaca.ts'
import {
  BINANCE_KEYS,
  type BinanceStandIn,
  startBinanceStandIn,
} from '../../../test-support/stand-ins/binance/binance.ts'
import { exchangesAt } from '../../../test-support/providers-at.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { createLog } from '../../log.ts'

let alpaca: AlpacaStandIn
let binance: BinanceStandIn
let server: TestApp
let user: Caller
const logged: string[] = []

beforeAll(async () => {
  alpaca = await startAlpacaStandIn(() => Date.now())
  const log = createLog({ logLevel: 'trace' }, { write: (line) => void logged.push(line) })
  binance = await startBinanceStandIn(() => Date.now())
  const environment = {
    ALPACA_PAPER_URL: alpaca.url,
    ALPACA_LIVE_URL: alpaca.url,
    EXCHANGE_URLS: exchangesAt({ binance: binance.url }),
  }
  server = await createTestApp({ environment, log })
})
afterAll(async () => {
  await server.close()
  await alpaca.close()
  await binance.close()
  expect([...alpaca.violations, ...binance.violations]).toEqual([])
})
beforeEach(async () => {
  alpaca.behave()
  user = await caller(server)
})

const form = {
  account_name: 'My Alpaca',
  api_key: STAND_IN_KEYS.keyId,
  api_secret: STAND_IN_KEYS.secretKey,
  paper_trading: true,
  is_default: false,
}

const accounts = async (of = user) =>
  (await of.get('/api/alpaca/accounts')).json<{ accounts: BrokerageAccount[] }>().accounts
const add = async (of = user, more: object = {}) =>
  (await of.post('/api/alpaca/accounts', { ...form, ...more })).json<{ account: BrokerageAccount; message: string }>()
const addPaper = async (of = user, more: object = {}) =>
  (await of.post('/api/alpaca/paper-account', more)).json<{ account: BrokerageAccount }>().account

describe('the list of brokerage accounts', () => {
  it('is empty for a new user, and asks who is calling [SET-045, SET-048]', async () => {
    const answer = await user.get('/api/alpaca/accounts')
    expect(answer.json()).toEqual({ success: true, accounts: [] })
    const nobody = await server.app.inject({ method: 'GET', url: '/api/alpaca/accounts' })
    expect(nobody.statusCode).toBe(401)
  })

  it('shows an account without its keys [PORT-020, SET-049, SET-073]', async () => {
    const answer = await user.post('/api/alpaca/accounts', form)
    expect(answer.json()).toMatchObject({ success: true, message: null })
    const list = await user.get('/api/alpaca/accounts')
    for (const text of [answer.body, list.body]) {
      expect(text).not.toContain(STAND_IN_KEYS.keyId)
      expect(text).not.toContain(STAND_IN_KEYS.secretKey)
    }
    const [account] = await accounts()
    expect(account).toMatchObject({
      account_name: 'My Alpaca',
      is_default: true,
      paper_trading: true,
      broker: 'alpaca',
      status: 'verified',
      status_reason: null,
      custom_host: new URL(alpaca.url).host,
    })
    expect(Date.parse(account!.last_connected_at!)).toBeGreaterThan(0)
    expect(Date.parse(account!.created_at)).toBeGreaterThan(0)
  })

  it('keeps keys sealed at rest [SET-073]', async () => {
    await add()
    const rows = await server.database.database.selectFrom('brokerage_accounts').selectAll().execute()
    expect(JSON.stringify(rows.map((row) => row.sealed_keys?.toString('latin1')))).not.toContain(
      STAND_IN_KEYS.secretKey,
    )
  })
})

describe('adding an account', () => {
  it.each([[{ account_name: '' }], [{ account_name: '   ' }], [{ api_key: '' }], [{ api_secret: null }]])(
    'needs every field, but not %j [SET-029, SET-065]',
    async (missing) => {
      const answer = await user.post('/api/alpaca/accounts', { ...form, ...missing })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ success: false, error: 'Please enter account name, API Key and Secret' })
    },
  )

  it('says why the broker rejects keys, and saves nothing', async () => {
    const wrong = await user.post('/api/alpaca/accounts', { ...form, api_secret: 'wrong' })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json()).toMatchObject({ error: 'Alpaca does not accept these keys: unauthorized.' })
    const swapped = await user.post('/api/alpaca/accounts', { ...form, api_key: 'PKOTHER', paper_trading: false })
    expect(swapped.json<{ error: string }>().error).toContain('switch Paper Trading on')
    expect(await accounts()).toEqual([])
  })

  it.each(['down', 'broken', 'html'] as const)(
    'saves it as not verified when the broker is %s, until it can be asked',
    async (fault) => {
      alpaca.misbehave(fault)
      const { account, message } = await add()
      expect(account).toMatchObject({ status: 'not_verified', last_connected_at: null })
      expect(message).toMatch(/^The account is saved but not verified yet, and cannot trade until it is\. /)
      alpaca.behave()
      const checked = await user.post(`/api/alpaca/accounts/${account.id}/verify`)
      expect(checked.json()).toMatchObject({ account: { status: 'verified', status_reason: null }, message: null })
    },
  )

  it('notices keys that were revoked since', async () => {
    const { account } = await add()
    alpaca.misbehave('unauthorised')
    const checked = await user.post(`/api/alpaca/accounts/${account.id}/verify`)
    expect(checked.json()).toMatchObject({ account: { status: 'rejected' } })
    expect((await accounts())[0]?.last_connected_at).not.toBeNull()
  })

  it('refuses keys that are connected already', async () => {
    await add()
    const again = await user.post('/api/alpaca/accounts', { ...form, account_name: 'Twice' })
    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ error: 'This API key is already connected as "My Alpaca".' })
  })
})

it("brings Alpaca's market data along once its keys are verified", async () => {
  const providers = async () =>
    (await user.get('/api/data-collector/providers'))
      .json<{ providers: { id: string }[] }>()
      .providers.map(({ id }) => id)
  await addPaper()
  expect(await providers()).not.toContain('alpaca')
  await add()
  expect(await providers()).toContain('alpaca')
})

describe('the built-in paper account', () => {
  it('shows what borrowed shares cost, which can be changed; at a broker it is not ours to set', async () => {
    const { id, account_name, short_borrow_pct: first } = await addPaper()
    expect(first).toBe(1)
    const change = (of: number, rate: unknown) =>
      user.put(`/api/alpaca/accounts/${of}`, { account_name, short_borrow_pct: rate })
    expect((await change(id, 4.5)).json()).toMatchObject({ account: { short_borrow_pct: 4.5 } })
    // A new name leaves it as it is.
    await user.put(`/api/alpaca/accounts/${id}`, { account_name: 'Shorts' })
    expect(await accounts()).toMatchObject([{ account_name: 'Shorts', short_borrow_pct: 4.5 }])
    for (const rate of [-1, 1001, 'much']) expect((await change(id, rate)).statusCode).toBe(400)
    const { account } = await add()
    expect(account.short_borrow_pct).toBeNull()
    const refused = await change(account.id, 2)
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('Alpaca sets what borrowed shares cost')
    const other = await caller(server)
    expect((await other.put(`/api/alpaca/accounts/${id}`, { account_name, short_borrow_pct: 9 })).statusCode).toBe(404)
    expect((await accounts()).map((one) => one.short_borrow_pct)).toContain(4.5)
  })

  it('fills at the last price unless told to fill as in the market, which can be changed', async () => {
    const { id, account_name, fill_model } = await addPaper()
    expect(fill_model).toBe('last_price')
    const change = (of: number, model: unknown) =>
      user.put(`/api/alpaca/accounts/${of}`, { account_name, fill_model: model })
    expect((await change(id, 'market')).json()).toMatchObject({ account: { fill_model: 'market' } })
    expect((await change(id, 'free')).statusCode).toBe(400)
    const { account } = await add()
    expect(account.fill_model).toBeNull()
    expect((await change(account.id, 'market')).body).toContain('Alpaca fills its orders itself')
  })

  it('comes with one call, needs no broker, and is there once', async () => {
    alpaca.misbehave('down')
    const asked = alpaca.requests.length
    const both = await Promise.all([addPaper(), addPaper()])
    expect(both[0]).toEqual(both[1])
    expect(both[0]).toMatchObject({ broker: 'paper', paper_trading: true, is_default: true, status: 'verified' })
    expect(await accounts()).toHaveLength(1)
    expect(alpaca.requests).toHaveLength(asked)
  })

  it('has a second one beside it, in whole shares, each once', async () => {
    const open = async (body: object) =>
      (await user.post('/api/alpaca/paper-account', body)).json<{ account: BrokerageAccount }>().account
    const plain = await open({})
    const whole = await open({ broker: 'paper-whole-shares' })
    expect(whole).toMatchObject({
      broker: 'paper-whole-shares',
      account_name: 'Whole-Share Account',
      status: 'verified',
    })
    expect(whole.id).not.toBe(plain.id)
    expect(await open({ broker: 'paper-whole-shares' })).toEqual(whole)
    expect(await accounts()).toHaveLength(2)
    const withKeys = { broker: 'paper-whole-shares', account_name: 'X', api_key: 'a', api_secret: 'b' }
    expect((await user.post('/api/alpaca/accounts', withKeys)).statusCode).toBe(400)
  })

  it('has no keys to replace', async () => {
    const { id } = await addPaper()
    const answer = await user.put(`/api/alpaca/accounts/${id}`, { account_name: 'X', api_key: 'a', api_secret: 'b' })
    expect(answer.statusCode).toBe(400)
  })
})

describe('changing accounts', () => {
  it('renames, and not to nothing [SET-004, SET-030, SET-050, SET-066]', async () => {
    const { id } = await addPaper()
    const blank = await user.put(`/api/alpaca/accounts/${id}`, { account_name: '  ' })
    expect(blank.statusCode).toBe(400)
    expect(blank.json()).toMatchObject({ success: false, error: 'Account name cannot be empty' })
    const renamed = await user.put(`/api/alpaca/accounts/${id}`, { account_name: ' Savings ' })
    expect(renamed.json()).toMatchObject({ success: true, account: { account_name: 'Savings' } })
  })

  it('replaces keys only with such as the broker accepts', async () => {
    const { account } = await add()
    const url = `/api/alpaca/accounts/${account.id}`
    const wrong = await user.put(url, { account_name: 'X', api_key: 'PKWRONG', api_secret: 'wrong' })
    expect(wrong.statusCode).toBe(400)
    expect((await accounts())[0]).toMatchObject({ account_name: 'My Alpaca', status: 'verified' })
    const keys = { api_key: STAND_IN_KEYS.keyId, api_secret: STAND_IN_KEYS.secretKey }
    expect((await user.put(url, { account_name: 'X', ...keys })).json()).toMatchObject({ success: true })
  })

  it('has one default, which moves, and falls to the oldest when it is deleted [SET-051, SET-052, SET-074]', async () => {
    const first = await addPaper()
    const { account: second } = await add(user, { is_default: true })
    const defaults = async () => (await accounts()).filter((one) => one.is_default).map(({ id }) => id)
    expect(await defaults()).toEqual([second.id])
    const moved = await user.post(`/api/alpaca/accounts/${first.id}/set-default`)
    expect(moved.json()).toEqual({ success: true })
    expect(await defaults()).toEqual([first.id])
    expect((await user.delete(`/api/alpaca/accounts/${first.id}`)).json()).toEqual({ success: true })
    expect(await defaults()).toEqual([second.id])
  })

  it("hides other users' accounts and those that do not exist [SET-046, SET-072]", async () => {
    const { id } = await addPaper()
    const stranger = await caller(server)
    for (const wanted of [id, 999_999_999]) {
      const url = `/api/alpaca/accounts/${wanted}`
      const answers = await Promise.all([
        stranger.put(url, { account_name: 'Mine' }),
        stranger.post(`${url}/set-default`),
        stranger.post(`${url}/verify`),
        stranger.delete(url),
      ])
      for (const answer of answers) {
        expect(answer.statusCode).toBe(404)
        expect(answer.json()).toMatchObject({ success: false, error: 'There is no such brokerage account.' })
      }
    }
    expect(await accounts()).toHaveLength(1)
  })
})

it('never writes keys to the log, whatever becomes of them', async () => {
  const secret = 'a-secret-that-alpaca-rejects'
  await user.post('/api/alpaca/accounts', { ...form, api_key: 'PKREJECTED', api_secret: secret })
  alpaca.misbehave('down')
  await add()
  const lines = logged.join('')
  expect(lines).toContain('/v2/account')
  expect(lines).toContain('outside call failed')
  for (const key of ['PKREJECTED', secret, STAND_IN_KEYS.keyId, STAND_IN_KEYS.secretKey])
    expect(lines).not.toContain(key)
})

describe('an account at an exchange', () => {
  const exchange = {
    account_name: 'Coins',
    broker: 'binance',
    api_key: BINANCE_KEYS.keyId,
    api_secret: BINANCE_KEYS.secretKey,
    paper_trading: false,
  }

  it('is added when the exchange knows the keys, and shows its money', async () => {
    const { account } = await add(user, exchange)
    expect(account).toMatchObject({ broker: 'binance', status: 'verified', paper_trading: false })
    expect(account.custom_host).toBe(new URL(binance.url).host)
    const portfolio = await user.get(`/api/portfolio/summary?account_id=${account.id}`)
    expect(portfolio.statusCode).toBeLessThan(500)
    expect(logged.join('')).not.toContain(BINANCE_KEYS.secretKey)
  })

  it('is refused with the exchange’s reason when it does not', async () => {
    const answer = await user.post('/api/alpaca/accounts', { ...exchange, api_secret: 'wrong' })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('Binance does not accept the keys of this account: Signature for this request')
  })

  it('is never a paper account where the exchange has none', async () => {
    const kraken = { ...exchange, broker: 'kraken', api_secret: Buffer.from('secret').toString('base64') }
    const answer = await user.post('/api/alpaca/accounts', { ...kraken, paper_trading: true })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('Kraken has no paper accounts')
    const { account, message } = await add(user, kraken)
    expect(account).toMatchObject({ broker: 'kraken', status: 'not_verified', paper_trading: false })
    expect(message).toContain('Kraken is not available right now')
  })
})
