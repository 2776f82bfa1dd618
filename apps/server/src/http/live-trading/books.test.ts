import { Decimal } from '@tradewright/core/decimal'
import type { z } from 'zod'
import type { getDeploymentOverview } from '@tradewright/contract/live-trading-watch'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { type LiveServer, liveServer } from '../../../test-support/live/live-server.ts'
import { type AlpacaStandIn, STAND_IN_KEYS, startAlpacaStandIn } from '../../../test-support/stand-ins/alpaca/alpaca.ts'

type Overview = z.output<typeof getDeploymentOverview.answer>

let live: LiveServer
let alpaca: AlpacaStandIn
let ann: Caller
let accountId: number
let id: number
let strategyId: number
let orders = 0
let paidIn = 0
let now = () => Date.now()

beforeAll(async () => {
  alpaca = await startAlpacaStandIn(() => now())
  live = await liveServer('2026-03-04', { ALPACA_PAPER_URL: alpaca.url })
  now = () => live.clock.now().getTime()
  ann = await caller(live.server)
  byHand('buy', 'SPY', '10', '400')
  byHand('buy', 'BTC/USD', '1', '50000')
  const keys = { api_key: STAND_IN_KEYS.keyId, api_secret: STAND_IN_KEYS.secretKey }
  const account = await ann.post('/api/alpaca/accounts', { account_name: 'Main', ...keys })
  accountId = account.json<{ account: { id: number } }>().account.id
  const strategy = await ann.post('/api/strategies', {
    name: 'All in',
    strategy_type: 'Asset Allocation',
    config: { allocations: [{ ticker: 'SPY', allocation: 100 }], startDate: '2020-01-02', endDate: '2025-12-31' },
  })
  strategyId = strategy.json<{ id: number }>().id
  const created = await ann.post('/api/deployment/create-with-positions', {
    deployment_name: 'Owns shares',
    strategy_id: strategyId,
    alpaca_account_id: accountId,
    contributed_positions: [{ symbol: 'SPY', quantity: 10 }],
    contributed_cash: 1000,
  })
  expect(created.statusCode, created.body).toBe(200)
  id = created.json<{ deployment: { id: number } }>().deployment.id
})
afterAll(async () => {
  await live.close()
  await alpaca.close()
})

/** An order that no deployment gave, executed at once. */
function byHand(side: 'buy' | 'sell', symbol: string, quantity: string, price: string): void {
  const clientOrderId = `by-hand-${++orders}`
  alpaca.account.add({
    clientOrderId,
    symbol,
    side,
    qty: Decimal.parse(quantity),
    notional: undefined,
    type: 'market',
    timeInForce: symbol.includes('/') ? 'gtc' : 'day',
    limitPrice: undefined,
  })
  alpaca.account.fill(clientOrderId, quantity, price)
  alpaca.account.prices.set(symbol, Decimal.parse(price))
}

/** Paying in a dollar makes the server compare its books with the broker first. */
async function compared(): Promise<Overview> {
  live.clock.advance(1_000)
  const paid = await ann.post(`/api/deployment/${id}/contributions`, { amount: 1, contribution_type: 'CONTRIBUTION' })
  expect(paid.statusCode, paid.body).toBe(200)
  paidIn++
  return (await ann.get(`/api/deployment/${id}/overview`)).json<Overview>()
}

const account = async () =>
  (await ann.get('/api/deployment/accounts')).json<{ accounts: Record<string, number>[] }>().accounts[0]!
const positions = async () => {
  const answer = await ann.get(`/api/deployment/account/${accountId}/positions`)
  const list = answer.json<{ positions: { symbol: string; quantity: number; available_quantity: number }[] }>()
  return Object.fromEntries(list.positions.map((one) => [one.symbol, [one.quantity, one.available_quantity]]))
}

/** The account's own entries that moved money or shares since this one. */
async function entriesAfter(last: number) {
  const { rows } = await live.server.foundation.pool.query<{ id: number; entry_type: string; note: string }>(
    'SELECT id, entry_type, note FROM ledger_entries WHERE id > $1 AND deployment_id IS NULL ORDER BY id',
    [last],
  )
  return rows.map(({ entry_type: type, note }) => `${type}: ${note}`)
}

async function lastEntry(): Promise<number> {
  const { rows } = await live.server.foundation.pool.query<{ id: number }>('SELECT max(id) AS id FROM ledger_entries')
  return rows[0]!.id
}

it('other keys of the same account may look at it, and get no deployments while the first ones have any', async () => {
  alpaca.account.otherKeyIds.add('PKSECONDKEY')
  const keys = { api_key: 'PKSECONDKEY', api_secret: STAND_IN_KEYS.secretKey }
  const second = await ann.post('/api/alpaca/accounts', { account_name: 'Again', ...keys })
  expect(second.statusCode, second.body).toBe(200)
  const refused = await ann.post('/api/deployment/create', {
    deployment_name: 'Twice',
    strategy_id: strategyId,
    alpaca_account_id: second.json<{ account: { id: number } }>().account.id,
    capital_policy: 'fixed_contribution',
    capital_policy_value: 100,
  })
  expect(refused.statusCode, refused.body).toBe(409)
  expect(refused.json()).toMatchObject({
    error:
      'This is the same account at the broker as "Main", which already has deployments. Deploy to "Main", so that the same money is not counted twice.',
  })
})

it('a fee in the coin and shares that are journaled in move no cash, and stop no deployment', async () => {
  await compared()
  const before = await account()
  const last = await lastEntry()
  const held = alpaca.account.positions.get('BTC/USD')!
  alpaca.account.positions.set('BTC/USD', { ...held, qty: Decimal.parse('0.9975') })
  alpaca.account.book('CFEE', '0', '2026-03-04', {
    symbol: 'BTCUSD',
    qty: '-0.0025',
    price: '50000',
    description: 'Coin Pair Transaction Fee (Non USD)',
  })
  alpaca.account.positions.set('AAPL', { qty: Decimal.parse('5'), cost: Decimal.parse('1000') })
  alpaca.account.book('JNLS', '0', '2026-03-04', { symbol: 'AAPL', qty: '5', price: '200' })
  expect((await compared()).health).toMatchObject({ books_agree: true, reasons: [] })
  expect((await account())['available_cash']).toBe(before['available_cash']! - 1)
  expect(await positions()).toMatchObject({ 'BTC-USD': [0.9975, 0.9975], AAPL: [5, 5], SPY: [10, 0] })
  expect(await entriesAfter(last)).toEqual([
    'EXTERNAL_FLOW: AAPL was transferred',
    'EXTERNAL_FLOW: Coin Pair Transaction Fee (Non USD)',
  ])
})

it('a short that was made by hand is the account’s own', async () => {
  alpaca.account.isShortingEnabled = true
  byHand('sell', 'TLT', '5', '90')
  expect((await compared()).health).toMatchObject({ books_agree: true, reasons: [] })
})

it('shares sold by hand that a deployment owns stop it until the broker’s figures are accepted', async () => {
  byHand('sell', 'SPY', '12', '410')
  const told = await compared()
  expect(told.health.books_agree).toBe(false)
  expect(told.health.reasons.join(' ')).toContain('SPY that deployments own was sold outside of them.')
  const accepted = await ann.post(`/api/deployment/${id}/accept-broker`)
  expect(accepted.json()).toEqual({
    success: true,
    message: "The broker's figures were accepted with 1 correction.",
  })
  const after = await compared()
  expect(after.health).toMatchObject({ books_agree: true, reasons: [] })
  // Ten of the twelve were the deployment's; what is short beyond them is the account's own.
  expect(after.positions).toEqual([])
  expect(after.cash).toBe(1000 + paidIn + 10 * 410)
  const details = await ann.get(`/api/deployment/${id}/details?entry_types=CORRECTION`)
  expect(details.json()).toMatchObject({
    deployment: {
      ledger_entries: [{ direction: 'in', amount: 4100, note: 'Accepted from the broker by the user' }],
    },
  })
  const again = await ann.post(`/api/deployment/${id}/accept-broker`)
  expect(again.json()).toMatchObject({ message: 'Broker and books agree; nothing had to be corrected.' })
})

it('belongs to the user who deployed: a stranger cannot accept for them', async () => {
  const stranger = await caller(live.server)
  expect((await stranger.post(`/api/deployment/${id}/accept-broker`)).statusCode).toBe(404)
})

it('and all of it was asked as Alpaca describes it', () => {
  expect(alpaca.violations).toEqual([])
})

it('an account of its own at the same broker gets deployments while another one has some', async () => {
  alpaca.account.otherKeyIds.add('PKOTHERKEY')
  Object.assign(alpaca.account, { id: '11111111-2222-4333-8444-555555555555' })
  const keys = { api_key: 'PKOTHERKEY', api_secret: STAND_IN_KEYS.secretKey }
  const other = await ann.post('/api/alpaca/accounts', { account_name: 'Other', ...keys })
  const created = await ann.post('/api/deployment/create', {
    deployment_name: 'On its own',
    strategy_id: strategyId,
    alpaca_account_id: other.json<{ account: { id: number } }>().account.id,
    capital_policy: 'fixed_contribution',
    capital_policy_value: 100,
  })
  expect(created.statusCode, created.body).toBe(200)
})
