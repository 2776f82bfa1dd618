import type { BoostedTree, BoostingJob } from './job.ts'
import { NODE_LINKS, NODE_NUMBERS } from './job.ts'
import type { BoostingKernel } from './kernel.ts'
import { gradientScale, MIN_GAIN, sampleRound, takesAllColumns } from './rounds.ts'

/** A fit laid out in this thread's kernel. */
export interface Booster {
  /** Log-odds so far of its training rows. */
  readonly trainMargins: Float64Array
  /** The same of the rows that are only predicted, those of validation first. */
  readonly routedMargins: Float64Array
  /** Ends early, and leaves the kernel stopped, when the fit is cancelled. */
  growRound(round: number): void
  /** The tree of the last round. */
  tree(): BoostedTree
}

/** The training rows that one thread learns from, as a range of the job's, and the rows it only predicts. */
export interface RowSlice {
  readonly from: number
  readonly to: number
  readonly routed: Int32Array
}

/** Validation rows first, then test rows. */
export function routedRows({ validationRows, testRows }: BoostingJob): Int32Array {
  const rows = new Int32Array(validationRows.length + testRows.length)
  rows.set(validationRows)
  rows.set(testRows, validationRows.length)
  return rows
}

export const allRows = (job: BoostingJob): RowSlice => ({ from: 0, to: job.trainRows.length, routed: routedRows(job) })

export const COLUMN_HISTOGRAM_BYTES = 256 * 8
export const CHUNK_ROWS = 512
export const SCRATCH_BYTES = 4096
const NODE_BYTES = 32

/** A bit per training row. */
export const labelBytes = (trainCount: number) => Math.ceil(trainCount / 8)

export function writeLabels(labels: Int8Array, trainRows: Int32Array, bytes: Uint8Array, at: number): void {
  const count = trainRows.length
  bytes.fill(0, at, at + labelBytes(count))
  for (let i = 0; i < count; i++) bytes[at + (i >> 3)]! |= labels[trainRows[i]!]! << (i & 7)
}

export function nodesBytes({ settings, trainRows }: BoostingJob): number {
  return NODE_BYTES * Math.min(2 ** (settings.maxDepth + 1), 2 * trainRows.length + 1)
}

/** A histogram per level that may be split: one waits while those below its sibling are made. */
export function histogramsBytes({ settings, columns }: BoostingJob): number {
  return settings.maxDepth * columns.length * COLUMN_HISTOGRAM_BYTES
}

/** Every buffer behind the other, 64 bytes aligned. */
export class MemoryPlan {
  end = 64

  take(bytes: number): number {
    const start = Math.ceil(this.end / 64) * 64
    this.end = start + bytes
    return start
  }
}

export function setFit({ exports }: BoostingKernel, job: BoostingJob, ownTrainRows: number): void {
  const { settings } = job
  exports.writeChoices()
  exports.setFit(
    ownTrainRows,
    job.matrix.codeCount,
    gradientScale(job.trainRows.length, settings.lambda),
    settings.eta,
    settings.lambda,
    Math.max(settings.gamma, MIN_GAIN),
    settings.minChildWeight,
    settings.maxDepth,
  )
}

/** Writes each round's list of places, training rows first, and its columns. */
export class RoundLists {
  readonly #kernel: BoostingKernel
  readonly #job: BoostingJob
  readonly #slice: RowSlice
  readonly #places: Uint32Array
  readonly #columns: Uint16Array

  constructor(kernel: BoostingKernel, job: BoostingJob, slice: RowSlice, placesAt: number, columnsAt: number) {
    const places = slice.to - slice.from + slice.routed.length
    this.#kernel = kernel
    this.#job = job
    this.#slice = slice
    this.#places = new Uint32Array(kernel.memory.buffer, placesAt, places)
    this.#columns = new Uint16Array(kernel.memory.buffer, columnsAt, job.columns.length)
    if (takesAllColumns(job)) this.#useColumns(Int32Array.from(job.columns.keys()))
  }

  fill(round: number): { learned: number; routed: number } {
    const { subsample } = this.#job.settings
    const sample = subsample < 1 || !takesAllColumns(this.#job) ? sampleRound(this.#job, round) : null
    if (sample !== null) this.#useColumns(sample.columns)
    const { from, to } = this.#slice
    const learned = sample?.teaches ? this.#listSample(sample.teaches.subarray(from, to)) : this.#listAll()
    return { learned, routed: this.#places.length - learned }
  }

  #useColumns(columns: Int32Array): void {
    this.#columns.set(columns)
    this.#kernel.exports.setRoundColumns(columns.length, Number(columns.length === this.#job.columns.length))
  }

  #listAll(): number {
    this.#kernel.exports.listPlaces(this.#places.byteOffset, this.#places.length)
    return this.#slice.to - this.#slice.from
  }

  #listSample(teaches: Uint8Array): number {
    const places = this.#places
    let learned = 0
    for (let place = 0, count = teaches.length; place < count; place++) {
      if (teaches[place] === 1) places[learned++] = place
    }
    let at = learned
    for (let place = 0, count = places.length; place < count; place++) if (teaches[place] !== 1) places[at++] = place
    return learned
  }
}

export function readTree({ memory, exports }: BoostingKernel, nodesAt: number): BoostedTree {
  const count = exports.grownNodes()
  const ints = new Int32Array(memory.buffer, nodesAt, count * (NODE_BYTES / 4))
  const floats = new Float64Array(memory.buffer, nodesAt, count * (NODE_BYTES / 8))
  const links = new Int32Array(count * NODE_LINKS)
  const numbers = new Float64Array(count * NODE_NUMBERS)
  for (let node = 0; node < count; node++) {
    links.set(ints.subarray(node * 8, node * 8 + NODE_LINKS), node * NODE_LINKS)
    numbers.set(floats.subarray(node * 4 + 2, node * 4 + 4), node * NODE_NUMBERS)
  }
  return { links, numbers }
}
