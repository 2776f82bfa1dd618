import type { UtcMillis } from '@tradewright/core/time'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { inspectSeries, type SeriesQuality } from '@tradewright/engine/market/quality/series-quality'

export interface QualityInput {
  readonly table: SeriesTable
  readonly now: UtcMillis
}

/** A compute task: the faults of one series. */
export const run = ({ table, now }: QualityInput): SeriesQuality => inspectSeries(table, now)
