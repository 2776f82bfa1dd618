import type { Board } from '@tradewright/engine/robustness/board'

/** A board as it is kept with its result. Plain JSON. */
export interface StoredBoard {
  readonly board: Board
  /** Identifies the data that the board was computed from. */
  readonly fingerprint: string
  /** Series whose rows have changed since the result was computed; null where that is not known. */
  readonly changedSeries: readonly string[] | null
  /** An ISO instant. */
  readonly computedAt: string
  readonly seconds: number
}
