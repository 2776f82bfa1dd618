import { ManualClock } from '@tradewright/core/clock'
import { DAY, dateOf, formatDate, MINUTE, SECOND } from '@tradewright/core/time'
import {
  CAGR_METHOD_TEXTS,
  CAGR_METHODS,
  METHOD_UNAVAILABLE,
  methodText,
  type Portfolio,
} from '@tradewright/contract/portfolio'
import { nyse } from '@tradewright/engine/market/calendar/nyse'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Caller, caller } from '../../test-support/caller.ts'
import { type AlpacaStandIn, startAlpacaStandIn } from '../../test-support/stand-ins/alpaca/alpaca.ts'
import type { StandIn } from '../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../test-support/stand-ins/yahoo.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'

/** A Wednesday in the middle of a New York session. */
const NOW = '2026-03-04T16:00:00Z'
const clock = new ManualClock(new Date(NOW))

let server: TestApp
let user: Caller
let alpaca: AlpacaStandIn
let yahoo: StandIn
let url = ''
/** Keys of its own for each test: the calls of a minute are counted by them. */
let keys = { keyId: '', secretKey: '' }
let tests = 0
let accountId = 0

beforeAll(async () => {
  yahoo = await startYahooStandIn(() => clock.now().getTime())
  // One address for all tests, behind which each has a stand-in of its own.
  alpaca = await startAlpacaStandIn(() => clock.now().getTime())
  url = alpaca.url
  await alpaca.close()
  const environment = { ALPACA_PAPER_URL: url, YAHOO_URL: yahoo.url }
  server = await createTestApp({ clock, environment })
  // One user for all tests, whose benchmarks are fetched once.
  user = await caller(server)
})
afterAll(async () => {
  await server.close()
  await yahoo.close()
})

beforeEach(async () => {
  keys = { keyId: `PKTEST${++tests}`, secretKey: `secret ${tests}` }
  alpaca = await startAlpacaStandIn(() => clock.now().getTime(), { ...keys, port: Number(new URL(url).port) })
})
afterEach(async () => {
  await alpaca.close()
  expect(alpaca.violations).toEqual([])
})

async function connect(): Promise<void> {
  const form = { account_name: 'Main', api_key: keys.keyId, api_secret: keys.secretKey }
  const answer = await user.post('/api/alpaca/accounts', form)
  accountId = answer.json<{ account: { id: number } }>().account.id
}

const ask = (query = '') => user.get(`/api/alpaca/portfolio?account_id=${accountId}&${query}`)
const portfolio = async (query = '') => (await ask(query)).json<{ portfolio: Portfolio }>().portfolio

/** Sessions up to yesterday, each worth what `equityOn` says. */
function historyFrom(first: string, equityOn: (i: number, date: string) => number | null) {
  const sessions = [...nyse.sessionsBetween(dateOf(first), dateOf('2026-03-04'))]
  alpaca.account.history = sessions.map((day, i) => ({ date: formatDate(day), equity: equityOn(i, formatDate(day)) }))
  alpaca.account.createdAt = `${first}T14:30:00Z`
}

describe('the portfolio', () => {
  it('needs a session, and an account that is the own [PORT-029, PORT-030, PORT-034]', async () => {
    const stranger = await server.app.inject({ method: 'GET', url: '/api/alpaca/portfolio' })
    expect(stranger.statusCode).toBe(401)
    const other = await caller(server)
    const none = await other.get('/api/alpaca/portfolio')
    expect(none.statusCode).toBe(404)
    expect(none.json()).toMatchObject({
      success: false,
      error: 'No brokerage account is connected. Add one in Settings.',
    })
    await connect()
    for (const path of ['portfolio?', 'portfolio/activities?kind=trades&']) {
      const foreign = await other.get(`/api/alpaca/${path}account_id=${accountId}`)
      expect(foreign.statusCode).toBe(404)
      expect(foreign.json()).toMatchObject({ error: 'There is no such brokerage account.' })
    }
  })

  it('carries equity, the day, holdings and buying power [PORT-015, PORT-016, PORT-031]', async () => {
    alpaca.account.lastEquity = alpaca.account.cash
    alpaca.account.trade('SPY', '400')
    alpaca.account.add({
      clientOrderId: 'x',
      symbol: 'SPY',
      side: 'buy',
      qty: alpaca.account.priceOf('SPY'),
      notional: undefined,
      type: 'market',
      timeInForce: 'day',
      limitPrice: undefined,
    })
    alpaca.account.fill('x', '10', '400')
    alpaca.account.prices.set(
      'SPY',
      alpaca.account.priceOf('SPY').plus(alpaca.account.priceOf('SPY').dividedBy(alpaca.account.priceOf('SPY'))),
    )
    alpaca.account.book('CSD', '5000', '2026-03-04')
    await connect()
    const answer = await portfolio()
    // One dollar on each of ten shares; the deposit of today is no gain.
    expect(answer).toMatchObject({ equity: 105_010, daily_pnl: 10, daily_pnl_percent: 0.01, cash: 101_000 })
    expect(answer.buying_power).toBeGreaterThan(0)
    expect(answer.positions).toEqual([
      {
        symbol: 'SPY',
        qty: 10,
        market_value: 4010,
        unrealized_pl: 10,
        unrealized_plpc: 0.0025,
        avg_entry_price: 400,
        current_price: 401,
      },
    ])
    expect(answer.trades).toMatchObject([
      { symbol: 'SPY', side: 'buy', qty: 10, price: 400, amount: 4000, date: '2026-03-04' },
    ])
    expect(answer).toMatchObject({ warning: null, filter_type: 'all' })
    expect(answer.age_seconds).toBeLessThanOrEqual(1)
  })

  it('takes deposits, withdrawals, dividends and fees apart [PORT-017, PORT-018, PORT-019]', async () => {
    // Two years: 10 % up on the first deposit, then flows that must not show, dividend and fee inside.
    historyFrom('2024-03-01', (i, date) =>
      i === 0 ? 10_000 : date < '2025-03-03' ? 11_000 : date < '2025-06-02' ? 16_000 : 12_000,
    )
    alpaca.account.cash = alpaca.account.cash.minus(alpaca.account.cash)
    for (const [type, amount, date] of [
      ['CSD', '10000', '2024-03-01'],
      ['CSD', '5000', '2025-03-03'],
      ['CSW', '-4000', '2025-06-02'],
      ['DIV', '25', '2025-07-01'],
      ['FEE', '-3', '2025-07-02'],
      ['JNLC', '978', '2025-08-01'],
    ] as const) {
      alpaca.account.book(type, amount, date, { description: `${type} of the test` })
    }
    // The journal is not in the values, so it reads as a loss; the account ends at 12,000.
    await connect()
    const answer = await portfolio()
    expect(answer.cagr_calculation_method).toBe('true_time_weighted_return')
    expect(answer).toMatchObject({
      cash_flows_count: 3,
      sub_periods_count: 4,
      net_contributions: 11_978,
      is_annualised: true,
    })
    const growth = 1.1 * ((12_000 - 978) / 12_000)
    expect(answer.total_return).toBeCloseTo(growth - 1, 9)
    expect(answer.overall_return_percent).toBeCloseTo((100 * (12_000 - 11_978)) / 11_978, 9)
    expect(answer.transactions.map(({ activity_type, is_external }) => [activity_type, is_external])).toEqual([
      ['JNLC', true],
      ['FEE', false],
      ['DIV', false],
      ['CSW', true],
      ['CSD', true],
      ['CSD', true],
    ])
    expect(answer.transactions[0]).toMatchObject({
      date: '2025-08-01',
      net_amount: 978,
      description: 'JNLC of the test',
    })
    expect(answer.full_history).toHaveLength(alpaca.account.history!.length + 1)
    expect(answer.full_history.find(({ date }) => date === '2025-03-03')).toEqual({
      date: '2025-03-03',
      equity: 16_000,
      net_amount: 5000,
    })
    expect(answer.history.length).toBeLessThanOrEqual(365)
    expect(answer.history.at(-1)).toEqual({ date: '2026-03-04', equity: 12_000 })
    expect(answer.money_weighted_return).not.toBeNull()
    expect(answer.cagr_calculation_text).toBe(CAGR_METHOD_TEXTS.true_time_weighted_return)
  })

  it('compares with SPY and TQQQ on the same dates [PORT-014]', async () => {
    historyFrom('2024-03-01', (i) => 100_000 + i)
    await connect()
    const answer = await vi.waitUntil(
      async () => {
        const seen = await portfolio()
        return seen.is_refreshing ? undefined : seen
      },
      { timeout: 30_000, interval: 100 },
    )
    expect(answer).toMatchObject({ benchmarks_synthetic: false, is_annualised: true })
    expect(answer.tqqq_cagr).not.toBeNull()
    expect(answer.spy_cagr).toBeCloseTo((1 + answer.spy_total_return!) ** (365.25 / 733) - 1, 9)
    expect(answer.growth[0]).toEqual({ date: '2024-03-01', portfolio: 1, spy: 1, tqqq: 1 })
    const last = answer.growth.at(-1)!
    expect(last.spy).toBeCloseTo(1 + answer.spy_total_return!, 9)
    expect(last.portfolio).toBeCloseTo(1 + answer.total_return!, 9)
  })
})

describe('the period', () => {
  beforeEach(async () => {
    historyFrom('2021-03-01', (i) => 50_000 + 10 * i)
    await connect()
  })

  it.each([
    ['all', '2021-03-01'],
    ['ytd', '2025-12-31'],
    ['1y', '2025-03-04'],
    ['2y', '2024-03-04'],
    ['3y', '2023-03-03'],
  ])('%s begins with the value of %s [PORT-023]', async (filter, first) => {
    const answer = await portfolio(`filter_type=${filter}`)
    expect(answer).toMatchObject({ filter_type: filter, start_date: first, end_date: '2026-03-04' })
    expect(answer.full_history[0]?.date).toBe(first)
    expect(answer.is_annualised).toBe(filter !== 'ytd')
    expect(answer.cagr_calculation_method).toBe(
      filter === 'ytd' ? 'simple_return_short_period' : 'simple_return_no_cash_flows',
    )
  })

  it('may be chosen [PORT-033]', async () => {
    const answer = await portfolio('filter_type=custom&start_date=2024-01-01&end_date=2024-02-10')
    expect(answer).toMatchObject({ start_date: '2023-12-29', end_date: '2024-02-09', is_annualised: false })
  })

  it.each([
    ['filter_type=custom', 'A custom period needs a start date and an end date.'],
    ['filter_type=custom&start_date=2024-01-01', 'A custom period needs a start date and an end date.'],
    ['filter_type=custom&start_date=2024-02-01&end_date=2024-01-01', 'The start date must not be after the end date.'],
    ['filter_type=decade', 'filter_type must be one of all, ytd, 1y, 2y, 3y, custom.'],
    ['filter_type=custom&start_date=x&end_date=2024-01-01', undefined],
    ['account_id=abc', undefined],
  ])('is refused as %s [PORT-035]', async (query, sentence) => {
    const answer = await ask(query)
    expect(answer.statusCode).toBe(400)
    if (sentence !== undefined) expect(answer.json()).toMatchObject({ success: false, error: sentence })
  })
})

describe('what is kept', () => {
  it('is shown at once and refreshed behind; a refresh by hand asks first [PORT-032]', async () => {
    await connect()
    expect((await portfolio()).equity).toBe(100_000)
    alpaca.account.book('CSD', '1000')
    expect((await portfolio()).equity).toBe(100_000)
    expect((await portfolio('force_refresh=true')).equity).toBe(101_000)
    alpaca.account.book('CSD', '1000')
    clock.advance(2 * MINUTE)
    const old = await portfolio()
    expect(old).toMatchObject({ equity: 101_000, age_seconds: 120, is_refreshing: true })
    await vi.waitUntil(async () => (await portfolio()).equity === 102_000, { timeout: 20_000 })
  })

  it.each([
    ['down', /^Alpaca cannot be asked right now: /],
    ['broken', /it is out of order \(HTTP 503\)/],
    ['limited', /^Alpaca is limiting our calls/],
    ['html', /it sent a web page instead of data/],
    ['unauthorised', /^Alpaca does not accept the keys of this account/],
  ] as const)('stays on the screen with its age when Alpaca is %s', { timeout: 60_000 }, async (fault, warning) => {
    await connect()
    await portfolio()
    clock.advance(30 * SECOND)
    alpaca.misbehave(fault)
    const answer = await portfolio('force_refresh=true')
    expect(answer).toMatchObject({ equity: 100_000, age_seconds: 30 })
    expect(answer.warning).toMatch(warning)
  })

  it('says why when nothing was ever kept', async () => {
    await connect()
    alpaca.misbehave('broken')
    const answer = await ask()
    expect(answer.statusCode).toBe(503)
    const error = expect.stringMatching(/^Alpaca cannot be asked right now/) as string
    expect(answer.json()).toMatchObject({ success: false, error })
  })

  it('doubts keys that Alpaca refuses, and trusts them again when it accepts them', async () => {
    await connect()
    await portfolio()
    alpaca.account.areKeysRevoked = true
    await portfolio('force_refresh=true')
    const status = async () =>
      (await user.get('/api/alpaca/accounts'))
        .json<{ accounts: { id: number; status: string }[] }>()
        .accounts.find(({ id }) => id === accountId)?.status
    expect(await status()).toBe('not_verified')
    expect((await portfolio('force_refresh=true')).warning).toContain('until its keys are verified')
    alpaca.account.areKeysRevoked = false
    await user.post(`/api/alpaca/accounts/${accountId}/verify`)
    expect(await status()).toBe('verified')
  })
})

describe('odd accounts', () => {
  it('may have no history', async () => {
    alpaca.account.history = []
    await connect()
    const answer = await portfolio()
    expect(answer).toMatchObject({ cagr_calculation_method: 'insufficient_data', cagr_excluding_contributions: null })
    expect(answer.notes['cagr_excluding_contributions']).toBe(
      'Not available: there is only one day with a value in this period.',
    )
    expect(answer.full_history).toEqual([{ date: '2026-03-04', equity: 100_000, net_amount: 0 }])
  })

  it('may have one day of history, with a deposit on it', async () => {
    alpaca.account.history = [{ date: '2026-03-03', equity: 100_000 }]
    alpaca.account.load([
      {
        id: '20260303000000000::00000000-0000-4000-8000-000000000777',
        activity_type: 'CSD',
        date: '2026-03-03',
        net_amount: '100000',
        status: 'executed',
      },
    ])
    await connect()
    const answer = await portfolio()
    expect(answer).toMatchObject({ total_return: 0, net_contributions: 100_000, overall_return_percent: 0 })
  })

  it('may have holes and nulls everywhere', async () => {
    historyFrom('2024-03-01', (i) => 100_000 + i)
    alpaca.quirks.nullNumbers = true
    await connect()
    const answer = await portfolio()
    expect(answer.total_return).not.toBeNull()
    expect(answer.daily_pnl).not.toBeNull()
    expect(answer.full_history.every(({ equity }) => Number.isFinite(equity))).toBe(true)
  })

  it('may be below zero', async () => {
    historyFrom('2024-03-01', (i) => (i === 40 ? -500 : 1000))
    await connect()
    const answer = await portfolio()
    expect(answer.cagr_calculation_method).toBe('insufficient_data')
    expect(answer.notes['total_return']).toMatch(/^Not available: the account was below zero on 2024-/)
  })

  it('may fail to tell its activities: then the flows come from its history', async () => {
    historyFrom('2024-03-01', (_, date) => (date < '2025-03-03' ? 10_000 : 15_000))
    alpaca.account.book('CSD', '10000', '2024-03-01')
    alpaca.account.book('CSD', '5000', '2025-03-03')
    alpaca.account.cash = alpaca.account.cash.minus(alpaca.account.cash).plus(alpaca.account.lastEquity)
    await connect()
    alpaca.misbehave('html', { when: ({ path }) => path === '/v2/account/activities' })
    const answer = await portfolio()
    expect(answer.cagr_calculation_method).toBe('daily_returns_compounded')
    expect(answer).toMatchObject({ cash_flows_count: 1, net_contributions: 15_000 })
  })
})

describe('activities', () => {
  it('come in pages, newest first, each once, also when the broker cuts them short', async () => {
    const trades = Array.from({ length: 190 }, (_, i) => {
      const at = new Date(Date.parse('2025-01-02T15:00:00Z') + i * DAY * 0.5).toISOString()
      return {
        id: `${at.replaceAll(/[^0-9]/g, '')}::00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
        activity_type: 'FILL',
        transaction_time: at,
        type: 'fill',
        price: '10',
        qty: String(i + 1),
        side: 'buy',
        symbol: 'SPY',
        order_id: '00000000-0000-4000-8000-000000000001',
      }
    })
    alpaca.account.load(trades)
    alpaca.quirks.partialPages = true
    alpaca.quirks.duplicates = true
    await connect()
    expect((await portfolio()).trades[0]?.qty).toBe(190)
    const page = async (number: number) =>
      (
        await user.get(
          `/api/alpaca/portfolio/activities?account_id=${accountId}&kind=trades&page=${number}&page_size=50`,
        )
      ).json<{
        trades: { qty: number }[]
        total: number
        activities_complete: boolean
      }>()
    await vi.waitUntil(async () => (await page(1)).activities_complete, { timeout: 60_000, interval: 200 })
    const pages = await Promise.all([1, 2, 3, 4].map(page))
    expect(pages.map(({ trades: some, total }) => [some.length, total])).toEqual([
      [50, 190],
      [50, 190],
      [50, 190],
      [40, 190],
    ])
    const quantities = pages.flatMap(({ trades: some }) => some.map(({ qty }) => qty))
    expect(quantities).toEqual(Array.from({ length: 190 }, (_, i) => 190 - i))
  }, 90_000)
})

it('explains each method in its own words, and no other [PORT-021, PORT-022]', () => {
  const texts = CAGR_METHODS.map(methodText)
  expect(new Set(texts).size).toBe(6)
  for (const method of ['', 'unknown', 'toString']) expect(methodText(method)).toBe(METHOD_UNAVAILABLE)
  expect(METHOD_UNAVAILABLE).toContain('unavailable')
})
