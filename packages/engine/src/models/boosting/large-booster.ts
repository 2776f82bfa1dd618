/**
 * Fits of so many rows that a gradient fits 16 bits, see large-layout.ts of the kernel. The buffers of a small fit are there
 * for blocks, in which subtrees of few rows are grown.
 */
import { cancelledProblem, type IsCancelled, throwIfCancelled } from '../cancellation.ts'
import { writeRows } from '../coded-matrix.ts'
import { isRange } from '../splits.ts'
import {
  type Booster,
  CHUNK_ROWS,
  COLUMN_HISTOGRAM_BYTES,
  histogramsBytes,
  labelBytes,
  MemoryPlan,
  nodesBytes,
  readTree,
  RoundLists,
  SCRATCH_BYTES,
  setFit,
  type RowSlice,
  writeLabels,
  type BoostingKernel,
  threadBoostingKernel,
  gradientScale,
  rowSliceOf,
  threadGroupBytes,
  type BoostingJob,
} from './booster.ts'
import type { BoostingSettings } from '../settings.ts'

/** Training rows of a block, and as many rows that are only predicted. */
const BLOCK_ROWS = 2048

export interface FitSize {
  readonly trainRows: { readonly length: number }
  readonly settings: Pick<BoostingSettings, 'lambda'>
}

/** A gradient, between -1 and 1 times the scale, then fits 16 bits. */
export function isLarge({ trainRows, settings }: FitSize): boolean {
  return gradientScale(trainRows.length, settings.lambda) < 2 ** 15
}

/** The memory limit of a fit, its coded matrix included, as a multiple of that matrix. */
const MAX_MATRICES = 4

/**
 * Whether so many threads have memory for the codes twice and for two lists of rows, which is faster, or only for
 * records and one list.
 */
export function fitsWideLayout(job: BoostingJob, threads: number): boolean {
  const codes = (job.trainRows.length + job.validationRows.length + job.testRows.length) * job.columns.length
  return codes + bytesOf(job, threads, true) <= MAX_MATRICES * codes
}

/** Bytes of so many threads together, beside the matrix. */
export function largeBytes(job: BoostingJob, threads: number): number {
  return bytesOf(job, threads, fitsWideLayout(job, threads))
}

function bytesOf(job: BoostingJob, threads: number, roomy: boolean): number {
  let sum = threads === 1 ? 0 : threadGroupBytes(job, threads)
  for (let rank = 0; rank < threads; rank++) {
    sum += planWith(job, rowSliceOf(job, { rank, members: threads }), threads - 1, roomy).end
  }
  return sum
}

function planWith(job: BoostingJob, slice: RowSlice, otherThreads: number, roomy: boolean) {
  const columns = job.columns.length
  const trainCount = slice.to - slice.from
  const places = trainCount + slice.routed.length
  // A code per column, then the gradient.
  const recordBytes = columns + 4
  const blockRowBytes = Math.ceil(columns / 8) * 8
  const plan = new MemoryPlan()
  const listA = plan.take(4 * (places + 3))
  const buffers = {
    listA,
    listB: roomy ? plan.take(4 * (places + 3)) : listA,
    places,
    recordBytes,
    blockRowBytes,
    // Address 0: there are none.
    columnCodes: roomy ? plan.take(places * columns) : 0,
    records: plan.take(((roomy ? trainCount : places) + 1) * recordBytes),
    labels: plan.take(labelBytes(trainCount)),
    margins: plan.take(8 * (places + 3)),
    chunkPlaces: plan.take(3 * 4 * CHUNK_ROWS),
    roundColumns: plan.take(2 * columns),
    histograms: plan.take(histogramsBytes(job)),
    otherHistograms: plan.take(otherThreads * columns * COLUMN_HISTOGRAM_BYTES),
    chunkValues: plan.take(8 * CHUNK_ROWS),
    scratch: plan.take(SCRATCH_BYTES),
    nodes: plan.take(nodesBytes(job)),
    blockRows: plan.take(2 * BLOCK_ROWS * blockRowBytes),
    blockMargins: plan.take(8 * 2 * BLOCK_ROWS),
    blockGradients: plan.take(8 * BLOCK_ROWS),
    blockA: plan.take(4 * 2 * BLOCK_ROWS),
    blockB: plan.take(4 * 2 * BLOCK_ROWS),
  }
  return { ...buffers, end: plan.end }
}

type LargePlan = ReturnType<typeof planWith>

export function largeBooster(
  job: BoostingJob,
  slice: RowSlice,
  otherThreads: number,
  startMargin: number,
  isCancelled: IsCancelled,
): Booster {
  const plan = planWith(job, slice, otherThreads, fitsWideLayout(job, otherThreads + 1))
  const kernel = threadBoostingKernel(plan.end)
  const { exports, memory, host } = kernel
  const trainCount = slice.to - slice.from
  host.isCancelled = isCancelled
  exports.clearStop()
  setBuffers(kernel, plan, otherThreads)
  setFit(kernel, job, trainCount)
  fillCodes(kernel, plan, job, slice, isCancelled)
  const margins = new Float64Array(memory.buffer, plan.margins, plan.places).fill(startMargin)
  const lists = new RoundLists(kernel, job, slice, plan.listA, plan.roundColumns)
  return {
    trainMargins: margins.subarray(0, trainCount),
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
    plan.labels,
    plan.margins,
    plan.listA,
    plan.listB,
    plan.chunkPlaces,
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
    plan.scratch,
    plan.nodes,
  )
}

function fillCodes(
  { memory, exports }: BoostingKernel,
  plan: LargePlan,
  job: BoostingJob,
  slice: RowSlice,
  isCancelled: IsCancelled,
): void {
  const bytes = new Uint8Array(memory.buffer)
  const trainRows = job.trainRows.subarray(slice.from, slice.to)
  writeLabels(job.labels, trainRows, bytes, plan.labels)
  exports.setBlockColumns(job.columns.length)
  if (plan.columnCodes === 0) {
    const { records, recordBytes } = plan
    writeRows(job, trainRows, bytes, records, recordBytes, isCancelled)
    writeRows(job, slice.routed, bytes, records + trainRows.length * recordBytes, recordBytes, isCancelled)
    return
  }
  copyColumns(job, trainRows, slice.routed, bytes, plan, isCancelled)
  exports.fillRecords(job.columns.length)
  if (exports.wasStopped()) throw cancelledProblem()
}

function copyColumns(
  job: BoostingJob,
  trainRows: Int32Array,
  routed: Int32Array,
  bytes: Uint8Array,
  plan: LargePlan,
  isCancelled: IsCancelled,
): void {
  const { codes, rowCount } = job.matrix
  const copyTrain = copierOf(trainRows)
  const copyRouted = copierOf(routed)
  for (let index = 0; index < job.columns.length; index++) {
    throwIfCancelled(isCancelled)
    const column = codes.subarray(job.columns[index]! * rowCount, (job.columns[index]! + 1) * rowCount)
    const to = plan.columnCodes + index * plan.places
    copyTrain(column, bytes, to)
    copyRouted(column, bytes, to + trainRows.length)
  }
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
