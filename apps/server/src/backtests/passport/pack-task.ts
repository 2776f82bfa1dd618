import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { type PackedTable, packRows } from './packed-rows.ts'
import { digestsOf, type SeriesDigest } from './run-digest.ts'

/** A compute task: the rows of a run for its passport, and their checksums as they are now. */
export const run = ({
  data,
}: {
  readonly data: MarketData
}): { digests: SeriesDigest[]; rows: Map<string, PackedTable> } => ({
  digests: digestsOf(data),
  rows: packRows(data),
})
