import type { Portfolio } from '@tradewright/contract/portfolio'
import { ManualClock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import { DAY } from '@tradewright/core/time'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { chatOf, responseOf } from '../../../test-support/chat.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { register, type RegisteredUser } from '../../../test-support/visitor.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import { money, signedMoney, signedPercent } from '../../assistant/words.ts'
import { paperBroker } from '../../brokerage/paper/paper-broker.ts'
import { createAccountRows } from '../../stores/brokerage/brokerage-accounts.ts'
import { createPaperStore } from '../../stores/brokerage/paper-accounts.ts'

const clock = new ManualClock(new Date('2024-01-10T16:00:00Z'))
let server: TestApp
let user: RegisteredUser
let chat: ReturnType<typeof chatOf>
beforeAll(async () => {
  server = await createTestApp({
    clock,
    environment: {
      ...providersAt(NOWHERE),
      ALPACA_LIVE_URL: NOWHERE,
      ALPACA_PAPER_URL: NOWHERE,
      OPENAI_BASE_URL: NOWHERE,
    },
  })
  user = await register(server)
  chat = chatOf(server, user)
  await postBacktest(server, user, { ...allocationForm, saveStrategy: 'true', saveBacktest: 'true' })
})
afterAll(() => server.close())

const ask = async (question: string) => responseOf(await chat.ask(question))
const strategyId = async () =>
  (await chat.get('/api/strategies')).json<{ strategies: { id: number }[] }>().strategies[0]!.id

describe('without an account', () => {
  it('says how to get one, and gives no figure', async () => {
    const answer = await ask('What moved my portfolio?')
    expect(answer).toContain('No brokerage account is connected yet')
    expect(answer).toContain('](/settings#alpaca)')
    expect(answer).not.toMatch(/\$\d/)
  })

  it('has nothing deployed and no optimizer runs', async () => {
    expect(await ask('How are my deployments doing?')).toContain('Nothing is deployed yet')
    expect(await ask('What did my last optimizer run find?')).toContain('You have no optimizer runs yet')
  })

  it('cannot deploy to paper', async () => {
    const action = { type: 'deploy_to_paper', label: 'x', strategy_id: await strategyId(), name: 'Mine', amount: 1000 }
    expect((await chat.act(action)).statusCode).toBe(404)
  })
})

describe('leading indicators', () => {
  it('come with how many were tried, and marked where the prices are made up', async () => {
    const answer = await ask('Which features lead BTC?')
    expect(answer).toContain('BTC-USD')
    expect(answer).toContain('pairs were tested')
    expect(answer).toContain('Synthetic sample data')
  })
})

describe('an optimizer run', () => {
  it('starts by its button and is found again', async () => {
    const action = {
      type: 'start_optimizer_run',
      label: 'x',
      target: 'SPY',
      start_date: '2021-01-04',
      end_date: '2022-12-30',
      feature_ids: [1, 7],
      population: 2,
      generations: 1,
    }
    expect(responseOf(await chat.act(action))).toMatch(/Optimizer run \d+ for \*\*SPY\*\* has started/)
    expect(await ask('What did my last optimizer run find?')).toContain('| SPY |')
  })

  it.each([
    { target: 'SPY', start_date: '2030-01-01', end_date: '2031-01-01' },
    { target: 'SPY', start_date: '2021-01-04', end_date: '2022-12-30', generations: 10_000 },
    { start_date: '2021-01-04', end_date: '2022-12-30' },
  ])('is refused with a sentence where it cannot work: %j', async (input) => {
    expect((await chat.act({ type: 'start_optimizer_run', label: 'x', ...input })).statusCode).toBe(400)
  })
})

describe('with the built-in paper account', () => {
  beforeAll(async () => {
    const opened = await chat.send('/api/alpaca/paper-account', {})
    expect(opened.statusCode, opened.body).toBe(200)
  })

  it('tells what the portfolio is worth, in paper money', async () => {
    const answer = await ask('What moved my portfolio?')
    expect(answer).toContain('(paper money) is worth **$100,000.00**')
    expect(answer).toContain('It holds cash only')
  })

  it('deploys to paper by its button, and lists what is deployed', async () => {
    const action = { type: 'deploy_to_paper', label: 'x', strategy_id: await strategyId(), name: 'Mine', amount: 1000 }
    expect(responseOf(await chat.act(action))).toContain('**Mine** is deployed to Paper Account (paper money)')
    expect(await ask('How are my deployments doing?')).toMatch(/\| Mine \| Sixty forty \| paper \|/)
  })

  it("does not deploy another user's strategy or to another user's account", async () => {
    const other = chatOf(server, await register(server))
    const own = await strategyId()
    await other.send('/api/alpaca/paper-account', {})
    expect(
      (await other.act({ type: 'deploy_to_paper', label: 'x', strategy_id: own, name: 'X', amount: 1 })).statusCode,
    ).toBe(404)
    const [account] = (await chat.get('/api/alpaca/accounts')).json<{ accounts: { id: number }[] }>().accounts
    const stolen = {
      type: 'deploy_to_paper',
      label: 'x',
      strategy_id: own,
      name: 'X',
      amount: 1,
      account_id: account!.id,
    }
    expect((await other.act(stolen)).statusCode).toBe(404)
  })
})

describe('with holdings', () => {
  it('says what moved the portfolio, in figures of the account itself', async () => {
    const investor = await register(server)
    const theirs = chatOf(server, investor)
    await theirs.send('/api/alpaca/paper-account', {})
    await buy(investor, 'SPY', '10', '400')
    await buy(investor, 'BTC-USD', '0.25', '40000')
    clock.advance(DAY)
    const answer = responseOf(await theirs.ask('What moved my portfolio?'))
    const { portfolio } = (await theirs.get('/api/alpaca/portfolio')).json<{ portfolio: Portfolio }>()
    const { equity, daily_pnl, positions, overall_return_percent } = portfolio
    expect(answer).toContain(`is worth **${money(equity)}**: ${signedMoney(daily_pnl)} (`)
    expect(answer).toContain(`${signedPercent(overall_return_percent! / 100)} since it was opened`)
    for (const { symbol, market_value, unrealized_pl } of positions) {
      expect(answer).toContain(`| ${symbol} | ${money(market_value)} | ${signedMoney(unrealized_pl)} | `)
    }
    const moved = positions.map(({ symbol }) => {
      const row = new RegExp(`\\| ${symbol} \\|.*\\| since 10 Jan 2024 \\| \\S+ \\| (\\S+) \\|`)
      return Number(row.exec(answer)?.[1]?.replace('−', '-').replaceAll(/[+$,]/g, ''))
    })
    // The sum of its holdings' moves since the close is the account's, but for the hours that coins trade on.
    expect(moved.reduce((sum, one) => sum + one, 0)).toBeCloseTo(daily_pnl!, 0)
    expect(answer).toMatch(/\*\*(SPY|BTC-USD)\*\* moved it most: [+−]\$/)
    expect(answer).toContain('Last trade: bought 0.25 BTC-USD at $40,000.00 on 10 Jan 2024.')
    expect(answer).toContain('Synthetic sample data')
    expect(answer).toContain('```chart\n{"title":"Equity of Paper Account","unit":"usd"')
  })
})

/** At a price of the test's own. */
async function buy({ id: userId }: RegisteredUser, ticker: string, quantity: string, price: string): Promise<void> {
  const { database } = server.database
  const [account] = await createAccountRows(database).list(userId)
  const known = { price: Decimal.parse(price), isSynthetic: true, at: Date.now() }
  const prices = {
    latest: async (_: number, tickers: readonly string[]) => new Map(tickers.map((one) => [one, known])),
    bars: async () => new Map(),
    isKnown: async () => true,
  }
  const broker = paperBroker({ store: createPaperStore(database), prices, clock }, { userId, accountId: account!.id })
  const order = await broker.place({
    clientOrderId: `test-${ticker}`,
    ticker,
    side: 'buy',
    size: { quantity: Decimal.parse(quantity) },
    execution: { type: 'market' },
    timeInForce: ticker === 'BTC-USD' ? 'gtc' : 'day',
  })
  expect(order.state).toBe('filled')
}

it('never trades on a live account: the action refuses it by its kind, before anything is asked of a broker', async () => {
  const trader = await register(server)
  const theirs = chatOf(server, trader)
  await postBacktest(server, trader, { ...allocationForm, saveStrategy: 'true', saveBacktest: 'true' })
  const live = { account_name: 'Real', api_key: 'AK1', api_secret: 'secret', paper_trading: false, is_default: true }
  const added = await theirs.send('/api/alpaca/accounts', live)
  expect(added.statusCode, added.body).toBe(200)
  const [account] = (await theirs.get('/api/alpaca/accounts')).json<{ accounts: { id: number }[] }>().accounts
  const [strategy] = (await theirs.get('/api/strategies')).json<{ strategies: { id: number }[] }>().strategies
  const action = { type: 'deploy_to_paper', label: 'x', strategy_id: strategy!.id, name: 'Sneaky', amount: 1 }
  const named = await theirs.act({ ...action, account_id: account!.id })
  expect([named.statusCode, named.json<{ error: string }>().error]).toEqual([
    403,
    'The assistant never trades on a live account. Deploy it yourself in Live Trading.',
  ])
  // Without a name the first paper account is meant, and there is none.
  expect((await theirs.act(action)).statusCode).toBe(404)
  expect(responseOf(await theirs.ask('How are my deployments doing?'))).toContain('Nothing is deployed yet')
})
