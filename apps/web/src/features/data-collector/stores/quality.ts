import type { SeriesQuality } from '@tradewright/contract/data-stores'

export const faultsOf = (series: SeriesQuality): number =>
  series.missing_rows +
  series.unexpected_rows +
  series.duplicates +
  series.contradictions +
  series.suspicious_jumps.length +
  (series.is_stale ? 1 : 0)

/** The series with most faults come first. */
export const worstFirst = (series: readonly SeriesQuality[]): SeriesQuality[] =>
  series.toSorted((a, b) => faultsOf(b) - faultsOf(a) || a.ticker.localeCompare(b.ticker))

interface QualitySummary {
  series: number
  withGaps: number
  withJumps: number
  withDoubles: number
  stale: number
}

export const summaryOf = (series: readonly SeriesQuality[]): QualitySummary => ({
  series: series.length,
  withGaps: series.filter(({ missing_rows }) => missing_rows > 0).length,
  withJumps: series.filter(({ suspicious_jumps }) => suspicious_jumps.length > 0).length,
  withDoubles: series.filter(({ duplicates, contradictions }) => duplicates + contradictions > 0).length,
  stale: series.filter(({ is_stale }) => is_stale).length,
})
