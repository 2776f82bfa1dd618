import type { CodeTable } from '../coded-matrix.ts'
import type { BoostingSettings } from './settings.ts'

/** One boosted model: plain data, so that any thread can fit it, or several of them together (thread-group.ts). */
export interface BoostingJob {
  readonly matrix: CodeTable
  /** Per matrix row: 0 or 1 for every training and validation row. */
  readonly labels: Int8Array
  readonly columns: Int32Array
  readonly trainRows: Int32Array
  /** Rows that decide when to stop early; may be empty. */
  readonly validationRows: Int32Array
  /** Rows whose probability is wanted at once. */
  readonly testRows: Int32Array
  readonly settings: BoostingSettings
  readonly keepTrees: boolean
}

/** Int32 values of a node: split, left child, right child. */
export const NODE_LINKS = 3
/** Float64 values of a node: value, gain. */
export const NODE_NUMBERS = 2
export const LEAF = -1

export interface BoostedTree {
  /** Per node: column << 9 | missing goes left << 8 | last code on the left (or -1 for a leaf), left, right. */
  readonly links: Int32Array
  /** Per node: what the model adds to the log-odds if the path ends here, and the gain of the node's split. */
  readonly numbers: Float64Array
}

export interface BoostingGrowth {
  /** Log-odds that every row starts from. */
  readonly baseMargin: number
  /** Rounds kept: all, or those up to the best one for the validation rows. */
  readonly rounds: number
  readonly trees: readonly BoostedTree[]
  /** Per test row: its log-odds. */
  readonly testMargins: Float64Array
  /** Per round: mean logistic loss of the validation rows. */
  readonly validationLosses: readonly number[]
}
