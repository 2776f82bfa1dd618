import { type IsCancelled, neverCancelled } from '../cancellation.ts'
import { checkRows, checkTrainRows, type CodedMatrix, codeTable } from '../coded-matrix.ts'
import { refuseMissing } from '../model-input.ts'
import { checkLabels, labelledRows } from '../labels.ts'
import type { Model } from '../model.ts'
import { rowRange } from '../row-range.ts'
import { growForest } from './grow.ts'
import type { ForestGrowth, ForestJob } from './job.ts'
import { prepareRows } from './large-fit.ts'
import { forestModel } from './model.ts'
import { candidateColumns, checkForestSettings, type ForestSettings } from './settings.ts'
import { isSmallJob, joinTrees } from './small-fit.ts'

export interface ForestRequest {
  readonly matrix: CodedMatrix
  /** As `encodeLabels` gives them; training rows whose label is unknown are left out. */
  readonly labels: Int8Array
  readonly trainRows: Int32Array
  readonly settings: ForestSettings
  /** Which columns of the matrix, in which order; all when absent. */
  readonly columns?: Int32Array
}

/**
 * Trees per job: fixed by the number of rows, never by the number of threads, because the sums of a job's trees are
 * added up in the order of the jobs. Small enough for a job to take some ten milliseconds.
 */
function treesPerJob(trainCount: number): number {
  return Math.max(4, Math.min(128, Math.floor(131_072 / trainCount)))
}

let preparedCount = 0

/** Divides a forest into jobs that may run on any threads in any order. */
function forestJobs(
  request: ForestRequest,
  parts: Pick<ForestJob, 'testRows' | 'keepTrees' | 'outOfBag'>,
  isCancelled: IsCancelled,
): ForestJob[] {
  const { matrix, settings } = request
  checkForestSettings(settings)
  checkLabels(request.labels, matrix.rowCount)
  checkTrainRows(request.trainRows, matrix.rowCount)
  checkRows(parts.testRows, matrix.rowCount)
  const trainRows = labelledRows(request.trainRows, request.labels)
  checkTrainRows(trainRows, matrix.rowCount)
  const columns = request.columns ?? rowRange(0, matrix.columnCount)
  checkRows(columns, matrix.columnCount)
  refuseMissing(matrix, columns, trainRows, parts.testRows)
  const whole: ForestJob = {
    ...parts,
    matrix: codeTable(matrix),
    labels: request.labels,
    columns,
    trainRows,
    candidates: candidateColumns(settings.maxFeatures, columns.length),
    minSamplesLeaf: settings.minSamplesLeaf,
    minSamplesSplit: settings.minSamplesSplit,
    bootstrap: settings.bootstrap,
    seed: settings.seed,
    treeFrom: 0,
    treeTo: settings.trees,
  }
  const prepared = isSmallJob(whole)
    ? {}
    : { prepared: prepareRows(whole, `${preparedCount++}-${settings.seed}`, isCancelled) }
  const jobs: ForestJob[] = []
  const step = treesPerJob(trainRows.length)
  for (let tree = 0; tree < settings.trees; tree += step) {
    jobs.push({ ...whole, ...prepared, treeFrom: tree, treeTo: Math.min(tree + step, settings.trees) })
  }
  return jobs
}

/** Jobs for a model that is kept; `forestFrom` makes it out of their growths. */
export function forestFitJobs(request: ForestRequest, isCancelled = neverCancelled): ForestJob[] {
  const outOfBag = request.settings.bootstrap
  return forestJobs(request, { testRows: new Int32Array(0), keepTrees: true, outOfBag }, isCancelled)
}

/** Jobs for the probabilities of test rows alone; no tree is stored. */
export function forestPredictJobs(
  request: ForestRequest,
  testRows: Int32Array,
  isCancelled = neverCancelled,
): ForestJob[] {
  return forestJobs(request, { testRows, keepTrees: false, outOfBag: false }, isCancelled)
}

export interface OutOfBag {
  /** Per training row the mean over the trees that did not see it; null where every tree saw it. */
  readonly probabilities: (number | null)[]
  /** Accuracy over the rows that have one; null when there is none. */
  readonly score: number | null
}

export interface FittedForest {
  readonly model: Model
  /** Null without bootstrap: then every tree sees every row. */
  readonly outOfBag: OutOfBag | null
}

export function forestFrom(
  matrix: CodedMatrix,
  jobs: readonly ForestJob[],
  growths: readonly ForestGrowth[],
): FittedForest {
  const job = jobs[0]!
  const { nodes } = joinTrees(growths.map((growth) => growth.nodes))
  const treeSizes = Int32Array.from(growths.flatMap((growth) => [...growth.treeSizes]))
  const edges = Array.from(job.columns, (column) => matrix.edges[column]!)
  const model = forestModel({ edges, nodes, treeSizes, treesPerSum: treesPerJob(job.trainRows.length) })
  return { model, outOfBag: job.outOfBag ? outOfBagOf(job, growths) : null }
}

function outOfBagOf(job: ForestJob, growths: readonly ForestGrowth[]): OutOfBag {
  const sums = addUp(growths.map((growth) => growth.outOfBagSums))
  const counts = addUp(growths.map((growth) => growth.outOfBagCounts))
  const probabilities = Array.from(sums, (sum, i) => (counts[i] === 0 ? null : sum / counts[i]!))
  let right = 0
  let known = 0
  probabilities.forEach((probability, i) => {
    if (probability === null) return
    known += 1
    if (probability > 0.5 === (job.labels[job.trainRows[i]!] === 1)) right += 1
  })
  return { probabilities, score: known === 0 ? null : right / known }
}

/** In the order of the jobs, so that the last bit does not depend on which job ended first. */
function addUp(parts: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(parts[0]?.length ?? 0)
  for (const part of parts) for (let i = 0; i < sum.length; i++) sum[i]! += part[i]!
  return sum
}

export function forestProbabilities(jobs: readonly ForestJob[], growths: readonly ForestGrowth[]): Float64Array {
  const trees = jobs.at(-1)!.treeTo
  return addUp(growths.map((growth) => growth.testSums)).map((sum) => sum / trees)
}

/** Fits on this thread. */
export function fitForest(request: ForestRequest, isCancelled: IsCancelled = neverCancelled): FittedForest {
  const jobs = forestFitJobs(request, isCancelled)
  return forestFrom(
    request.matrix,
    jobs,
    jobs.map((job) => growForest(job, isCancelled)),
  )
}

/** Probabilities of the test rows, equal to those of the fitted model, without ever storing a tree. */
export function fitAndPredictForest(
  request: ForestRequest,
  testRows: Int32Array,
  isCancelled: IsCancelled = neverCancelled,
): Float64Array {
  const jobs = forestPredictJobs(request, testRows, isCancelled)
  return forestProbabilities(
    jobs,
    jobs.map((job) => growForest(job, isCancelled)),
  )
}
