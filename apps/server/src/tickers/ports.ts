import type { EpochDay } from '@tradewright/core/time'

/** A daily series in the user's default store, its best rows. */
export interface StoredSeries {
  readonly ticker: string
  /** The provider's id. */
  readonly provider: string
  readonly first: EpochDay
  readonly last: EpochDay
}

/** Real series alone: synthetic rows are made anew wherever they are wanted. */
export type StoredSeriesOf = (userId: number) => Promise<readonly StoredSeries[]>
