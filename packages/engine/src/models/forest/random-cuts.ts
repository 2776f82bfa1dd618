/**
 * Trees whose cuts are drawn (Geurts, Ernst and Wehenkel, "Extremely randomized trees", 2006): each candidate column gets
 * one cut, drawn between its lowest and highest code in the node, and the purest of these cuts divides the node. Every
 * tree sees every training row. Columns are drawn as the forest draws them. Cuts are drawn among codes, which are ranks:
 * how far an outlier lies from the other values does not matter, where scikit-learn draws among values.
 */
import { deriveSeed } from '@tradewright/core/random'
import { cancelledProblem, type IsCancelled } from '../cancellation.ts'
import {
  GrowthSoFar,
  type ForestGrowth,
  type ForestJob,
  LEAF,
  NODE_RIGHT,
  NODE_SIZE,
  NODE_SPLIT,
  neverCalledBack,
  claimSums,
} from './job.ts'

/** Up to this weight both tiers of the kernel score in single precision, above it in double. */
const SINGLE_PRECISION_WEIGHT = 2047

/** Orders splits as the decrease of Gini impurity does; see `purity` in the kernel. */
export function purity(left: number, leftPositives: number, weight: number, positives: number): number {
  const difference = leftPositives * weight - left * positives
  const sides = left * (weight - left)
  return weight <= SINGLE_PRECISION_WEIGHT
    ? Math.fround(Math.fround(difference * difference) / sides)
    : (difference * difference) / sides
}

/** Random draws of a forest, by their number: a draw does not depend on those before it. */

/** The `index`-th number of a seed's SplitMix32 sequence, as core's `Random` fills its state with it. */
export function splitMix(seed: number, index: number): number {
  return scramble(seed + Math.imul(index + 1, 0x9e3779b9))
}

/** MurmurHash3's finaliser. */
export function scramble(value: number): number {
  let z = value >>> 0
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
  return (z ^ (z >>> 16)) >>> 0
}

/** The high bits of draw x bound, which is in [0, bound); both factors are small enough for the product to be exact. */
export function scaled(draw: number, bound: number): number {
  return Math.floor((draw * bound) / 2 ** 32)
}

const NONE = new Float64Array(0)
const NO_DRAWS = new Uint8Array(0)
/** Rows read between two polls of the cancellation: some ten milliseconds. */
const ROWS_PER_POLL = 4_000_000

/** Training rows [from, to) and test rows [routedFrom, routedTo) of the tree's lists. */
interface TreeNode {
  readonly from: number
  readonly to: number
  readonly positives: number
  readonly routedFrom: number
  readonly routedTo: number
  readonly seed: number
  readonly parentOfRight: number
}

interface Split {
  readonly column: number
  readonly cut: number
  readonly leftPositives: number
}

export function growRandomCuts(job: ForestJob, isCancelled: IsCancelled, isCalledBack = neverCalledBack): ForestGrowth {
  const grower = new TreeGrower(job, isCancelled)
  const growth = new GrowthSoFar(job)
  for (const { from, to } of claimSums(job, isCalledBack)) {
    const sums = new Float64Array(job.testRows.length)
    for (let tree = from; tree < to; tree++) growth.addTree(grower.grow(deriveSeed(job.seed, tree), sums), NO_DRAWS)
    growth.addSums(from, sums, NONE)
  }
  return growth.end()
}

class TreeGrower {
  readonly #job: ForestJob
  readonly #isCancelled: IsCancelled
  readonly #minRows: number
  /** Column after column: the codes of training rows, then of test rows. */
  readonly #codes: Uint8Array
  readonly #rowCount: number
  readonly #labels: Uint8Array
  /** Numbers of rows, those of a node side by side. */
  readonly #train: Int32Array
  readonly #test: Int32Array
  readonly #columns: Int32Array
  /** Rows above a cut, until they are put behind the others. */
  readonly #others: Int32Array
  #rowsRead = 0

  constructor(job: ForestJob, isCancelled: IsCancelled) {
    const { matrix, columns, trainRows, testRows } = job
    this.#job = job
    this.#isCancelled = isCancelled
    this.#minRows = Math.max(job.minSamplesSplit, 2 * job.minSamplesLeaf)
    this.#rowCount = trainRows.length + testRows.length
    this.#codes = new Uint8Array(columns.length * this.#rowCount)
    columns.forEach((column, index) => {
      const codes = matrix.codes.subarray(column * matrix.rowCount, (column + 1) * matrix.rowCount)
      const at = index * this.#rowCount
      for (let i = 0; i < trainRows.length; i++) this.#codes[at + i] = codes[trainRows[i]!]!
      for (let i = 0; i < testRows.length; i++) this.#codes[at + trainRows.length + i] = codes[testRows[i]!]!
    })
    this.#labels = Uint8Array.from(trainRows, (row) => job.labels[row]!)
    this.#train = Int32Array.from(trainRows.keys())
    this.#test = Int32Array.from(testRows.keys(), (row) => trainRows.length + row)
    this.#columns = Int32Array.from(columns.keys())
    this.#others = new Int32Array(Math.max(trainRows.length, testRows.length))
  }

  /** Adds the fraction of positives in each test row's leaf to `sums`; the nodes are those of `ForestGrowth`. */
  grow(treeSeed: number, sums: Float64Array): Int32Array {
    const nodes: number[] = []
    const trainCount = this.#train.length
    const pending: TreeNode[] = [this.#root(treeSeed)]
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const { from, to, positives, routedFrom, routedTo } = node
      const index = nodes.length / NODE_SIZE
      nodes.push(LEAF, 0, to - from, positives)
      if (node.parentOfRight >= 0) nodes[node.parentOfRight * NODE_SIZE + NODE_RIGHT] = index
      // Without trees to keep, only branches that a test row reaches count.
      const split = this.#job.keepTrees || routedTo > routedFrom ? this.#bestDrawnSplit(node) : undefined
      if (!split) {
        for (let i = routedFrom; i < routedTo; i++) sums[this.#test[i]! - trainCount]! += positives / (to - from)
        continue
      }
      nodes[index * NODE_SIZE + NODE_SPLIT] = (split.column << 8) | split.cut
      pending.push(...this.#children(node, split, index))
    }
    return Int32Array.from(nodes)
  }

  #root(treeSeed: number): TreeNode {
    let positives = 0
    for (const label of this.#labels) positives += label
    return {
      from: 0,
      to: this.#train.length,
      positives,
      routedFrom: 0,
      routedTo: this.#test.length,
      seed: deriveSeed(treeSeed, 0),
      parentOfRight: -1,
    }
  }

  /** The right one first, because the last one is taken up next. */
  #children(node: TreeNode, { column, cut, leftPositives }: Split, index: number): [TreeNode, TreeNode] {
    const middle = this.#divide(this.#train, node.from, node.to, column, cut)
    const routedMiddle = this.#divide(this.#test, node.routedFrom, node.routedTo, column, cut)
    const right = {
      ...node,
      from: middle,
      positives: node.positives - leftPositives,
      routedFrom: routedMiddle,
      seed: deriveSeed(node.seed, 1),
      parentOfRight: index,
    }
    const left = {
      ...node,
      to: middle,
      positives: leftPositives,
      routedTo: routedMiddle,
      seed: deriveSeed(node.seed, 0),
      parentOfRight: -1,
    }
    return [right, left]
  }

  /** Rows up to the cut come first; answers where the others begin. No branch, which a random cut would mispredict. */
  #divide(rows: Int32Array, from: number, to: number, column: number, cut: number): number {
    const codes = this.#codes
    const others = this.#others
    const at = column * this.#rowCount
    let end = from
    let otherCount = 0
    for (let i = from; i < to; i++) {
      const row = rows[i]!
      const isLeft = upTo(cut, codes[at + row]!)
      rows[end] = row
      others[otherCount] = row
      end += isLeft
      otherCount += 1 - isLeft
    }
    for (let i = 0; i < otherCount; i++) rows[end + i] = others[i]!
    return end
  }

  #bestDrawnSplit({ from, to, positives, seed }: TreeNode): Split | undefined {
    const { candidates, minSamplesLeaf } = this.#job
    const columns = this.#columns
    const weight = to - from
    if (weight < this.#minRows || positives === 0 || positives === weight) return undefined
    for (let i = 0; i < columns.length; i++) columns[i] = i
    let best: Split | undefined
    let bestScore = -1
    let anyVaries = false
    for (let draw = 0; draw < columns.length && (draw < candidates || !anyVaries); draw++) {
      const other = draw + scaled(splitMix(seed, draw), columns.length - draw)
      const column = columns[other]!
      columns[other] = columns[draw]!
      columns[draw] = column
      const [lowest, highest] = this.#codeRange(column, from, to)
      if (lowest === highest) continue
      anyVaries = true
      const cut = drawnCut(seed, columns.length + draw, lowest, highest)
      const [left, leftPositives] = this.#countLeft(column, cut, from, to)
      if (left < minSamplesLeaf || weight - left < minSamplesLeaf) continue
      const score = purity(left, leftPositives, weight, positives)
      if (score > bestScore) {
        bestScore = score
        best = { column, cut, leftPositives }
      }
    }
    return best
  }

  #codeRange(column: number, from: number, to: number): [lowest: number, highest: number] {
    this.#poll(to - from)
    const codes = this.#codes
    const rows = this.#train
    const at = column * this.#rowCount
    let lowest = 255
    let highest = 0
    for (let i = from; i < to; i++) {
      const code = codes[at + rows[i]!]!
      if (code < lowest) lowest = code
      if (code > highest) highest = code
    }
    return [lowest, highest]
  }

  #countLeft(column: number, cut: number, from: number, to: number): [rows: number, positives: number] {
    const codes = this.#codes
    const labels = this.#labels
    const rows = this.#train
    const at = column * this.#rowCount
    let left = 0
    let leftPositives = 0
    for (let i = from; i < to; i++) {
      const row = rows[i]!
      const isLeft = upTo(cut, codes[at + row]!)
      left += isLeft
      leftPositives += isLeft & labels[row]!
    }
    return [left, leftPositives]
  }

  #poll(rows: number): void {
    this.#rowsRead += rows
    if (this.#rowsRead < ROWS_PER_POLL) return
    this.#rowsRead = 0
    if (this.#isCancelled()) throw cancelledProblem()
  }
}

/** 1 where the code is not above the cut, else 0: the sign of a difference of small numbers. */
const upTo = (cut: number, code: number): number => (code - cut - 1) >>> 31

/** From `lowest` to one below `highest`, each as likely: rows up to the cut go left. */
export function drawnCut(seed: number, index: number, lowest: number, highest: number): number {
  return lowest + scaled(splitMix(seed, index), highest - lowest)
}
