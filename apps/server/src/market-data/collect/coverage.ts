import type { Granularity } from '@tradewright/core/granularity'
import type { TimeRange } from '@tradewright/core/time'

/** A series in one store as one provider delivers it. */
interface CoveredSeries {
  readonly ticker: string
  readonly provider: string
  /** Ascending, apart from each other. */
  readonly ranges: readonly TimeRange[]
}

/**
 * Records which ranges have been asked for and answered, so that a range without rows is not asked for again and again.
 */
export interface CoverageStore {
  find(storeId: number, tickers: readonly string[], granularity: Granularity): Promise<CoveredSeries[]>
  add(storeId: number, provider: string, granularity: Granularity, covered: readonly Covered[]): Promise<void>
  /** Everything of the store, after its data were cleared. */
  forget(storeId: number): Promise<void>
}

export interface Covered {
  readonly ticker: string
  readonly range: TimeRange
}

/** The parts of a range that none of the others holds. */
export function missingRanges({ from, to }: TimeRange, covered: readonly TimeRange[]): TimeRange[] {
  const missing: TimeRange[] = []
  let start = from
  for (const range of covered.toSorted((a, b) => a.from - b.from)) {
    if (range.to <= start) continue
    if (range.from >= to) break
    if (range.from > start) missing.push({ from: start, to: range.from })
    start = range.to
  }
  if (start < to) missing.push({ from: start, to })
  return missing
}
