import type { EpochDay } from '@tradewright/core/time'

export interface Split {
  readonly exDay: EpochDay
  /** New shares per old share: 4 for a 4:1 split, 0.1 for a 1:10 reverse split. */
  readonly ratio: number
}

export interface Dividend {
  readonly exDay: EpochDay
  /** Cash per share as it was on that day, before any later split. */
  readonly amount: number
}

/** Each list ascending by ex-date. */
export interface CorporateActions {
  readonly splits: readonly Split[]
  readonly dividends: readonly Dividend[]
}

export const noActions: CorporateActions = { splits: [], dividends: [] }
