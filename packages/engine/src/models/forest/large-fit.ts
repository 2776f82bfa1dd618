/** Fits of more rows than a block holds. Their codes are laid out once in a memory that all threads share. */
import { deriveSeed } from '@tradewright/core/random'
import { cancelledProblem, type IsCancelled, neverCancelled } from '../cancellation.ts'
import { newMemory, PAGE_BYTES } from '../../kernels/instantiate.ts'
import { writeRows } from '../write-rows.ts'
import { GrowthSoFar } from './growth-so-far.ts'
import { type LargeForestKernel, newLargeForestKernel } from './kernel.ts'
import { type ForestGrowth, type ForestJob, NODE_SIZE, type PreparedRows } from './job.ts'
import { type SummedTrees, claimSums } from './tree-sums.ts'

const BLOCK_ROWS = 4096
const STACK_ENTRY = 40
/** A path cuts each column at most 254 times, so no tree is deeper than that times the columns. */
const MAX_PENDING = 65_536

const aligned = (address: number) => Math.ceil(address / 64) * 64

/** Rows are numbered by place: training rows first, then test rows. `id` must differ from that of every other fit. */
export function prepareRows(job: ForestJob, id: string, isCancelled = neverCancelled): PreparedRows {
  const places = job.trainRows.length + job.testRows.length
  const columnCount = job.columns.length
  const rowBytes = Math.ceil(columnCount / 8) * 8
  const rowsAt = 64
  const labelsAt = aligned(rowsAt + places * rowBytes)
  const memory = newMemory(labelsAt + job.trainRows.length)
  const bytes = new Uint8Array(memory.buffer)
  writeRows(job, job.trainRows, bytes, rowsAt, rowBytes, isCancelled)
  writeRows(job, job.testRows, bytes, rowsAt + job.trainRows.length * rowBytes, rowBytes, isCancelled)
  job.trainRows.forEach((row, i) => (bytes[labelsAt + i] = job.labels[row]!))
  return { id, memory, rowsAt, rowBytes, labelsAt }
}

interface ThreadPart {
  readonly id: string
  readonly kernel: LargeForestKernel
  readonly base: number
}

/** This thread's set-up for the fit it worked on last. */
let threadPart: ThreadPart | null = null

interface Lists {
  readonly draws: number
  readonly bagA: number
  readonly bagB: number
  readonly routedA: number
  readonly routedB: number
  readonly sums: number
  readonly stack: number
  readonly stackEnd: number
  readonly nodes: number
  readonly end: number
}

const routedCount = ({ outOfBag, trainRows, testRows }: ForestJob) => (outOfBag ? trainRows : testRows).length

function planLists(job: ForestJob, base: number, exports: LargeForestKernel['exports']): Lists {
  const trainCount = job.trainRows.length
  const routed = routedCount(job)
  const pending = Math.min(MAX_PENDING, 255 * job.columns.length)
  let at = base + exports.recordsOffset() + BLOCK_ROWS * exports.recordBytes(job.columns.length)
  const take = (bytes: number) => {
    const start = aligned(at)
    at = start + bytes
    return start
  }
  const list = (count: number) => take(4 * (count + 1))
  const stackBytes = STACK_ENTRY * pending
  const lists = {
    draws: take(trainCount),
    bagA: list(trainCount),
    bagB: list(trainCount),
    routedA: list(routed),
    routedB: list(routed),
    sums: take(8 * routed),
    stack: take(stackBytes),
    nodes: take(job.keepTrees ? 2 * trainCount * NODE_SIZE * 4 : 0),
  }
  return { ...lists, stackEnd: lists.stack + stackBytes, end: at }
}

/** Appends this thread's part to the shared memory; growing it hands every thread a region of its own. */
function partOf(job: ForestJob, prepared: PreparedRows): ThreadPart {
  if (threadPart?.id === prepared.id) return threadPart
  const kernel = newLargeForestKernel(prepared.memory)
  const size = planLists(job, 0, kernel.exports).end
  const base = prepared.memory.grow(Math.ceil(size / PAGE_BYTES)) * PAGE_BYTES
  threadPart = { id: prepared.id, kernel, base }
  return threadPart
}

export function growLargeForest(job: ForestJob, isCancelled: IsCancelled): ForestGrowth {
  if (job.prepared === undefined) throw new Error('a large forest needs its rows prepared')
  const { kernel, base } = partOf(job, job.prepared)
  const { exports } = kernel
  const lists = planLists(job, base, exports)
  kernel.host.isCancelled = isCancelled
  exports.clearStop()
  configure(kernel, job, base, lists, job.prepared)
  const sums = new Float64Array(kernel.memory.buffer, lists.sums, routedCount(job))
  const none = new Float64Array(0)
  const growth = new GrowthSoFar(job)
  for (const trees of claimSums(job)) {
    sums.fill(0)
    growTrees(kernel, job, trees, lists, growth)
    growth.addSums(trees.from, job.outOfBag ? none : sums, job.outOfBag ? sums : none)
  }
  return growth.end()
}

function growTrees(
  { exports, memory }: LargeForestKernel,
  job: ForestJob,
  { from, to }: SummedTrees,
  lists: Lists,
  growth: GrowthSoFar,
): void {
  const trainCount = job.trainRows.length
  for (let tree = from; tree < to; tree++) {
    const seed = deriveSeed(job.seed, tree)
    exports.growLargeTree(trainCount, job.testRows.length, seed, Number(job.bootstrap), Number(job.outOfBag))
    if (exports.wasStopped()) throw cancelledProblem()
    growth.addTree(
      new Int32Array(memory.buffer, lists.nodes, exports.grownNodes() * NODE_SIZE),
      new Uint8Array(memory.buffer, lists.draws, trainCount),
    )
  }
}

function configure(
  kernel: LargeForestKernel,
  job: ForestJob,
  base: number,
  lists: Lists,
  prepared: PreparedRows,
): void {
  const { exports } = kernel
  exports.configure(
    base,
    job.columns.length,
    job.candidates,
    job.minSamplesLeaf,
    Math.max(job.minSamplesSplit, 2 * job.minSamplesLeaf),
    job.matrix.codeCount,
    job.keepTrees ? lists.nodes : 0,
  )
  exports.setSharedCodes(prepared.rowsAt, prepared.rowBytes, prepared.labelsAt)
  exports.setThreadLists(
    lists.draws,
    lists.bagA,
    lists.bagB,
    lists.routedA,
    lists.routedB,
    lists.sums,
    job.outOfBag ? 0 : job.trainRows.length,
    lists.stack,
    lists.stackEnd,
  )
}
