import type { Accuracy } from '@tradewright/engine/backtest/accuracy'
import { type Figure, notAvailable } from '@tradewright/engine/performance/figure'

/** Results that were saved before overlapping labels counted lack the overlap; their p-value claims too much. */
export type SavedAccuracy = Omit<Accuracy, 'rows' | 'labelOverlap' | 'naive'> & {
  readonly labelOverlap?: number | undefined
  readonly naive?: Accuracy['naive']
}

export const pValueOf = ({ pValue, labelOverlap }: Pick<SavedAccuracy, 'pValue' | 'labelOverlap'>): Figure =>
  labelOverlap === undefined
    ? notAvailable('the result was saved before overlapping labels were taken into account; run it again')
    : pValue
