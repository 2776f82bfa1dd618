/** Fits whose rows fit one block of the kernel: the whole work of the optimizer and of daily walk-forward windows. */
import { deriveSeed } from '@tradewright/core/random'
import { cancelledProblem, type IsCancelled, neverCancelled } from '../cancellation.ts'
import {
  GrowthSoFar,
  type ForestGrowth,
  type ForestJob,
  NODE_SIZE,
  neverCalledBack,
  type SummedTrees,
  claimSums,
  type PreparedRows,
} from './job.ts'
import {
  ensureBytes,
  instantiateKernel,
  type KernelHost,
  type KernelMemory,
  newPrivateMemory,
  type PrivateMemory,
  newMemory,
  PAGE_BYTES,
} from '../../kernels/instantiate.ts'
import { forestWasm } from '../../kernels/forest.wasm.ts'
import { smallForestWasm } from '../../kernels/small-forest.wasm.ts'
import { writeRows } from '../coded-matrix.ts'

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

/** The WebAssembly forests: of small fits one instance per thread, its memory reused from fit to fit. */
/** Exports of both forest kernels. Addresses are byte offsets into the memory. */
interface ForestExports {
  configure(
    scratch: number,
    columns: number,
    candidates: number,
    minLeaf: number,
    minNode: number,
    bins: number,
    nodes: number,
  ): void
  /** The size of a block row with this many columns. */
  recordBytes(columns: number): number
  recordsOffset(): number
  grownNodes(): number
  clearStop(): void
  wasStopped(): number
}

/** packages/engine/kernels/forest/small.ts */
interface SmallForestExports extends ForestExports {
  labelsOffset(): number
  sumsOffset(): number
  drawsOffset(): number
  /** To be called after the records of the block are written. */
  findHighestCodes(trainRows: number): void
  growSmallTree(trainRows: number, testRows: number, seed: number, bootstrap: number, outOfBag: number): void
  growSmallTrees(trainRows: number, testRows: number, seed: number, treeFrom: number, treeTo: number): void
}

/** packages/engine/kernels/forest/large.ts */
interface LargeForestExports extends ForestExports {
  setSharedCodes(rows: number, bytesPerRow: number, labels: number): void
  setThreadLists(
    draws: number,
    bagA: number,
    bagB: number,
    routedA: number,
    routedB: number,
    sums: number,
    firstRouted: number,
    stack: number,
    stackEnd: number,
  ): void
  growLargeTree(trainRows: number, testRows: number, seed: number, bootstrap: number, outOfBag: number): void
}

interface SmallForestKernel {
  readonly memory: PrivateMemory
  readonly exports: SmallForestExports
  readonly host: KernelHost
}

interface LargeForestKernel {
  readonly memory: KernelMemory
  readonly exports: LargeForestExports
  readonly host: KernelHost
}

function newLargeForestKernel(memory: KernelMemory): LargeForestKernel {
  const host: KernelHost = { isCancelled: neverCancelled }
  return { memory, host, exports: instantiateKernel(forestWasm, memory, host) }
}

let threadKernel: SmallForestKernel | null = null

/** This thread's own kernel of small fits with at least `bytes` of memory. */
export function threadForestKernel(bytes: number): SmallForestKernel {
  threadKernel ??= newSmallForestKernel(bytes)
  ensureBytes(threadKernel.memory, bytes)
  return threadKernel
}

function newSmallForestKernel(bytes: number): SmallForestKernel {
  const host: KernelHost = { isCancelled: neverCancelled }
  const memory = newPrivateMemory(bytes)
  return { memory, host, exports: instantiateKernel(smallForestWasm, memory, host) }
}

/** Fits of more rows than a block holds. Their codes are laid out once in a memory that all threads share. */
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
  configureShared(kernel, job, base, lists, job.prepared)
  const sums = new Float64Array(kernel.memory.buffer, lists.sums, routedCount(job))
  const none = new Float64Array(0)
  const growth = new GrowthSoFar(job)
  for (const trees of claimSums(job)) {
    sums.fill(0)
    growTreesTogether(kernel, job, trees, lists, growth)
    growth.addSums(trees.from, job.outOfBag ? none : sums, job.outOfBag ? sums : none)
  }
  return growth.end()
}

function growTreesTogether(
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

function configureShared(
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
