/**
 * The reference implementation of the forest in plain TypeScript, which the WebAssembly kernel must equal to the last
 * bit. Written for reading, not for speed. A node's draws depend on its place in the tree alone, not on the nodes grown
 * before it.
 */
import { deriveSeed } from '@tradewright/core/random'
import { scaled, scramble, splitMix, drawnCut, purity } from './random-cuts.ts'
import { type ForestGrowth, type ForestJob, LEAF, NODE_RIGHT, NODE_SIZE, NODE_SPLIT } from './job.ts'

/** Draws of one row are counted in 7 bits. */
const MAX_DRAWS = 127

interface TreeNode {
  bag: number[]
  routed: number[]
  seed: number
  parentOfRight: number
}

interface Split {
  column: number
  cut: number
}

/** `givenDraws` stand for those of a bootstrap: how often each training row counts. */
export function growReferenceForest(job: ForestJob, givenDraws?: Uint8Array): ForestGrowth {
  const firstTrees: number[] = []
  const testSums: number[] = []
  const outOfBagSums: number[] = []
  const outOfBagCounts = new Float64Array(job.outOfBag ? job.trainRows.length : 0)
  const nodes: number[] = []
  const treeSizes: number[] = []
  for (let from = job.treeFrom; from < job.treeTo; from += job.treesPerSum) {
    const sums = new Float64Array(job.trainRows.length + job.testRows.length)
    for (let tree = from; tree < Math.min(from + job.treesPerSum, job.treeTo); tree++) {
      const treeSeed = deriveSeed(job.seed, tree)
      const draws = givenDraws ?? drawBag(job, treeSeed)
      const grown = growTree(job, draws, treeSeed, (position, fraction) => (sums[position]! += fraction))
      if (job.outOfBag) draws.forEach((count, i) => (outOfBagCounts[i]! += count === 0 ? 1 : 0))
      if (job.keepTrees) {
        nodes.push(...grown)
        treeSizes.push(grown.length / NODE_SIZE)
      }
    }
    firstTrees.push(from)
    testSums.push(...sums.subarray(job.trainRows.length))
    outOfBagSums.push(...sums.subarray(0, outOfBagCounts.length))
  }
  return {
    firstTrees: Int32Array.from(firstTrees),
    testSums: Float64Array.from(testSums),
    outOfBagSums: Float64Array.from(outOfBagSums),
    outOfBagCounts,
    nodes: Int32Array.from(nodes),
    treeSizes: Int32Array.from(treeSizes),
  }
}

function drawBag(job: ForestJob, treeSeed: number): Uint8Array {
  const count = job.trainRows.length
  const draws = new Uint8Array(count)
  if (!job.bootstrap) return draws.fill(1)
  const start = splitMix(treeSeed, 0)
  const stride = splitMix(treeSeed, 1) | 1
  for (let i = 0; i < count; i++) {
    const drawn = scaled(scramble(start + Math.imul(i, stride)), count)
    draws[drawn] = Math.min(MAX_DRAWS, draws[drawn]! + 1)
  }
  return draws
}

/** Bag and routed rows are positions: training rows first, then test rows. */
function growTree(
  job: ForestJob,
  draws: Uint8Array,
  treeSeed: number,
  addFraction: (position: number, fraction: number) => void,
): number[] {
  const trainCount = job.trainRows.length
  const rowOf = (position: number) =>
    position < trainCount ? job.trainRows[position]! : job.testRows[position - trainCount]!
  const codeAt = (column: number, position: number) =>
    job.matrix.codes[job.columns[column]! * job.matrix.rowCount + rowOf(position)]!
  const labelAt = (position: number) => job.labels[rowOf(position)]!

  const bag = [...draws.keys()].filter((position) => draws[position]! > 0)
  const outside = job.outOfBag ? [...draws.keys()].filter((position) => draws[position] === 0) : []
  const test = [...job.testRows.keys()].map((position) => position + trainCount)
  const nodes: number[] = []
  const pending: TreeNode[] = [{ bag, routed: [...outside, ...test], seed: deriveSeed(treeSeed, 0), parentOfRight: -1 }]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { weight, positives } = sumsOf(node.bag, draws, labelAt)
    const index = nodes.length / NODE_SIZE
    nodes.push(LEAF, 0, weight, positives)
    if (node.parentOfRight >= 0) nodes[node.parentOfRight * NODE_SIZE + NODE_RIGHT] = index
    const wanted = job.keepTrees || node.routed.length > 0
    const split = wanted ? bestSplit(job, node, weight, positives, draws, codeAt, labelAt) : null
    if (split === null) {
      for (const position of node.routed) addFraction(position, positives / weight)
      continue
    }
    nodes[index * NODE_SIZE + NODE_SPLIT] = (split.column << 8) | split.cut
    const goesLeft = (position: number) => codeAt(split.column, position) <= split.cut
    const child = (side: 0 | 1): TreeNode => ({
      bag: node.bag.filter((position) => goesLeft(position) === (side === 0)),
      routed: node.routed.filter((position) => goesLeft(position) === (side === 0)),
      seed: deriveSeed(node.seed, side),
      parentOfRight: side === 0 ? -1 : index,
    })
    pending.push(child(1), child(0))
  }
  return nodes
}

function sumsOf(bag: number[], draws: Uint8Array, labelAt: (position: number) => number) {
  let weight = 0
  let positives = 0
  for (const position of bag) {
    weight += draws[position]!
    positives += draws[position]! * labelAt(position)
  }
  return { weight, positives }
}

/**
 * scikit-learn's search: columns are drawn until `candidates` of them were seen and at least one of those varies within
 * the node. The purest cut wins, of equal ones the first drawn column and then the lowest cut, even if it gains nothing.
 */
function bestSplit(
  job: ForestJob,
  node: TreeNode,
  weight: number,
  positives: number,
  draws: Uint8Array,
  codeAt: (column: number, position: number) => number,
  labelAt: (position: number) => number,
): Split | null {
  const { bag } = node
  if (bag.length < Math.max(job.minSamplesSplit, 2 * job.minSamplesLeaf)) return null
  if (positives === 0 || positives === weight) return null
  const order = [...job.columns.keys()]
  let best: Split | null = null
  let bestScore = -1
  let anyVaries = false
  for (let draw = 0; draw < order.length && (draw < job.candidates || !anyVaries); draw++) {
    const other = draw + scaled(splitMix(node.seed, draw), order.length - draw)
    const column = order[other]!
    order[other] = order[draw]!
    order[draw] = column

    const bins = new Map<number, { rows: number; weight: number; positives: number }>()
    for (const position of bag) {
      const code = codeAt(column, position)
      const bin = bins.get(code) ?? { rows: 0, weight: 0, positives: 0 }
      bin.rows += 1
      bin.weight += draws[position]!
      bin.positives += draws[position]! * labelAt(position)
      bins.set(code, bin)
    }
    const codes = [...bins.keys()].sort((a, b) => a - b)
    anyVaries ||= codes.length > 1
    const drawn =
      job.cuts === 'random' && codes.length > 1
        ? drawnCut(node.seed, order.length + draw, codes[0]!, codes.at(-1)!)
        : undefined
    const left = { rows: 0, weight: 0, positives: 0 }
    for (let i = 0; i + 1 < codes.length; i++) {
      const bin = bins.get(codes[i]!)!
      left.rows += bin.rows
      left.weight += bin.weight
      left.positives += bin.positives
      // A random cut that was drawn lies between two codes of the node or on the lower one; the others are passed over.
      if (drawn !== undefined && !(codes[i]! <= drawn && drawn < codes[i + 1]!)) continue
      if (left.rows < job.minSamplesLeaf || bag.length - left.rows < job.minSamplesLeaf) continue
      const score = purity(left.weight, left.positives, weight, positives)
      if (score > bestScore) {
        bestScore = score
        best = { column, cut: drawn ?? (codes[i]! + codes[i + 1]!) >> 1 }
      }
    }
  }
  return best
}
