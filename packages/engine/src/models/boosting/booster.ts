import { deriveSeed, Random } from '@tradewright/core/random'
import { neverCancelled } from '../cancellation.ts'
import {
  ensureBytes,
  instantiateKernel,
  type KernelHost,
  newPrivateMemory,
  type PrivateMemory,
} from '../../kernels/instantiate.ts'
import { boostingWasm } from '../../kernels/boosting.wasm.ts'
import type { CodeTable } from '../coded-matrix.ts'
import type { BoostingSettings } from '../settings.ts'

/** One boosted model: plain data, so that any thread can fit it, or several of them together (thread-group.ts). */
export interface BoostingJob {
  readonly matrix: CodeTable
  /** Per matrix row: 0 or 1 for every training and validation row. */
  readonly labels: Int8Array
  readonly columns: Int32Array
  readonly trainRows: Int32Array
  /** Rows that decide when to stop early; may be empty. */
  readonly validationRows: Int32Array
  /** Rows whose probability is wanted at once. */
  readonly testRows: Int32Array
  readonly settings: BoostingSettings
  readonly keepTrees: boolean
}

/** Int32 values of a node: split, left child, right child. */
export const NODE_LINKS = 3
/** Float64 values of a node: value, gain. */
export const NODE_NUMBERS = 2
export const LEAF = -1

export interface BoostedTree {
  /** Per node: column << 9 | missing goes left << 8 | last code on the left (or -1 for a leaf), left, right. */
  readonly links: Int32Array
  /** Per node: what the model adds to the log-odds if the path ends here, and the gain of the node's split. */
  readonly numbers: Float64Array
}

export interface BoostingGrowth {
  /** Log-odds that every row starts from. */
  readonly baseMargin: number
  /** Rounds kept: all, or those up to the best one for the validation rows. */
  readonly rounds: number
  readonly trees: readonly BoostedTree[]
  /** Per test row: its log-odds. */
  readonly testMargins: Float64Array
  /** Per round: mean logistic loss of the validation rows. */
  readonly validationLosses: readonly number[]
}

/**
 * Shared by the kernel and its reference implementation: where boosting starts, what each round samples, when it stops.
 */
/**
 * Gradients become whole numbers in units of 1 / scale. Their sum over all rows, with lambda, stays below 2^30, and so
 * the square of a product of two sums stays within single precision.
 */
export function gradientScale(trainCount: number, lambda: number): number {
  return Math.min(2 ** 20, 2 ** 30 / (trainCount + lambda))
}

/** A split must gain more than this even without gamma, as in XGBoost. */
export const MIN_GAIN = 1e-6

/** The log-odds of the training labels; with one class only, as if half a row of the other had been seen. */
export function startMargin(job: BoostingJob): number {
  let positives = 0
  for (let i = 0; i < job.trainRows.length; i++) positives += job.labels[job.trainRows[i]!]!
  const negatives = job.trainRows.length - positives
  return Math.log(Math.max(0.5, positives) / Math.max(0.5, negatives))
}

interface RoundSample {
  /** Per training row: is it in this tree's sample? Null when all are. */
  readonly teaches: Uint8Array | null
  /** Indexes into the job's columns, ascending. */
  readonly columns: Int32Array
}

function wantedColumns({ columns, settings }: BoostingJob): number {
  return Math.max(1, Math.floor(settings.colsample * columns.length))
}

function takesAllColumns(job: BoostingJob): boolean {
  return wantedColumns(job) === job.columns.length
}

export function sampleRound(job: BoostingJob, round: number): RoundSample {
  const { subsample, seed } = job.settings
  const random = new Random(deriveSeed(seed, round))
  const count = job.trainRows.length
  let teaches: Uint8Array | null = null
  if (subsample < 1) {
    teaches = new Uint8Array(count)
    for (let i = 0; i < count; i++) teaches[i] = random.uint32() < subsample * 2 ** 32 ? 1 : 0
  }
  const all = Int32Array.from(job.columns.keys())
  const wanted = wantedColumns(job)
  for (let i = 0; i < wanted && wanted < all.length; i++) {
    const other = i + random.below(all.length - i)
    ;[all[i], all[other]] = [all[other]!, all[i]!]
  }
  return { teaches, columns: all.slice(0, wanted).sort() }
}

export function logisticLoss(margins: Float64Array, labels: Int8Array, rows: Int32Array): number {
  let sum = 0
  for (let i = 0; i < rows.length; i++) {
    const probability = Math.min(1 - 1e-15, Math.max(1e-15, logistic(margins[i]!)))
    sum -= Math.log(labels[rows[i]!] === 1 ? probability : 1 - probability)
  }
  return sum / rows.length
}

export function shouldStopEarly(losses: readonly number[], patience: number | null): boolean {
  return patience !== null && losses.length > 0 && losses.length - bestRounds(losses) >= patience
}

/** How many rounds give the lowest loss; of equal ones the fewest. */
export function bestRounds(losses: readonly number[]): number {
  return losses.indexOf(Math.min(...losses)) + 1
}

/** The WebAssembly booster of this thread: one instance, its memory reused from fit to fit. */
/** Exports of packages/engine/kernels/boosting/main.ts. Addresses are byte offsets into the memory. */
interface BoostingExports {
  setBuffers(
    rows: number,
    bytesPerRow: number,
    labels: number,
    margins: number,
    gradients: number,
    placesA: number,
    placesB: number,
    roundColumns: number,
    histograms: number,
    chunkValues: number,
    scratch: number,
    nodes: number,
  ): void
  setLargeBuffers(
    columnCodes: number,
    places: number,
    records: number,
    bytesPerRecord: number,
    labels: number,
    margins: number,
    listA: number,
    listB: number,
    chunkPlaces: number,
    otherHistograms: number,
    otherThreads: number,
  ): void
  setBlockColumns(columns: number): void
  setFit(
    trainRows: number,
    bins: number,
    scale: number,
    eta: number,
    lambda: number,
    minGain: number,
    minChildWeight: number,
    maxDepth: number,
  ): void
  setRoundColumns(count: number, all: number): void
  writeChoices(): void
  listPlaces(list: number, count: number): void
  fillRecords(columns: number): void
  growRound(learnedRows: number, routedRows: number): void
  growLargeRound(learnedRows: number, routedRows: number): void
  grownNodes(): number
  clearStop(): void
  wasStopped(): number
}

interface BoostingHost extends KernelHost {
  /** Publishes the histogram at `own`, and lays those of the other threads behind each other from `others` on. */
  exchange: (own: number, bytes: number, others: number) => void
}

export interface BoostingKernel {
  readonly memory: PrivateMemory
  readonly exports: BoostingExports
  readonly host: BoostingHost
}

let threadKernel: BoostingKernel | null = null

export function threadBoostingKernel(bytes: number): BoostingKernel {
  threadKernel ??= newKernel(bytes)
  ensureBytes(threadKernel.memory, bytes)
  return threadKernel
}

function newKernel(bytes: number): BoostingKernel {
  const memory = newPrivateMemory(bytes)
  const host: BoostingHost = { isCancelled: neverCancelled, exchange: () => {} }
  const exchange = (own: number, size: number, others: number) => host.exchange(own, size, others)
  return { memory, host, exports: instantiateKernel<BoostingExports>(boostingWasm, memory, host, { exchange }) }
}

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

/** How the work on one large model is divided among the threads of a group. */
/** The cost of a row that is only predicted, relative to a training row. */
const ROUTED_COST = 0.3

/** Bytes of two histograms per thread. */
export function threadGroupBytes({ columns }: BoostingJob, threads: number): number {
  return 2 * threads * columns.length * COLUMN_HISTOGRAM_BYTES
}

/** The owner, who has all rows that are only predicted, learns from fewer. */
export function rowSliceOf(job: BoostingJob, { rank, members }: { rank: number; members: number }): RowSlice {
  const count = job.trainRows.length
  const routed = rank === 0 ? routedRows(job) : new Int32Array(0)
  const cost = (job.validationRows.length + job.testRows.length) * ROUTED_COST
  const ofOwner = Math.max(0, Math.floor((count + cost) / members - cost))
  if (rank === 0) return { from: 0, to: ofOwner, routed }
  const boundary = (helper: number) => ofOwner + Math.floor(((count - ofOwner) * helper) / (members - 1))
  return { from: boundary(rank - 1), to: boundary(rank), routed }
}

/** Adding and subtracting it rounds to a whole number. */
const ROUNDER = 6755399441055744

/** e^x from additions and multiplications alone: `Math.exp` may differ from machine to machine. Error about 1e-9. */
export function exponential(value: number): number {
  const x = Math.max(-80, Math.min(80, value))
  const k = x * Math.LOG2E + ROUNDER - ROUNDER
  const r = x - k * Math.LN2
  let p = 1 / 5040 + r * (1 / 40320)
  p = 1 / 720 + r * p
  p = 1 / 120 + r * p
  p = 1 / 24 + r * p
  p = 1 / 6 + r * p
  p = 0.5 + r * p
  p = 1 + r * p
  p = 1 + r * p
  return p * 2 ** k
}

export function logistic(margin: number): number {
  return 1 / (1 + exponential(-margin))
}
