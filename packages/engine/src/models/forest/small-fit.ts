/** Fits whose rows fit one block of the kernel: the whole work of the optimizer and of daily walk-forward windows. */
import { deriveSeed } from '@tradewright/core/random'
import { cancelledProblem, type IsCancelled } from '../cancellation.ts'
import { GrowthSoFar } from './growth-so-far.ts'
import { type SmallForestKernel, threadForestKernel } from './kernel.ts'
import { type ForestGrowth, type ForestJob, NODE_SIZE } from './job.ts'
import { neverCalledBack, type SummedTrees, claimSums } from './tree-sums.ts'

/** The block tier's limits, as in packages/engine/kernels/forest/scratch.ts. */
const BLOCK_WEIGHT = 2047
const BLOCK_ROUTED = 2048

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
export function growSmallForest(
  job: ForestJob,
  isCancelled: IsCancelled,
  isCalledBack = neverCalledBack,
  draws?: Uint8Array,
): ForestGrowth {
  const { exports } = threadForestKernel(0)
  const recordBytes = exports.recordBytes(job.columns.length)
  const at = planMemory(job, exports.recordsOffset(), recordBytes)
  const kernel = threadForestKernel(at.end)
  kernel.host.isCancelled = isCancelled
  exports.clearStop()
  configure(kernel, job, at)
  fillBlock(kernel, job, at.records, recordBytes)
  exports.findHighestCodes(job.trainRows.length)
  const views = viewsOf(kernel, job)
  if (draws === undefined) views.draws.fill(1)
  else views.draws.set(draws)
  const growth = new GrowthSoFar(job)
  const addTree = (nodes: number) =>
    growth.addTree(new Int32Array(kernel.memory.buffer, at.nodes, nodes * NODE_SIZE), views.draws)
  for (const trees of claimSums(job, isCalledBack)) {
    views.testSums.fill(0)
    views.outOfBagSums.fill(0)
    growTrees(kernel, job, trees, addTree)
    if (exports.wasStopped()) throw cancelledProblem()
    growth.addSums(trees.from, views.testSums, views.outOfBagSums)
  }
  return growth.end()
}

function configure({ exports }: SmallForestKernel, job: ForestJob, at: Addresses): void {
  exports.configure(
    SCRATCH,
    job.columns.length,
    job.candidates,
    job.minSamplesLeaf,
    Math.max(job.minSamplesSplit, 2 * job.minSamplesLeaf),
    job.matrix.codeCount,
    job.keepTrees ? at.nodes : 0,
  )
}

/** Where the kernel reads draws, and where it adds up leaf fractions: of training rows first, then of test rows. */
function viewsOf({ exports, memory }: SmallForestKernel, job: ForestJob) {
  const trainCount = job.trainRows.length
  const sums = new Float64Array(memory.buffer, SCRATCH + exports.sumsOffset(), trainCount + job.testRows.length)
  return {
    testSums: sums.subarray(trainCount),
    outOfBagSums: sums.subarray(0, job.outOfBag ? trainCount : 0),
    draws: new Uint8Array(memory.buffer, SCRATCH + exports.drawsOffset(), trainCount),
  }
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

/** `grown` receives the number of nodes of each tree, unless single trees are not requested. */
function growTrees(
  { exports }: SmallForestKernel,
  job: ForestJob,
  { from, to }: SummedTrees,
  grown: (nodes: number) => void,
): void {
  const trainCount = job.trainRows.length
  const testCount = job.testRows.length
  if (!job.keepTrees && !job.outOfBag && job.bootstrap) {
    exports.growSmallTrees(trainCount, testCount, job.seed, from, to)
    return
  }
  for (let tree = from; tree < to; tree++) {
    const seed = deriveSeed(job.seed, tree)
    exports.growSmallTree(trainCount, testCount, seed, Number(job.bootstrap), Number(job.outOfBag))
    if (exports.wasStopped()) return
    grown(exports.grownNodes())
  }
}
