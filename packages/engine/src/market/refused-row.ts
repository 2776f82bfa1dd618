import type { Category } from '@tradewright/core/category'
import type { UtcMillis } from '@tradewright/core/time'

export type RefusalReason =
  | 'not-a-number'
  | 'zero-or-negative'
  | 'negative'
  | 'time-runs-backwards'
  | 'duplicate-timestamp'
  | 'bar-contradicts-itself'

/** A row that cannot be true, with all that is needed to complain about it. */
export interface RefusedRow {
  readonly provider: string
  readonly ticker: string
  /** Counted from 0 in the block as it was offered. */
  readonly row: number
  readonly timestamp: UtcMillis
  readonly reason: RefusalReason
  readonly category?: Category
  readonly value?: number
}
