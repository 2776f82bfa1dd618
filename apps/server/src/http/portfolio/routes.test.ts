import { CAGR_METHOD_TEXTS, CAGR_METHODS, METHOD_UNAVAILABLE, methodText } from '@tradewright/contract/portfolio'
import { describe, expect, it, vi } from 'vitest'
import { caller } from '../../../test-support/caller.ts'
import { withPortfolio } from '../../../test-support/portfolio-world.ts'

const world = withPortfolio()

describe('the portfolio', () => {
  it('needs a session, and an account that is the own [PORT-029, PORT-030, PORT-034]', async () => {
    const stranger = await world.server.app.inject({ method: 'GET', url: '/api/alpaca/portfolio' })
    expect(stranger.statusCode).toBe(401)
    const other = await caller(world.server)
    const none = await other.get('/api/alpaca/portfolio')
    expect(none.statusCode).toBe(404)
    expect(none.json()).toMatchObject({
      success: false,
      error: 'No brokerage account is connected. Add one in Settings.',
    })
    await world.connect()
    for (const path of ['portfolio?', 'portfolio/activities?kind=trades&']) {
      const foreign = await other.get(`/api/alpaca/${path}account_id=${world.accountId}`)
      expect(foreign.statusCode).toBe(404)
      expect(foreign.json()).toMatchObject({ error: 'There is no such brokerage account.' })
    }
  })

  it('carries equity, the day, holdings and buying power [PORT-015, PORT-016, PORT-031]', async () => {
    world.alpaca.account.lastEquity = world.alpaca.account.cash
    world.alpaca.account.trade('SPY', '400')
    world.alpaca.account.add({
      clientOrderId: 'x',
      symbol: 'SPY',
      side: 'buy',
      qty: world.alpaca.account.priceOf('SPY'),
      notional: undefined,
      type: 'market',
      timeInForce: 'day',
      limitPrice: undefined,
    })
    world.alpaca.account.fill('x', '10', '400')
    world.alpaca.account.prices.set(
      'SPY',
      world.alpaca.account
        .priceOf('SPY')
        .plus(world.alpaca.account.priceOf('SPY').dividedBy(world.alpaca.account.priceOf('SPY'))),
    )
    world.alpaca.account.book('CSD', '5000', '2026-03-04')
    await world.connect()
    const answer = await world.portfolio()
    // One dollar on each of ten shares; the deposit of today is no gain.
    expect(answer).toMatchObject({ equity: 105_010, daily_pnl: 10, cash: 101_000 })
    // The deposit could be invested today: the gain is divided by it as well.
    expect(answer.daily_pnl_percent).toBeCloseTo((100 * 10) / 105_000, 12)
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
        price_date: null,
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
    world.historyFrom('2024-03-01', (i, date) =>
      i === 0 ? 10_000 : date < '2025-03-03' ? 11_000 : date < '2025-06-02' ? 16_000 : 12_000,
    )
    world.alpaca.account.cash = world.alpaca.account.cash.minus(world.alpaca.account.cash)
    for (const [type, amount, date] of [
      ['CSD', '10000', '2024-03-01'],
      ['CSD', '5000', '2025-03-03'],
      ['CSW', '-4000', '2025-06-02'],
      ['DIV', '25', '2025-07-01'],
      ['FEE', '-3', '2025-07-02'],
      ['JNLC', '978', '2025-08-01'],
    ] as const) {
      world.alpaca.account.book(type, amount, date, {
        description: `${type} of the test`,
        // After the close, so the value before each flow is known.
        created_at: `${date}T23:30:00Z`,
      })
    }
    // The journal is not in the values, so it reads as a loss; the account ends at 12,000.
    await world.connect()
    const answer = await world.portfolio()
    expect(answer.cagr_calculation_method).toBe('true_time_weighted_return')
    expect(answer).toMatchObject({
      cash_flows_count: 3,
      sub_periods_count: 4,
      net_contributions: 11_978,
      is_annualised: true,
      other_reading: null,
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
    expect(answer.full_history).toHaveLength(world.alpaca.account.history!.length + 1)
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

  it('tells both readings of a large deposit of unknown time [PORT-019, PORT-021]', async () => {
    // 1,000 and a deposit of 20,000 on a day of +2 %: invested from the morning on, or paid in after the close.
    world.historyFrom('2024-03-01', (_, date) => (date < '2025-03-03' ? 1000 : 21_420))
    world.alpaca.account.cash = world.alpaca.account.cash.minus(world.alpaca.account.cash)
    world.alpaca.account.book('CSD', '1000', '2024-03-01')
    world.alpaca.account.book('CSD', '20000', '2025-03-03')
    world.alpaca.account.book('DIV', '420', '2025-03-03')
    await world.connect()
    const answer = await world.portfolio()
    expect(answer.cagr_calculation_method).toBe('daily_returns_compounded')
    expect(answer.total_return).toBeCloseTo(0.02, 9)
    expect(answer.other_reading).toMatchObject({ days: 1 })
    expect(answer.other_reading?.total_return).toBeCloseTo(0.42, 9)
  })

  it('compares with SPY and TQQQ on the same dates [PORT-014]', async () => {
    world.historyFrom('2024-03-01', (i) => 100_000 + i)
    await world.connect()
    const answer = await vi.waitUntil(
      async () => {
        const seen = await world.portfolio()
        return seen.is_refreshing ? undefined : seen
      },
      { timeout: 60_000, interval: 100 },
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

it('explains each method in its own words, and no other [PORT-021, PORT-022]', () => {
  const texts = CAGR_METHODS.map(methodText)
  expect(new Set(texts).size).toBe(6)
  for (const method of ['', 'unknown', 'toString']) expect(methodText(method)).toBe(METHOD_UNAVAILABLE)
  expect(METHOD_UNAVAILABLE).toContain('unavailable')
})
