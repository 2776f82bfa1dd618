import { type RecordFilter, refuseAsOf } from '../series-store.ts'
import { emptyColumn, keepStamps, type MemorySeries, type MemorySeriesMap } from './series.ts'

const admits = (allowed: readonly string[] | undefined, value: string): boolean =>
  allowed === undefined || allowed.length === 0 || allowed.includes(value)

const matches = (series: MemorySeries, filter: RecordFilter): boolean =>
  series.layer === filter.layer &&
  admits(filter.tickers, series.ticker) &&
  admits(filter.categories, series.category) &&
  admits(filter.providers, series.provider) &&
  admits(filter.granularities, series.granularity)

/** The series that pass the filter, cut to its range; none of them is empty. */
export function selectSeries(all: MemorySeriesMap, filter: RecordFilter): MemorySeries[] {
  refuseAsOf(filter, 'The store in memory')
  const { range } = filter
  const found = [...all.values()].filter((series) => matches(series, filter))
  if (!range) return found
  const cut = (series: MemorySeries): MemorySeries => ({
    ...series,
    column: keepStamps(series.column, (stamp) => stamp >= range.from && stamp < range.to),
  })
  return found.map(cut).filter(({ column }) => column.timestamps.length > 0)
}

/** Removes what passes the filter and tells how many records that were. */
export function removeSeries(all: MemorySeriesMap, filter: RecordFilter): number {
  const { range } = filter
  let removed = 0
  for (const [key, series] of all) {
    if (!matches(series, filter)) continue
    const left = range ? keepStamps(series.column, (stamp) => stamp < range.from || stamp >= range.to) : emptyColumn
    removed += series.column.timestamps.length - left.timestamps.length
    if (left.timestamps.length === 0) all.delete(key)
    else all.set(key, { ...series, column: left })
  }
  return removed
}
