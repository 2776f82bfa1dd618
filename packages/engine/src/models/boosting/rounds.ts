/**
 * Shared by the kernel and its reference implementation: where boosting starts, what each round samples, when it stops.
 */
import { deriveSeed, Random } from '@tradewright/core/random'
import { logistic } from '../exponential.ts'
import type { BoostingJob } from './job.ts'

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

export function takesAllColumns(job: BoostingJob): boolean {
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
