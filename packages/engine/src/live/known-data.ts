import type { UtcMillis } from '@tradewright/core/time'
import type { MarketData } from '../backtest/market-data.ts'
import { knownAtOf } from '../market/known-at.ts'
import type { SeriesTable } from '../market/series.ts'

/** The data as it was known at an instant: later rows are left out, whichever provider stored them. */
export const knownDataAt = (data: MarketData, at: UtcMillis): MarketData => ({
  ...data,
  series: new Map([...data.series].map(([symbol, table]) => [symbol, knownRows(table, at)])),
})

function knownRows(table: SeriesTable, at: UtcMillis): SeriesTable {
  const knownAt = knownAtOf(table)
  const keep: number[] = []
  for (let row = 0; row < knownAt.length; row++) if (knownAt[row]! <= at) keep.push(row)
  if (keep.length === table.timestamps.length) return table
  const cut = (column: Float64Array) => Float64Array.from(keep, (row) => column[row]!)
  return {
    ...table,
    timestamps: cut(table.timestamps),
    columns: Object.fromEntries(Object.entries(table.columns).map(([name, column]) => [name, cut(column)])),
    ...(table.knownAt && { knownAt: cut(table.knownAt) }),
  }
}
