import type { CodeTable } from '../coded-matrix.ts'
import type { KernelMemory } from '../../kernels/instantiate.ts'

/** Consecutive trees, [from, to), whose leaf fractions are added up together. */
export interface SummedTrees {
  readonly from: number
  readonly to: number
}

/** Trees times training rows that a thread grows in some ten milliseconds. */
export const TEN_MILLISECONDS = 131_072

/**
 * Trees per sum: fixed by the forest, never by the number of threads, because sums are added up in the order of the trees
 * and their number shows in the last bit. A forest that one thread grows at once has one. Elsewhere they are few enough
 * for threads that share a small forest to end within a millisecond or two of each other.
 */
export function treesPerSum(trainCount: number, trees: number): number {
  const atOnce = Math.max(4, Math.min(128, Math.floor(TEN_MILLISECONDS / trainCount)))
  return trees <= atOnce ? atOnce : Math.min(16, atOnce)
}

export function sumCount({ treeFrom, treeTo, treesPerSum }: ForestJob): number {
  return Math.ceil((treeTo - treeFrom) / treesPerSum)
}

/** The trees of the sum at this place among the sums of a job. */
export function sumAt({ treeFrom, treeTo, treesPerSum }: ForestJob, at: number): SummedTrees {
  const from = treeFrom + at * treesPerSum
  return { from, to: Math.min(from + treesPerSum, treeTo) }
}

/** Is nothing left of what this job shares with others? */
export function isTaken(job: ForestJob): boolean {
  return job.taken !== undefined && Atomics.load(job.taken, 0) >= sumCount(job)
}

export const neverCalledBack = () => false

/**
 * The sums for this thread to grow: all of the job, or of a slice each time the next that no thread has taken yet,
 * until it is called back because other work waits for the thread.
 */
export function* claimSums(job: ForestJob, isCalledBack = neverCalledBack): Generator<SummedTrees> {
  const count = sumCount(job)
  if (job.taken === undefined) {
    for (let at = 0; at < count; at++) yield sumAt(job, at)
    return
  }
  while (!isCalledBack()) {
    const at = Atomics.add(job.taken, 0, 1)
    if (at >= count) return
    yield sumAt(job, at)
  }
}

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

/** A thread's part of a job, sum after sum. */
export class GrowthSoFar {
  readonly #job: ForestJob
  #sums = 0
  /** These have room for every sum of the job. */
  readonly #firstTrees: Int32Array
  readonly #testSums: Float64Array
  readonly #outOfBagSums: Float64Array
  readonly #outOfBagCounts: Float64Array
  readonly #trees: Int32Array[] = []

  constructor(job: ForestJob) {
    const sums = sumCount(job)
    const outOfBagCount = job.outOfBag ? job.trainRows.length : 0
    this.#job = job
    this.#firstTrees = new Int32Array(sums)
    this.#testSums = new Float64Array(sums * job.testRows.length)
    this.#outOfBagSums = new Float64Array(sums * outOfBagCount)
    this.#outOfBagCounts = new Float64Array(outOfBagCount)
  }

  /** `draws`: how often each training row was drawn for the tree. */
  addTree(nodes: Int32Array, draws: Uint8Array): void {
    const counts = this.#outOfBagCounts
    for (let i = 0; i < counts.length; i++) if (draws[i] === 0) counts[i]! += 1
    if (this.#job.keepTrees) this.#trees.push(nodes.slice())
  }

  addSums(firstTree: number, testSums: Float64Array, outOfBagSums: Float64Array): void {
    const at = this.#sums++
    this.#firstTrees[at] = firstTree
    this.#testSums.set(testSums, at * testSums.length)
    this.#outOfBagSums.set(outOfBagSums, at * outOfBagSums.length)
  }

  end(): ForestGrowth {
    const isWhole = this.#sums === this.#firstTrees.length
    const used = (sums: Float64Array, rows: number) => (isWhole ? sums : sums.slice(0, this.#sums * rows))
    return {
      firstTrees: isWhole ? this.#firstTrees : this.#firstTrees.slice(0, this.#sums),
      testSums: used(this.#testSums, this.#job.testRows.length),
      outOfBagSums: used(this.#outOfBagSums, this.#outOfBagCounts.length),
      outOfBagCounts: this.#outOfBagCounts,
      nodes: joinArrays(this.#trees),
      treeSizes: Int32Array.from(this.#trees, (tree) => tree.length / NODE_SIZE),
    }
  }
}

export function joinArrays(parts: readonly Int32Array[]): Int32Array {
  const whole = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
