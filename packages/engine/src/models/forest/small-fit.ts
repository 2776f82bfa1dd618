/** Fits whose rows fit one block of the kernel: the whole work of the optimizer and of daily walk-forward windows. */
import { deriveSeed } from '@tradewright/core/random'
import { cancelledProblem, type IsCancelled } from '../cancellation.ts'
import { type SmallForestKernel, threadForestKernel } from './kernel.ts'
import { type ForestGrowth, type ForestJob, NODE_SIZE } from './job.ts'

/** The block tier's limits, as in packages/engine/kernels/forest/scratch.ts. */
export const BLOCK_WEIGHT = 2047
export const BLOCK_ROUTED = 2048

export function isSmallJob(job: ForestJob): boolean {
  return job.trainRows.length <= BLOCK_WEIGHT && job.testRows.length <= BLOCK_ROUTED
}

interface Addresses {
  readonly records: number
  readonly nodes: number
  readonly end: number
}

const SCRATCH = 64
/** The kernel writes sixteen records at a time. */
const EXTRA_RECORDS = 16

/** Memory: unused first bytes, the kernel's scratch, the records of the block's rows, the nodes of one tree. */
function planMemory(job: ForestJob, recordsOffset: number, recordBytes: number): Addresses {
  const records = SCRATCH + recordsOffset
  const nodes = records + recordBytes * (job.trainRows.length + job.testRows.length + EXTRA_RECORDS)
  const mostNodes = job.keepTrees ? 2 * job.trainRows.length : 0
  return { records, nodes, end: nodes + mostNodes * NODE_SIZE * 4 }
}

/** `draws`: without bootstrap, how often each training row counts (at most 127 times); else once. */
export function growSmallForest(job: ForestJob, isCancelled: IsCancelled, draws?: Uint8Array): ForestGrowth {
  const trainCount = job.trainRows.length
  const testCount = job.testRows.length
  const { exports } = threadForestKernel(0)
  const recordBytes = exports.recordBytes(job.columns.length)
  const at = planMemory(job, exports.recordsOffset(), recordBytes)
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
  fillBlock(kernel, job, at.records, recordBytes)
  exports.findHighestCodes(trainCount)
  const sums = new Float64Array(kernel.memory.buffer, SCRATCH + exports.sumsOffset(), trainCount + testCount)
  sums.fill(0)
  const drawsAt = new Uint8Array(kernel.memory.buffer, SCRATCH + exports.drawsOffset(), trainCount)
  if (draws === undefined) drawsAt.fill(1)
  else drawsAt.set(draws)
  const grown = growTrees(kernel, job, at.nodes)
  if (exports.wasStopped()) throw cancelledProblem()
  const outOfBagSums = job.outOfBag ? sums.slice(0, trainCount) : new Float64Array(0)
  return { ...grown, testSums: sums.slice(trainCount), outOfBagSums }
}

/** Copies the fit's rows, training rows first, then test rows. */
function fillBlock(kernel: SmallForestKernel, job: ForestJob, recordsAt: number, recordBytes: number): void {
  const bytes = new Uint8Array(kernel.memory.buffer)
  const { codes, rowCount } = job.matrix
  const { trainRows, testRows } = job
  job.columns.forEach((column, index) => {
    const from = column * rowCount
    let to = recordsAt + index
    for (let i = 0; i < trainRows.length; i++, to += recordBytes) bytes[to] = codes[from + trainRows[i]!]!
    for (let i = 0; i < testRows.length; i++, to += recordBytes) bytes[to] = codes[from + testRows[i]!]!
  })
  const labelsAt = SCRATCH + kernel.exports.labelsOffset()
  for (let i = 0; i < trainRows.length; i++) bytes[labelsAt + i] = job.labels[trainRows[i]!]!
}

function growTrees(kernel: SmallForestKernel, job: ForestJob, nodesAt: number) {
  const { exports, memory } = kernel
  const trainCount = job.trainRows.length
  const testCount = job.testRows.length
  const outOfBagCounts = new Float64Array(job.outOfBag ? trainCount : 0)
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
