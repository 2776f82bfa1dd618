/**
 * Fits of so many rows that a gradient fits 16 bits. Beside what a small fit needs they have their codes column after
 * column, see large-layout.ts of the kernel; the buffers of a small fit are there for blocks, in which subtrees of few rows
 * are grown.
 */
import { cancelledProblem, type IsCancelled, throwIfCancelled } from '../cancellation.ts'
import { isRange } from '../row-range.ts'
import {
  type Booster,
  CHUNK_ROWS,
  COLUMN_HISTOGRAM_BYTES,
  histogramsBytes,
  MemoryPlan,
  nodesBytes,
  readTree,
  RoundLists,
  setFit,
  type Share,
  SORT_SCRATCH_BYTES,
} from './booster.ts'
import type { BoostingJob } from './job.ts'
import { type BoostingKernel, threadBoostingKernel } from './kernel.ts'
import { gradientScale } from './rounds.ts'

/** Rows of a block that teach, and as many that only follow. */
const BLOCK_ROWS = 2048

/** A gradient, between -1 and 1 times the scale, then fits 16 bits. */
export function isLarge(job: BoostingJob): boolean {
  return gradientScale(job.trainRows.length, job.settings.lambda) < 2 ** 15
}

function planLarge(job: BoostingJob, share: Share, otherThreads: number) {
  const columns = job.columns.length
  const trainCount = share.to - share.from
  const places = trainCount + share.routed.length
  const gradientAt = Math.ceil(columns / 4) * 4
  const recordBytes = Math.ceil((gradientAt + 4) / 8) * 8
  const blockRowBytes = Math.ceil(columns / 8) * 8
  const plan = new MemoryPlan()
  const buffers = {
    places,
    gradientAt,
    recordBytes,
    blockRowBytes,
    columnCodes: plan.take(places * columns),
    records: plan.take((trainCount + 1) * recordBytes),
    labels: plan.take(trainCount + 3),
    margins: plan.take(8 * (places + 3)),
    listA: plan.take(4 * (places + 3)),
    listB: plan.take(4 * (places + 3)),
    roundColumns: plan.take(2 * columns),
    histograms: plan.take(histogramsBytes(job)),
    otherHistograms: plan.take(otherThreads * columns * COLUMN_HISTOGRAM_BYTES),
    chunkValues: plan.take(8 * CHUNK_ROWS),
    sortScratch: plan.take(SORT_SCRATCH_BYTES),
    nodes: plan.take(nodesBytes(job)),
    blockRows: plan.take(2 * BLOCK_ROWS * blockRowBytes),
    blockMargins: plan.take(8 * 2 * BLOCK_ROWS),
    blockGradients: plan.take(8 * BLOCK_ROWS),
    blockA: plan.take(4 * 2 * BLOCK_ROWS),
    blockB: plan.take(4 * 2 * BLOCK_ROWS),
  }
  return { ...buffers, end: plan.end }
}

type LargePlan = ReturnType<typeof planLarge>

export function largeBytes(job: BoostingJob, share: Share, otherThreads: number): number {
  return planLarge(job, share, otherThreads).end
}

export function largeBooster(
  job: BoostingJob,
  share: Share,
  otherThreads: number,
  startMargin: number,
  isCancelled: IsCancelled,
): Booster {
  const plan = planLarge(job, share, otherThreads)
  const kernel = threadBoostingKernel(plan.end)
  const { exports, memory, host } = kernel
  const trainCount = share.to - share.from
  host.isCancelled = isCancelled
  exports.clearStop()
  setBuffers(kernel, plan, otherThreads)
  setFit(kernel, job, trainCount)
  fillCodes(kernel, plan, job, share, isCancelled)
  const margins = new Float64Array(memory.buffer, plan.margins, plan.places).fill(startMargin)
  const lists = new RoundLists(kernel, job, share, plan.listA, plan.roundColumns)
  return {
    routedMargins: margins.subarray(trainCount),
    growRound(round) {
      const { learned, routed } = lists.fill(round)
      exports.growLargeRound(learned, routed)
    },
    tree: () => readTree(kernel, plan.nodes),
  }
}

function setBuffers({ exports }: BoostingKernel, plan: LargePlan, otherThreads: number): void {
  exports.setLargeBuffers(
    plan.columnCodes,
    plan.places,
    plan.records,
    plan.recordBytes,
    plan.gradientAt,
    plan.labels,
    plan.margins,
    plan.listA,
    plan.listB,
    plan.otherHistograms,
    otherThreads,
  )
  exports.setBuffers(
    plan.blockRows,
    plan.blockRowBytes,
    0,
    plan.blockMargins,
    plan.blockGradients,
    plan.blockA,
    plan.blockB,
    plan.roundColumns,
    plan.histograms,
    plan.chunkValues,
    plan.sortScratch,
    plan.nodes,
  )
}

function fillCodes(
  { memory, exports }: BoostingKernel,
  plan: LargePlan,
  job: BoostingJob,
  share: Share,
  isCancelled: IsCancelled,
): void {
  const { codes, rowCount } = job.matrix
  const bytes = new Uint8Array(memory.buffer)
  const trainRows = job.trainRows.subarray(share.from, share.to)
  const copyTrain = copierOf(trainRows)
  const copyRouted = copierOf(share.routed)
  for (let index = 0; index < job.columns.length; index++) {
    throwIfCancelled(isCancelled)
    const column = codes.subarray(job.columns[index]! * rowCount, (job.columns[index]! + 1) * rowCount)
    const to = plan.columnCodes + index * plan.places
    copyTrain(column, bytes, to)
    copyRouted(column, bytes, to + trainRows.length)
  }
  copyTrain(new Uint8Array(job.labels.buffer, job.labels.byteOffset, job.labels.length), bytes, plan.labels)
  exports.setBlockColumns(job.columns.length)
  exports.fillRecords(job.columns.length)
  if (exports.wasStopped()) throw cancelledProblem()
}

type Copy = (column: Uint8Array, to: Uint8Array, at: number) => void

/** Copies the given rows of any column. */
function copierOf(rows: Int32Array): Copy {
  const first = rows[0]
  const count = rows.length
  if (isRange(rows)) return (column, to, at) => to.set(column.subarray(first, first! + count), at)
  return (column, to, at) => {
    for (let i = 0; i < count; i++) to[at + i] = column[rows[i]!]!
  }
}
