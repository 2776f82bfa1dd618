import { tickerKind } from '@tradewright/core/ticker-kind'
import { dateOf, dayStamp, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import type { MarketData } from './market-data.ts'
import { planBacktest } from './plan.ts'
import { requiredSeries } from './required-series.ts'
import { runBacktest } from './run-backtest.ts'
import { nearestMean } from './test-support/nearest-mean.ts'
import { sampleData } from './test-support/market-files.ts'
import { allocationRequest, FROM, mlRequest, TO } from './test-support/requests.ts'

type Closes = Readonly<Record<string, number>>

/** Closes by date, as they were traded. */
function pricesOf(closes: Readonly<Record<string, Closes>>, dividends: readonly [string, string, number][] = []) {
  const series = Object.entries(closes).map(([ticker, byDate]) => {
    const timestamps = Float64Array.from(Object.keys(byDate), (date) => dayStamp(dateOf(date)))
    const columns = { close: Float64Array.from(Object.values(byDate)) }
    const table = { ticker, granularity: '1d', type: tickerKind(ticker), currency: 'USD', timestamps, columns } as const
    return [ticker, { ...table, sources: [] }] as const
  })
  const actions = dividends.map(
    ([ticker, date, amount]) => [ticker, { splits: [], dividends: [{ exDay: dateOf(date), amount }] }] as const,
  )
  return { series: new Map(series), actions: new Map(actions) } satisfies MarketData
}

/** New Year's Day 2024 was a Monday: the close before it is that of Friday, 29 December. */
const spy = { '2023-12-28': 90, '2023-12-29': 100, '2024-01-02': 102, '2024-01-03': 104.04 }

const asked = (percentages: Readonly<Record<string, number>>, more: Parameters<typeof allocationRequest>[1] = {}) =>
  planBacktest(
    allocationRequest(percentages, {
      from: dateOf('2024-01-01'),
      to: dateOf('2024-01-03'),
      tradingCostBps: 0,
      ...more,
    }),
  )

const run = (more: Parameters<typeof allocationRequest>[1], data: MarketData = pricesOf({ SPY: spy })) =>
  runBacktest(asked({ SPY: 100 }, more), data)

describe('the start of a result', () => {
  it('is the first close by default, so the first session earns nothing', async () => {
    const { curve, actualStart, metrics } = await run({})
    expect(formatDate(actualStart)).toBe('2024-01-02')
    // 10,000 x 104.04 / 102
    expect([...curve.values]).toEqual([10_000, expect.closeTo(10_200, 8)])
    expect(metrics.totalReturn).toBeCloseTo(0.02, 12)
  })

  it('is the close before the start date where the first session is included', async () => {
    const { curve, actualStart, metrics, notes } = await run({ includeFirstReturn: true })
    expect(formatDate(actualStart)).toBe('2023-12-29')
    // 10,000 x 102 / 100, then x 104.04 / 102
    expect([...curve.values]).toEqual([10_000, expect.closeTo(10_200, 8), expect.closeTo(10_404, 8)])
    expect(metrics.totalReturn).toBeCloseTo(0.0404, 12)
    expect(metrics.yearlyReturns).toEqual([{ year: 2024, return: expect.closeTo(0.0404, 12) }])
    expect(metrics.monthlyReturns).toEqual([{ year: 2024, month: 1, return: expect.closeTo(0.0404, 12) }])
    expect(notes.join(' ')).not.toContain('before')
  })

  it('collects what goes ex in the first session, which is then held overnight', async () => {
    const data = pricesOf({ SPY: spy }, [['SPY', '2024-01-02', 1]])
    const paid = { includeFirstReturn: true, reinvestDividends: false }
    expect((await run(paid, data)).curve.values.at(-1)).toBeCloseTo(10_504, 8)
    expect((await run({ reinvestDividends: false }, data)).curve.values.at(-1)).toBeCloseTo(10_200, 8)
  })

  it('pays no cash flow at the close before the start date, although a month and a year end there', async () => {
    const flows = { cashflow: 500, cashflowFrequency: 'monthly', includeFirstReturn: true } as const
    const { curve } = await run(flows)
    expect(curve.flows[0]).toBe(0)
  })

  it('is the Sunday before for a coin, which trades on every day', async () => {
    const coin = { '2023-12-31': 40_000, '2024-01-01': 42_000, '2024-01-02': 42_000, '2024-01-03': 42_000 }
    const data = pricesOf({ 'BTC-USD': coin })
    const { actualStart, metrics } = await runBacktest(asked({ 'BTC-USD': 100 }, { includeFirstReturn: true }), data)
    expect(formatDate(actualStart)).toBe('2023-12-31')
    expect(metrics.totalReturn).toBeCloseTo(0.05, 12)
  })

  it('stays the first close, and says so, where a ticker has no earlier price', async () => {
    const data = pricesOf({ SPY: spy, AAPL: { '2024-01-02': 50, '2024-01-03': 51 } })
    const result = await runBacktest(asked({ SPY: 50, AAPL: 50 }, { includeFirstReturn: true }), data)
    expect(formatDate(result.actualStart)).toBe('2024-01-02')
    expect(result.notes).toContain(
      'There is no price before 2024-01-01 for all tickers: the first session’s return is not included.',
    )
  })

  it('counts the first session of the reference as well', async () => {
    const result = await run({ includeFirstReturn: true, referenceTicker: 'SPY' })
    expect(result.reference!.metrics.totalReturn).toBeCloseTo(0.0404, 12)
  })

  it('fetches the days before the start date for it', () => {
    const from = (includeFirstReturn: boolean) => requiredSeries(asked({ SPY: 100 }, { includeFirstReturn }))[0]!.from
    expect(formatDate(from(false))).toBe('2024-01-01')
    expect(from(true)).toBeLessThan(dateOf('2023-12-29'))
  })

  it('of an ML strategy is its first prediction either way', async () => {
    const data = sampleData(['SPY', 'TLT', 'UNRATE', 'TB3MS'], FROM, TO)
    const figures = async (includeFirstReturn: boolean) => {
      const { curve } = await runBacktest(planBacktest(mlRequest({}, { includeFirstReturn })), data, nearestMean)
      return curve.values
    }
    expect(await figures(true)).toEqual(await figures(false))
  })
})
