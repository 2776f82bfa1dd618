import { dateOf, epochDayOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { valueOf } from '../performance/figure.ts'
import { takeRows } from '../market/layers/rows.ts'
import type { SeriesTable } from '../market/series.ts'
import { planBacktest } from './plan.ts'
import type { BacktestRequest } from './request.ts'
import { runBacktest } from './run-backtest.ts'
import { randomWalks } from './test-support/random-walks.ts'
import { allocationRequest } from './test-support/requests.ts'

const [FROM, TO] = [dateOf('1995-01-03'), dateOf('2019-12-31')]
const walks = randomWalks([{ ticker: 'DAY', drift: 0.05 }, { ticker: 'BESIDE' }], 40, FROM, TO)
const daily = walks.series.get('DAY')!

/** The last row of each group, closes alone. */
function resampled(ticker: string, groupOf: (date: string, row: number) => string): SeriesTable {
  const groups = Array.from(daily.timestamps, (stamp, row) => groupOf(formatDate(epochDayOf(stamp)), row))
  const rows = [...groups.keys()].filter((row) => groups[row] !== groups[row + 1])
  const { timestamps, columns } = takeRows(daily, rows)
  return { ...daily, ticker, timestamps, columns: { close: columns['close']! } }
}
const tables = [
  daily,
  walks.series.get('BESIDE')!,
  resampled('WEEK', (_, row) => String(Math.floor(epochDayOf(daily.timestamps[row]!) / 7))),
  resampled('MONTH', (date) => date.slice(0, 7)),
  resampled('QUARTER', (date) => date.slice(0, 4) + Math.ceil(Number(date.slice(5, 7)) / 3)),
  resampled('YEAR', (date) => date.slice(0, 4)),
]
const data = { series: new Map(tables.map((table) => [table.ticker, table])) }

const run = (percentages: Record<string, number>, more: Partial<BacktestRequest> = {}) =>
  runBacktest(
    planBacktest(
      allocationRequest(percentages, { from: FROM, to: TO, tradingCostBps: 0, rebalanceFrequency: 'none', ...more }),
    ),
    data,
  )

describe('a series against its own weeks, months, quarters and years', () => {
  it.each([
    ['WEEK', 0.05],
    ['MONTH', 0.1],
    ['QUARTER', 0.2],
    ['YEAR', 0.35],
  ])('has the same volatility and Sharpe ratio, but for chance: %s', async (ticker, tolerance) => {
    const [own, whole] = await Promise.all([run({ [ticker]: 100 }), run({ DAY: 100 })])
    const [a, b] = [valueOf(own.metrics.volatility), valueOf(whole.metrics.volatility)]
    expect(Math.abs(a / b - 1)).toBeLessThan(tolerance)
    expect(Math.abs(valueOf(own.metrics.sharpe) - valueOf(whole.metrics.sharpe))).toBeLessThan(0.2)
    expect(own.notes.join(' ')).toContain(`${ticker} has ${ticker === 'WEEK' ? 'week' : ticker.toLowerCase()}ly prices`)
  })

  /** A price that stands still: what changes is what positions cost. */
  const still = (table: SeriesTable): SeriesTable => ({
    ...table,
    columns: Object.fromEntries(Object.entries(table.columns).map(([name, column]) => [name, column.map(() => 100)])),
  })
  const rate: SeriesTable = {
    ...daily,
    ticker: 'FEDFUNDS',
    type: 'economic',
    columns: { value: daily.timestamps.map(() => 5) },
  }
  const flat = { series: new Map([...tables.map(still), rate].map((table) => [table.ticker, table])) }
  const cost = async (percentages: Record<string, number>) => {
    const settings = {
      from: FROM,
      to: dateOf('2009-12-31'),
      tradingCostBps: 0,
      rebalanceFrequency: 'yearly',
      shortBorrowPct: 12,
    } as const
    const { curve } = await runBacktest(planBacktest(allocationRequest(percentages, settings)), flat)
    return Math.log(curve.values.at(-1)! / curve.values[0]!)
  }

  it.each([
    ['a short position', (ticker: string) => ({ [ticker]: -30, CASHX: 130 })],
    ['borrowed money', (ticker: string) => ({ [ticker]: 150 })],
    ['leverage', (ticker: string) => ({ [`${ticker}?L=2`]: 100 })],
  ])('pays as much for %s', async (_, percentages) => {
    const whole = await cost(percentages('DAY'))
    expect(whole).toBeLessThan(-0.2)
    for (const ticker of ['WEEK', 'MONTH', 'QUARTER'])
      expect((await cost(percentages(ticker))) / whole, ticker).toBeCloseTo(1, 1)
  })
})

describe('prices of different frequencies', () => {
  it('are traded at the dates of the rarer ones, each at its last close, and the result says so', async () => {
    const result = await run({ MONTH: 50, BESIDE: 50 })
    const dates = Array.from(result.curve.days, (day) => formatDate(day).slice(0, 7))
    // Every month is there, and each once.
    expect(dates).toHaveLength(25 * 12)
    expect(new Set(dates).size).toBe(dates.length)
    expect(result.notes.join(' ')).toContain(
      'MONTH has monthly prices: BESIDE is priced at the last close before each of them',
    )
  })

  it('that fall on days without trading lose no month', async () => {
    const first = (table: SeriesTable): SeriesTable => ({
      ...table,
      ticker: 'FIRST',
      timestamps: table.timestamps.map((stamp) => Date.parse(`${formatDate(epochDayOf(stamp)).slice(0, 7)}-01`)),
    })
    const series = new Map(data.series).set('FIRST', first(data.series.get('MONTH')!))
    const result = await runBacktest(
      planBacktest(allocationRequest({ FIRST: 50, BESIDE: 50 }, { from: FROM, to: TO, tradingCostBps: 0 })),
      { series },
    )
    expect(result.curve.days.length).toBe(25 * 12 - 1)
  })
})
