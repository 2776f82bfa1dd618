import { dateOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { nyse } from '../market/trading-calendar.ts'
import { notAvailable, valueOf } from '../performance/figure.ts'
import { planBacktest } from './plan.ts'
import type { BacktestRequest } from './request.ts'
import { runBacktest } from './run-backtest.ts'
import { sampleData } from './test-support/market-files.ts'
import { allocationRequest, FROM, TO } from './test-support/requests.ts'

const data = sampleData(['SPY', 'TLT', 'GLD', 'AAPL', 'BTC-USD', 'TB3MS', 'FEDFUNDS', 'CPIAUCNS'], FROM, TO)
const run = (percentages: Record<string, number>, more: Partial<BacktestRequest> = {}) =>
  runBacktest(planBacktest(allocationRequest(percentages, more)), data)

describe('an allocation', () => {
  it('gives the same result to the last digit when it is run again', async () => {
    const settings = { cashflow: 500, cashflowFrequency: 'monthly', adjustInflation: true } as const
    expect(await run({ SPY: 60, TLT: 40 }, settings)).toEqual(await run({ SPY: 60, TLT: 40 }, settings))
  })

  it('does not change when a row is split in two', async () => {
    const split = allocationRequest(
      {},
      {
        strategy: {
          kind: 'allocation',
          allocation: [
            { ticker: 'SPY', allocationPct: 25 },
            { ticker: 'TLT', allocationPct: 40 },
            { ticker: 'spy', allocationPct: 35 },
          ],
        },
      },
    )
    const result = await runBacktest(planBacktest(split), data)
    expect(result.curve.values).toEqual((await run({ SPY: 60, TLT: 40 })).curve.values)
  })

  it('earns nothing in cash, and has no Sharpe ratio there [BT-147]', async () => {
    const { curve, metrics } = await run({ CASHX: 100 })
    expect(curve.values.every((value) => value === 10_000)).toBe(true)
    expect(curve.days.length).toBeGreaterThan(1250)
    expect([metrics.totalReturn, metrics.cagr, metrics.maxDrawdown.depth]).toEqual([0, 0, 0])
    expect(metrics.volatility).toBe(0)
  })

  it('says that idle cash earns nothing, and what would', async () => {
    const { notes } = await run({ SPY: 60, CASHX: 40 })
    expect(notes).toContain(
      '40% of the account stays in cash, which earns nothing. As TBILLX it would earn the T-bill rate.',
    )
    expect((await run({ SPY: 60, TBILLX: 40 })).notes.join(' ')).not.toContain('TBILLX')
  })

  it('closes positions at their stop within the range of a bar, and says how often', async () => {
    const stopped = { stopType: 'fixed', stopPct: 2, rebalanceFrequency: 'monthly', referenceTicker: 'SPY' } as const
    const { notes, curve } = await run({ SPY: 100 }, stopped)
    const note = notes.find((one) => one.startsWith('The fixed stop of 2%'))
    expect(note).toMatch(/closed \d+ positions, last SPY on .* bought again by the next decision or rebalance\.$/)
    const held = await run({ SPY: 100 }, { ...stopped, stopType: 'trailing', stopPct: 90 })
    expect(held.notes).toContain('The trailing stop of 90% was never reached.')
    const without = await run({ SPY: 100 }, { rebalanceFrequency: 'monthly', referenceTicker: 'SPY' })
    expect(held.curve.values).toEqual(without.curve.values)
    expect(curve.values).not.toEqual(without.curve.values)
    expect(held.reference?.values).toEqual(without.reference?.values)
    expect((await run({ SPY: 100 }, stopped)).reference?.values).toEqual(without.reference?.values)
  })

  it('measures against the T-bill, whose own excess return does not vary', async () => {
    const { metrics, riskFree } = await run({ TBILLX: 100 }, { tradingCostBps: 0 })
    expect(riskFree).toBe('3-month T-bill (TB3MS)')
    expect(metrics.totalReturn).toBeGreaterThan(0)
    expect(metrics.sharpe).toEqual(notAvailable('the returns do not vary'))
  })

  it('measures against nothing where there is no rate', async () => {
    const bare = sampleData(['SPY'], FROM, TO)
    const { riskFree, metrics, notes } = await runBacktest(planBacktest(allocationRequest({ SPY: 100 })), bare)
    expect(riskFree).toBe('0 %')
    expect(notes).toContain(
      'No T-bill rate was available: Sharpe and Sortino are measured against 0%, which overstates them.',
    )
    expect(valueOf(metrics.sharpe)).toBeGreaterThan(valueOf((await run({ SPY: 100 })).metrics.sharpe))
  })

  it('refuses bills without their rate, and says where leverage is nearly free', async () => {
    const bare = sampleData(['SPY'], FROM, TO)
    const bills = runBacktest(planBacktest(allocationRequest({ SPY: 50, TBILLX: 50 })), bare)
    await expect(bills).rejects.toMatchObject({ code: 'backtest.no-bill-rate' })
    const { notes } = await runBacktest(planBacktest(allocationRequest({ 'SPY?L=2': 100 })), bare)
    expect(notes).toContain('No interest rate was available: leverage of SPY?L=2 pays the spread alone.')
  })

  it('borrows at what a leveraged ticker pays', async () => {
    const options = { rebalanceFrequency: 'daily', tradingCostBps: 0 } as const
    const borrowed = await run({ SPY: 200 }, options)
    const levered = await run({ 'SPY?L=2&E=0': 100 }, options)
    expect(borrowed.metrics.interest).toBeGreaterThan(0)
    expect(borrowed.metrics.totalReturn).toBeCloseTo(levered.metrics.totalReturn, 2)
    expect(borrowed.notes).toContain('100% of the account is borrowed, at FEDFUNDS and a spread.')
  })

  it('follows the exchange when coins and stocks are held together, and says who came last', async () => {
    const { curve, actualStart, limitingTicker } = await run({ SPY: 50, 'BTC-USD': 50 }, { from: dateOf('2013-01-02') })
    expect([...curve.days].every((day) => nyse.isSession(day))).toBe(true)
    expect(actualStart).toBeGreaterThanOrEqual(dateOf('2013-01-02'))
    expect(['SPY', 'BTC-USD']).toContain(limitingTicker)
  })

  it('counts 365 days a year for coins alone', async () => {
    const coins = await run({ 'BTC-USD': 100 })
    const days = coins.curve.days.length
    expect(days).toBe(TO - FROM + 1)
    const perDay = valueOf(coins.metrics.volatility) / Math.sqrt(365)
    expect(perDay).toBeGreaterThan(0.01)
  })

  it('pays dividends into cash when they are not reinvested', async () => {
    const [kept, reinvested] = [await run({ SPY: 100 }, { reinvestDividends: false }), await run({ SPY: 100 })]
    expect(kept.metrics.dividends).toBeGreaterThan(100)
    expect(reinvested.metrics.dividends).toBe(0)
    expect(kept.metrics.totalReturn).not.toBe(reinvested.metrics.totalReturn)
  })

  it('names the ticker that has no data [BT-150]', async () => {
    await expect(run({ NOPE: 100 })).rejects.toThrow('There is no data for NOPE between 2015-01-02 and 2019-12-31.')
    await expect(run({ SPY: 100 }, { from: dateOf('1960-01-04'), to: dateOf('1961-01-04') })).rejects.toThrow(
      'There is no data for SPY between 1960-01-04 and 1961-01-04.',
    )
  })

  it('says that the sample market is made up, and where the rows came from', async () => {
    const { synthetic, sources, fingerprint } = await run({ SPY: 100 })
    expect(synthetic).toBe(true)
    expect(sources.simulation.providers.map(({ provider, tickers }) => [provider, tickers])).toEqual([
      ['sample', ['SPY', 'TB3MS']],
    ])
    expect(sources.features.combined).toBeUndefined()
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
  })

  it('has another fingerprint when one price differs in its last bit', async () => {
    const spy = data.series.get('SPY')!
    const close = spy.columns['close']!.slice()
    close[100] = close[100]! * (1 + 2 ** -52)
    const series = new Map(data.series).set('SPY', { ...spy, columns: { ...spy.columns, close } })
    const other = await runBacktest(planBacktest(allocationRequest({ SPY: 100 })), { ...data, series })
    expect(other.fingerprint).not.toBe((await run({ SPY: 100 })).fingerprint)
  })
})

describe('a range', () => {
  it('of one session has values but no yearly figures', async () => {
    const { curve, metrics } = await run({ SPY: 100 }, { from: TO, to: TO })
    expect(curve.values).toHaveLength(1)
    expect(metrics.cagr).toEqual(notAvailable('the period has no length'))
    expect(metrics.sharpe).toEqual(notAvailable('it needs at least two returns'))
    expect(metrics.bestMonth).toBeUndefined()
  })

  it('that begins on a holiday says nothing, and one before the first price says who came last', async () => {
    const holiday = await run({ SPY: 100 }, { from: dateOf('2015-01-01') })
    expect(holiday.notes.filter((note) => note.includes('begins'))).toEqual([])
    const early = sampleData(['SPY', 'ETH-USD'], dateOf('2012-01-03'), TO)
    const request = allocationRequest({ SPY: 50, 'ETH-USD': 50 }, { from: dateOf('2012-01-03') })
    const { notes, actualStart, limitingTicker } = await runBacktest(planBacktest(request), early)
    expect(limitingTicker).toBe('ETH-USD')
    expect(notes).toContain(`The data begins on ${formatDate(actualStart)}, when ETH-USD has its first price.`)
  })

  it('within the day trades on the exchange, coins at their last known price, and pays flows once', async () => {
    const [from, to] = [dateOf('2024-01-29'), dateOf('2024-02-02')]
    const bars = sampleData(['SPY', 'BTC-USD'], from, to, '15m')
    const request = allocationRequest(
      { SPY: 50, 'BTC-USD': 50 },
      { from, to, granularity: '15m', cashflow: 100, cashflowFrequency: 'monthly' },
    )
    const { curve, metrics } = await runBacktest(planBacktest(request), bars)
    expect(curve.values).toHaveLength(5 * 26)
    const paid = [...curve.timestamps].filter((_, bar) => curve.flows[bar] !== 0)
    expect(paid).toEqual([nyse.closeOf(dateOf('2024-01-31')) - 15 * 60_000])
    expect(valueOf(metrics.volatility)).toBeGreaterThan(0.05)
    expect(valueOf(metrics.volatility)).toBeLessThan(2)
  })
})

describe('a reference', () => {
  it('is the same money in another ticker, on the same dates [BT-091]', async () => {
    const { reference, curve } = await run({ TLT: 100 }, { referenceTicker: 'SPY' })
    const alone = await run({ SPY: 100 })
    expect(reference?.values).toEqual(alone.curve.values)
    expect(reference?.values.length).toBe(curve.values.length)
    expect(reference?.metrics.cagr).toBe(alone.metrics.cagr)
  })

  it('that begins later has no value before, and does not shorten the run', async () => {
    const late = sampleData(['SPY', 'ETH-USD'], dateOf('2012-01-03'), TO)
    const request = allocationRequest({ SPY: 100 }, { from: dateOf('2012-01-03'), referenceTicker: 'ETH-USD' })
    const { reference, curve } = await runBacktest(planBacktest(request), late)
    expect(formatDate(curve.days[0]!)).toBe('2012-01-03')
    expect(reference!.values[0]).toBeNaN()
    expect(reference!.values.at(-1)).toBeGreaterThan(0)
  })
})

describe('cash flows', () => {
  it('change the value but hardly the time-weighted return, which pays for their trades', async () => {
    const [without, withFlows] = [await run({ SPY: 60, TLT: 40 }), await run({ SPY: 60, TLT: 40 }, { cashflow: 1000 })]
    expect(withFlows.curve.values.at(-1)! - without.curve.values.at(-1)!).toBeGreaterThan(4500)
    expect(Math.abs(withFlows.metrics.totalReturn - without.metrics.totalReturn)).toBeLessThan(1e-4)
    expect(withFlows.moneyWeightedReturn).not.toBe(without.moneyWeightedReturn)
  })

  it('come at the last session of each period', async () => {
    const { curve } = await run({ SPY: 100 }, { cashflow: 100, cashflowFrequency: 'monthly' })
    const paid = [...curve.days].filter((_, bar) => curve.flows[bar] !== 0).map(formatDate)
    expect(paid).toHaveLength(60)
    expect(paid.slice(0, 3)).toEqual(['2015-01-30', '2015-02-27', '2015-03-31'])
    expect(paid.at(-1)).toBe('2019-12-31')
  })

  it('keep their purchasing power where inflation is adjusted for', async () => {
    const { curve } = await run({ CASHX: 100 }, { cashflow: 1000, adjustInflation: true })
    const paid = [...curve.flows].filter((flow) => flow !== 0)
    expect(paid[0]).toBeGreaterThan(1000)
    expect(paid.at(-1)).toBeGreaterThan(paid[0]!)
  })
})

describe('inflation', () => {
  it('tells values in dollars of the first day, beside the nominal ones', async () => {
    const { curve, metrics } = await run({ CASHX: 100 }, { adjustInflation: true })
    expect(curve.values[0]).toBe(10_000)
    expect(curve.values.at(-1)).toBeLessThan(10_000)
    expect(curve.nominalValues.at(-1)).toBe(10_000)
    expect(metrics.totalReturn).toBeCloseTo(curve.values.at(-1)! / 10_000 - 1, 12)
  })

  it('needs a price index', async () => {
    const bare = sampleData(['SPY'], FROM, TO)
    const request = planBacktest(allocationRequest({ SPY: 100 }, { adjustInflation: true }))
    await expect(runBacktest(request, bare)).rejects.toThrow('there is no consumer price index')
  })
})

it('says when a leveraged account lost everything', async () => {
  const { wipedOut, metrics, curve, notes } = await run(
    { 'BTC-USD': 1000 },
    { rebalanceFrequency: 'none', maintenanceMargin: 'off' },
  )
  expect(wipedOut?.by).toBe('loss')
  expect(metrics.totalReturn).toBe(-1)
  expect(curve.values.at(-1)).toBe(0)
  expect(notes.at(-1)).toContain('Everything was lost on')
})

it('sells down an account that no longer covers its positions, and says when', async () => {
  const never = { rebalanceFrequency: 'none' } as const
  const [us, off] = [await run({ SPY: 370 }, never), await run({ SPY: 370 }, { ...never, maintenanceMargin: 'off' })]
  expect(us.trades.length).toBeGreaterThan(1)
  expect(off.trades).toHaveLength(1)
  expect(us.notes.join(' ')).toMatch(
    /On \d{4}-\d\d-\d\d the account no longer covered its maintenance requirement \(25 % held, 30 % short\)/,
  )
  expect(off.notes.join(' ')).not.toContain('maintenance')
})

it('gives an account without borrowed money the same numbers whatever the requirement', async () => {
  const [us, off] = [await run({ SPY: 60, TLT: 40 }), await run({ SPY: 60, TLT: 40 }, { maintenanceMargin: 'off' })]
  expect(us.curve.values).toEqual(off.curve.values)
})

describe('costs by size', () => {
  const impact = { impactFactor: 1, rebalanceFrequency: 'monthly' } as const
  const feesOf = ({ trades }: Awaited<ReturnType<typeof run>>) => trades.reduce((sum, { fee }) => sum + fee, 0)

  it('grow with the root of the size, and name the size at which nothing is left', async () => {
    const free = { ...impact, tradingCostBps: 0 }
    const small = await run({ SPY: 60, TLT: 40 }, free)
    const large = await run({ SPY: 60, TLT: 40 }, { ...free, startValue: 1_000_000 })
    // A hundred times the money pays ten times the share.
    expect(feesOf(large) / 1_000_000 / (feesOf(small) / 10_000)).toBeCloseTo(10, 1)
    const note = large.notes.find((one) => one.startsWith('Market impact cost'))!
    expect(note).toMatch(
      /a start value of about \$[\d,.]+ it would use up all that was earned beyond the risk-free return/,
    )
  })

  it('leave about nothing beyond the yardstick at the capacity that they name', async () => {
    const { notes } = await run({ SPY: 60, TLT: 40 }, { ...impact, startValue: 1_000_000 })
    const capacity = Number(/about \$([\d,.]+) it/.exec(notes.join(' '))![1]!.replaceAll(',', ''))
    const there = await run({ SPY: 60, TLT: 40 }, { ...impact, startValue: capacity })
    const [usual, bills] = [
      await run({ SPY: 60, TLT: 40 }, { rebalanceFrequency: 'monthly' }),
      await run({ TBILLX: 100 }, { rebalanceFrequency: 'none', tradingCostBps: 0 }),
    ]
    const edgeOf = ({ metrics }: typeof usual) => Number(metrics.cagr) - Number(bills.metrics.cagr)
    expect(Math.abs(edgeOf(there))).toBeLessThan(0.25 * edgeOf(usual))
  })

  it('charge the half-spread beside the trading cost', async () => {
    const [apart, together] = [
      await run({ SPY: 100 }, { tradingCostBps: 1, halfSpreadBps: 4 }),
      await run({ SPY: 100 }, { tradingCostBps: 5 }),
    ]
    expect(apart.curve.values).toEqual(together.curve.values)
  })
})
