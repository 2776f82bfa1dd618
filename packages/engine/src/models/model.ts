import type { ModelKind } from '@tradewright/core/model-catalogue'

/** Columns are given in the order in which the model was trained on them. */
export interface Model {
  readonly kind: ModelKind
  readonly columnCount: number
  /** Probability of label 1 for the given rows, or for all. */
  predict(columns: readonly Float64Array[], rows?: Int32Array): Float64Array
  /** How much the model relies on each column; they sum to 1, or are all 0 when it uses none. */
  importances(): Float64Array
  /** Which features moved the prediction of one row. */
  explain(columns: readonly Float64Array[], row: number): Explanation
  /** The model as bytes that `loadModel` turns back into a model with the same predictions. */
  save(): Uint8Array
}

export interface Explanation {
  readonly probability: number
  /** In which unit base and contributions add up: to the probability itself, or to its log-odds. */
  readonly unit: 'probability' | 'log-odds'
  /** The prediction without any feature. */
  readonly base: number
  /** Per column, in the same unit; base + their sum is the prediction (linear models then keep it within 0 and 1). */
  readonly contributions: Float64Array
}

/** Scaled to a sum of 1; zeros stay. */
export function normalised(amounts: Float64Array): Float64Array {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  return total > 0 ? amounts.map((amount) => amount / total) : amounts
}
