/** Fits whose rows fit one block of the kernel: the whole work of the optimizer and of daily walk-forward windows. */
import { deriveSeed } from '@tradewright/core/random'
import { cancelledProblem, type IsCancelled } from '../cancellation.ts'
import { type ForestKernel, threadForestKernel } from './kernel.ts'
import { type ForestGrowth, type ForestJob, NODE_SIZE } from './job.ts'

/** The block tier's limits, as in packages/engine/kernels/forest/scratch.ts. */
export const BLOCK_WEIGHT = 2047
export const BLOCK_ROUTED = 2048

export function isSmallJob(job: ForestJob): boolean {
  return job.trainRows.length <= BLOCK_WEIGHT && job.testRows.length <= BLOCK_ROUTED
}

interface Addresses {
  readonly codes: number
  readonly nodes: number
  readonly end: number
}

const SCRATCH = 64

/** Memory: unused first bytes, the kernel's scratch, the block's codes, the nodes of one tree. */
function planMemory(job: ForestJob, blockCodesOffset: number, stride: number): Addresses {
  const codes = SCRATCH + blockCodesOffset
  const nodes = codes + stride * job.columns.length + 64
  const mostNodes = job.keepTrees ? 2 * job.trainRows.length : 0
  return { codes, nodes: (nodes + 15) & ~15, end: nodes + 16 + mostNodes * NODE_SIZE * 4 }
}

/** `draws`: without bootstrap, how often each training row counts (at most 127 times); else once. */
export function growSmallForest(job: ForestJob, isCancelled: IsCancelled, draws?: Uint8Array): ForestGrowth {
  const trainCount = job.trainRows.length
  const testCount = job.testRows.length
  const stride = (trainCount + testCount + 15) & ~15
  const { exports } = threadForestKernel(0)
  const at = planMemory(job, exports.blockCodesOffset(), stride)
  const kernel = threadForestKernel(at.end)
  kernel.host.isCancelled = isCancelled
  exports.clearStop()
  exports.configure(
    SCRATCH,
    job.columns.length,
    job.candidates,
    job.minSamplesLeaf,
    Math.max(job.minSamplesSplit, 2 * job.minSamplesLeaf),
    job.matrix.codeCount,
    job.keepTrees ? at.nodes : 0,
  )
  exports.setBlockStride(stride)
  fillBlock(kernel, job, at.codes, stride)
  const sums = new Float64Array(kernel.memory.buffer, SCRATCH + exports.sumsOffset(), trainCount + testCount)
  sums.fill(0)
  const drawsAt = new Uint8Array(kernel.memory.buffer, SCRATCH + exports.drawsOffset(), trainCount)
  if (draws === undefined) drawsAt.fill(1)
  else drawsAt.set(draws)
  const grown = growTrees(kernel, job, at.nodes)
  if (exports.wasStopped()) throw cancelledProblem()
  return { ...grown, testSums: sums.slice(trainCount), outOfBagSums: sums.slice(0, trainCount) }
}

/** Copies the fit's rows and columns next to each other: training rows first, then test rows. */
function fillBlock(kernel: ForestKernel, job: ForestJob, codesAt: number, stride: number): void {
  const bytes = new Uint8Array(kernel.memory.buffer)
  const { codes, rowCount } = job.matrix
  const trainCount = job.trainRows.length
  job.columns.forEach((column, index) => {
    const from = column * rowCount
    let to = codesAt + index * stride
    for (const row of job.trainRows) bytes[to++] = codes[from + row]!
    for (const row of job.testRows) bytes[to++] = codes[from + row]!
  })
  const labelsAt = SCRATCH + kernel.exports.labelsOffset()
  for (let i = 0; i < trainCount; i++) bytes[labelsAt + i] = job.labels[job.trainRows[i]!]!
}

function growTrees(kernel: ForestKernel, job: ForestJob, nodesAt: number) {
  const { exports, memory } = kernel
  const trainCount = job.trainRows.length
  const testCount = job.testRows.length
  const outOfBagCounts = new Float64Array(trainCount)
  if (!job.keepTrees && !job.outOfBag && job.bootstrap) {
    exports.growSmallTrees(trainCount, testCount, job.seed, job.treeFrom, job.treeTo)
    return { outOfBagCounts, nodes: new Int32Array(0), treeSizes: new Int32Array(0) }
  }
  const trees: Int32Array[] = []
  const draws = new Uint8Array(memory.buffer, SCRATCH + exports.drawsOffset(), trainCount)
  for (let tree = job.treeFrom; tree < job.treeTo; tree++) {
    const seed = deriveSeed(job.seed, tree)
    exports.growSmallTree(trainCount, testCount, seed, Number(job.bootstrap), Number(job.outOfBag))
    if (exports.wasStopped()) break
    if (job.outOfBag) for (let i = 0; i < trainCount; i++) if (draws[i] === 0) outOfBagCounts[i]! += 1
    if (job.keepTrees) trees.push(new Int32Array(memory.buffer, nodesAt, exports.grownNodes() * NODE_SIZE).slice())
  }
  return { outOfBagCounts, ...joinTrees(trees) }
}

export function joinTrees(trees: readonly Int32Array[]) {
  const nodes = new Int32Array(trees.reduce((sum, tree) => sum + tree.length, 0))
  let at = 0
  for (const tree of trees) {
    nodes.set(tree, at)
    at += tree.length
  }
  return { nodes, treeSizes: Int32Array.from(trees, (tree) => tree.length / NODE_SIZE) }
}
