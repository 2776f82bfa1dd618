import type { CodeTable } from '../coded-matrix.ts'
import type { KernelMemory } from '../../kernels/instantiate.ts'

/** A forest, consecutive trees of it, or a slice of it: plain data, so that any thread can grow it. */
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
  /** `random`: one cut is drawn for each candidate column, without bootstrap. Absent: every cut is tried. */
  readonly cuts?: 'random'
  readonly seed: number
  readonly treeFrom: number
  readonly treeTo: number
  /** Trees, from the first on, that are added up before their sum joins the total. */
  readonly treesPerSum: number
  /** How many of the forest's sums the threads of a slice have taken up. Absent where one thread grows all. */
  readonly taken?: Int32Array<SharedArrayBuffer>
  /** Without trees, branches that no test row reaches are not grown; the probabilities are the same. */
  readonly keepTrees: boolean
  /** Sum up what each tree says about the training rows outside its bag; then there are no test rows. */
  readonly outOfBag: boolean
  /** The rows of a large fit, laid out once for all threads. */
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
  /** The first tree of each sum that was grown, in rising order. */
  readonly firstTrees: Int32Array
  /** Sum after sum, per test row: the leaf fractions of the sum's trees, added up in the order of the trees. */
  readonly testSums: Float64Array
  /** Per training row: the same over the trees whose bag misses it. Empty where not asked for. */
  readonly outOfBagSums: Float64Array
  /** How many trees those are. Of all sums together: whole numbers are exact in any order. */
  readonly outOfBagCounts: Float64Array
  /**
   * Trees one after another, nodes in the order node, left subtree, right subtree, each node four numbers:
   * column << 8 | cut (or -1 for a leaf), index of the right child within its tree, weight, weight of the positives.
   */
  readonly nodes: Int32Array
  /** Per tree: its number of nodes. */
  readonly treeSizes: Int32Array
}
