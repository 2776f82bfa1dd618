import { dateOf, dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { nyse } from '../market/trading-calendar.ts'
import type { SeriesTable } from '../market/series.ts'
import { applyTransform, findStarterTransform, starterTransforms } from './starter-transforms.ts'

const stamps = Float64Array.from(nyse.sessionsBetween(dateOf('2020-01-01'), dateOf('2022-01-01')), dayStamp)

function tableOf(ticker: string, phase: number): SeriesTable {
  const close = stamps.map((_, i) => 100 + 10 * Math.sin(i / 9 + phase) + i / 20)
  const columns = {
    close,
    high: close.map((price) => price + 1),
    low: close.map((price) => price - 1),
    volume: close.map((price) => price * 1000),
    pe_ratio: close.map((price) => price / 5),
    market_cap: close.map((price) => price * 1e6),
  }
  return { ticker, type: 'security', granularity: '1d', currency: 'USD', timestamps: stamps, columns, sources: [] }
}

const tables = [tableOf('KO', 1), tableOf('SPY', 0)]

describe('the starter kit', () => {
  it('has at least eight transforms with name, description, categories and columns [DATA-047]', () => {
    expect(starterTransforms.length).toBeGreaterThanOrEqual(8)
    for (const { name, description, requiredCategories, computedColumns } of starterTransforms) {
      expect(name && description && requiredCategories.length && computedColumns.length).toBeTruthy()
      for (const column of computedColumns) expect(column.name && column.description).toBeTruthy()
    }
    expect(new Set(starterTransforms.map(({ name }) => name)).size).toBe(starterTransforms.length)
  })

  it.each(starterTransforms)('$name computes every column it lists, without looking ahead', (transform) => {
    const whole = applyTransform(transform, [tables[1]!])
    const half: SeriesTable = {
      ...tables[1]!,
      timestamps: stamps.slice(0, 300),
      columns: Object.fromEntries(
        Object.entries(tables[1]!.columns).map(([name, column]) => [name, column.slice(0, 300)]),
      ),
    }
    const known = applyTransform(transform, [half])
    for (const { name } of transform.computedColumns) {
      const values = whole.columns.find((column) => column.name === name)!.values
      expect(values.some((value) => Number.isFinite(value))).toBe(true)
      expect(known.columns.find((column) => column.name === name)!.values).toEqual(values.slice(0, 300))
    }
  })
})

describe('applyTransform', () => {
  it('pivots: a row per ticker and stamp, a column per category and computed value [DATA-048]', () => {
    const result = applyTransform(findStarterTransform('Returns')!, tables)
    expect(result.tickers).toHaveLength(2 * stamps.length)
    expect(result.timestamps).toHaveLength(2 * stamps.length)
    const names = result.columns.map(({ name }) => name)
    expect(names.slice(0, 6)).toEqual(Object.keys(tables[0]!.columns))
    expect(names.slice(6)).toEqual(['return_1', 'log_return', 'return_5', 'return_20'])
  })

  it('computes with split-adjusted prices and shows them as traded', () => {
    const close = stamps.map((_, row) => (row < 100 ? 200 : 50))
    const split = stamps.map((_, row) => (row === 100 ? 4 : Number.NaN))
    const { columns } = applyTransform(findStarterTransform('Returns')!, [{ ...tables[1]!, columns: { close, split } }])
    expect(columns.find(({ name }) => name === 'close')!.values).toEqual(close)
    expect(columns.find(({ name }) => name === 'return_1')!.values[100]).toBe(0)
  })

  it('takes SPY as the benchmark wherever it stands', () => {
    const { columns, tickers } = applyTransform(findStarterTransform('Correlation to Benchmark')!, tables)
    const last = columns.find(({ name }) => name === 'correlation_60')!.values
    expect(last[tickers.lastIndexOf('SPY')]).toBeCloseTo(1, 12)
    expect(last[tickers.lastIndexOf('KO')]).toBeLessThan(0.99)
  })

  it('has no value where a divisor is zero', () => {
    const table = { ...tables[1]!, columns: { ...tables[1]!.columns, pe_ratio: stamps.map((_, row) => row % 2) } }
    const { columns } = applyTransform(findStarterTransform('Fundamentals Ratio')!, [table])
    for (const column of ['earnings_yield', 'earnings_per_share']) {
      const { values } = columns.find(({ name }) => name === column)!
      expect(values[0]).toBeNaN()
      expect(values[1]).toBeGreaterThan(0)
    }
  })

  it('leaves out tickers without the categories and says so when none is left', () => {
    const { pe_ratio: _, ...withoutRatio } = tables[0]!.columns
    const poor = { ...tables[0]!, columns: withoutRatio }
    const transform = findStarterTransform('Fundamentals Ratio')!
    expect(new Set(applyTransform(transform, [poor, tables[1]!]).tickers)).toEqual(new Set(['SPY']))
    expect(() => applyTransform(transform, [poor])).toThrow(
      '"Fundamentals Ratio" needs the categories close, pe_ratio, market_cap',
    )
  })
})
