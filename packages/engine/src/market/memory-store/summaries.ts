import type { AvailableData, SeriesSummary } from '../series-store.ts'
import type { MemorySeries } from './series.ts'

export function summarise(series: readonly MemorySeries[]): SeriesSummary[] {
  const groups = Map.groupBy(series, ({ ticker, granularity, provider }) => `${ticker} ${granularity} ${provider}`)
  return [...groups.values()].map((group) => {
    const { ticker, type, granularity, provider } = group[0]!
    return {
      ticker,
      type,
      granularity,
      provider,
      categories: group.map(({ category }) => category).sort(),
      records: group.reduce((sum, { column }) => sum + column.timestamps.length, 0),
      first: Math.min(...group.map(({ column }) => column.timestamps[0]!)),
      last: Math.max(...group.map(({ column }) => column.timestamps.at(-1)!)),
      collectedAt: Math.max(...group.map(({ column }) => column.collectedAt.reduce((a, b) => Math.max(a, b)))),
    }
  })
}

export function availableIn(series: readonly MemorySeries[]): AvailableData {
  const distinct = <K extends 'ticker' | 'category' | 'provider' | 'granularity'>(name: K) =>
    [...new Set(series.map((one) => one[name]))].sort()
  return {
    tickers: distinct('ticker'),
    categories: distinct('category'),
    providers: distinct('provider'),
    granularities: distinct('granularity'),
    stamps:
      series.length === 0
        ? undefined
        : {
            min: Math.min(...series.map(({ column }) => column.timestamps[0]!)),
            max: Math.max(...series.map(({ column }) => column.timestamps.at(-1)!)),
          },
  }
}

export const recordsIn = (series: readonly MemorySeries[]): number =>
  series.reduce((sum, { column }) => sum + column.timestamps.length, 0)
