import type { CodeTable } from '../coded-matrix.ts'
import type { KernelMemory } from '../kernels/instantiate.ts'

/** A run of consecutive trees of one forest: plain data, so that any thread can grow it. */
export interface ForestJob {
  readonly matrix: CodeTable
  /** Per matrix row: 0 or 1 for every training row. */
  readonly labels: Int8Array
  /** Which matrix columns the forest may use; node columns count along this list. */
  readonly columns: Int32Array
  readonly trainRows: Int32Array
  /** Rows whose probability is wanted at once, while the trees grow. */
  readonly testRows: Int32Array
  readonly candidates: number
  readonly minSamplesLeaf: number
  readonly minSamplesSplit: number
  readonly bootstrap: boolean
  readonly seed: number
  readonly treeFrom: number
  readonly treeTo: number
  /** Without trees, branches that no test row reaches are not grown; the probabilities are the same. */
  readonly keepTrees: boolean
  /** Sum up what each tree says about the training rows outside its bag; then there are no test rows. */
  readonly outOfBag: boolean
  /** Of a large fit: its rows, laid out once for all threads. */
  readonly prepared?: PreparedRows
}

export interface PreparedRows {
  /** Tells a thread whether it has set up its part of this memory already. */
  readonly id: string
  readonly memory: KernelMemory
  readonly rowsAt: number
  readonly rowBytes: number
  readonly labelsAt: number
}

/** Int32 values of a stored node. */
export const NODE_SIZE = 4
export const NODE_SPLIT = 0
export const NODE_RIGHT = 1
export const NODE_WEIGHT = 2
export const NODE_POSITIVES = 3
export const LEAF = -1

export interface ForestGrowth {
  /** Per test row: the sum of leaf fractions over the trees, in the order of the trees. */
  readonly testSums: Float64Array
  /** Per training row: the same over the trees whose bag misses it, and how many those are. Empty where not asked for. */
  readonly outOfBagSums: Float64Array
  readonly outOfBagCounts: Float64Array
  /**
   * Trees one after another, nodes in the order node, left subtree, right subtree, each node four numbers:
   * column << 8 | cut (or -1 for a leaf), index of the right child within its tree, weight, weight of the positives.
   */
  readonly nodes: Int32Array
  /** Per tree: its number of nodes. */
  readonly treeSizes: Int32Array
}
