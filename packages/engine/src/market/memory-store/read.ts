import type { Category } from '@tradewright/core/category'
import { lowerBound } from '@tradewright/core/column'
import type { MemorySeries } from './series.ts'
import { currenciesOf, type SeriesSource, type SeriesTable } from '../series.ts'

/** Stored columns to tables: one per ticker, or one per ticker and provider. */
export function tablesOf(series: readonly MemorySeries[], mixesProviders: boolean): SeriesTable[] {
  const groups = Map.groupBy(series, ({ ticker, provider }) => (mixesProviders ? ticker : `${ticker} ${provider}`))
  return [...groups.values()].map(tableOf)
}

function tableOf(group: readonly MemorySeries[]): SeriesTable {
  const { ticker, granularity, type } = group[0]!
  const timestamps = unionOfStamps(group)
  const columns: Record<Category, Float64Array> = {}
  const knownAt = new Float64Array(timestamps.length).fill(Number.NaN)
  for (const { category, column } of group) {
    const target = (columns[category] ??= new Float64Array(timestamps.length).fill(Number.NaN))
    column.timestamps.forEach((stamp, i) => {
      const row = lowerBound(timestamps, stamp)
      target[row] = column.values[i]!
      if (!Number.isNaN(column.knownAt[i]!)) knownAt[row] = column.knownAt[i]!
    })
  }
  const isDated = knownAt.some((instant) => !Number.isNaN(instant))
  return {
    ticker,
    granularity,
    type,
    currency: currenciesOf(group),
    timestamps,
    columns,
    ...(isDated ? { knownAt } : {}),
    sources: sourcesOf(group),
  }
}

const unionOfStamps = (group: readonly MemorySeries[]): Float64Array =>
  Float64Array.from(new Set(group.flatMap(({ column }) => [...column.timestamps]))).sort()

function sourcesOf(group: readonly MemorySeries[]): SeriesSource[] {
  return [...Map.groupBy(group, ({ provider }) => provider)].map(([provider, own]) => {
    const stamps = unionOfStamps(own)
    const collectedAt = Math.max(...own.flatMap(({ column }) => [...column.collectedAt]))
    return { provider, rows: stamps.length, from: stamps[0]!, last: stamps.at(-1)!, collectedAt }
  })
}
