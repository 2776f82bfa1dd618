import type { ModelKind } from '@tradewright/core/model-catalogue'
import { type IsCancelled, neverCancelled } from '../cancellation.ts'
import { checkRows, checkTrainRows, type CodedMatrix, codeTable } from '../coded-matrix.ts'
import { refuseMissing } from '../model-input.ts'
import { checkLabels, labelledRows } from '../labels.ts'
import type { Model } from '../model.ts'
import { rowRange } from '../row-range.ts'
import type { ForestGrowth, ForestJob } from './job.ts'
import { joinGrowths } from './join-growths.ts'
import { prepareRows } from './large-fit.ts'
import { forestModel } from './model.ts'
import { candidateColumns, checkForestSettings, type ForestSettings, leafRows } from './settings.ts'
import { growOnThisThread } from './work-slices.ts'
import { isSmallJob } from './small-fit.ts'
import { treesPerSum } from './tree-sums.ts'

export interface ForestRequest {
  readonly matrix: CodedMatrix
  /** As `encodeLabels` gives them; training rows whose label is unknown are left out. */
  readonly labels: Int8Array
  readonly trainRows: Int32Array
  readonly settings: ForestSettings
  /** Which columns of the matrix, in which order; all when absent. */
  readonly columns?: Int32Array
  /** See `ForestJob`. */
  readonly cuts?: ForestJob['cuts'] | undefined
}

let preparedCount = 0

/** A whole forest; `forestSlices` divides it among threads. */
function forestJob(
  request: ForestRequest,
  parts: Pick<ForestJob, 'testRows' | 'keepTrees' | 'outOfBag'>,
  isCancelled: IsCancelled,
): ForestJob {
  const { matrix, settings } = request
  checkForestSettings(settings)
  if (request.cuts && settings.bootstrap) throw new RangeError('random cuts are drawn without bootstrap')
  checkLabels(request.labels, matrix.rowCount)
  checkTrainRows(request.trainRows, matrix.rowCount)
  checkRows(parts.testRows, matrix.rowCount)
  const trainRows = labelledRows(request.trainRows, request.labels)
  checkTrainRows(trainRows, matrix.rowCount)
  const columns = request.columns ?? rowRange(0, matrix.columnCount)
  checkRows(columns, matrix.columnCount)
  refuseMissing(matrix, columns, trainRows, parts.testRows)
  const job: ForestJob = {
    ...parts,
    matrix: codeTable(matrix),
    labels: request.labels,
    columns,
    trainRows,
    candidates: candidateColumns(settings.maxFeatures, columns.length),
    minSamplesLeaf: leafRows(settings.minSamplesLeaf, trainRows.length),
    minSamplesSplit: settings.minSamplesSplit,
    bootstrap: settings.bootstrap,
    ...(request.cuts ? { cuts: request.cuts } : {}),
    seed: settings.seed,
    treeFrom: 0,
    treeTo: settings.trees,
    treesPerSum: treesPerSum(trainRows.length, settings.trees),
  }
  if (job.cuts || isSmallJob(job)) return job
  return { ...job, prepared: prepareRows(job, `${preparedCount++}-${settings.seed}`, isCancelled) }
}

/** The job of a model that is kept; `forestFrom` makes it out of its growths. */
export function forestFitJob(request: ForestRequest, isCancelled = neverCancelled): ForestJob {
  const outOfBag = request.settings.bootstrap
  return forestJob(request, { testRows: new Int32Array(0), keepTrees: true, outOfBag }, isCancelled)
}

/** The job of the probabilities of test rows alone; no tree is stored. */
export function forestPredictJob(
  request: ForestRequest,
  testRows: Int32Array,
  isCancelled = neverCancelled,
): ForestJob {
  return forestJob(request, { testRows, keepTrees: false, outOfBag: false }, isCancelled)
}

interface OutOfBag {
  /** Per training row the mean over the trees that did not see it; null where every tree saw it. */
  readonly probabilities: (number | null)[]
  /** Accuracy over the rows that have one; null when there is none. */
  readonly score: number | null
}

interface FittedForest {
  readonly model: Model
  /** Null without bootstrap: then every tree sees every row. */
  readonly outOfBag: OutOfBag | null
}

export function forestFrom(
  matrix: CodedMatrix,
  job: ForestJob,
  growths: readonly ForestGrowth[],
  kind: ModelKind = 'forest',
): FittedForest {
  const { nodes, treeSizes, ...sums } = joinGrowths(job, growths)
  const edges = Array.from(job.columns, (column) => matrix.edges[column]!)
  const model = forestModel({ kind, edges, nodes, treeSizes, treesPerSum: job.treesPerSum })
  return { model, outOfBag: job.outOfBag ? outOfBagOf(job, sums.outOfBagSums, sums.outOfBagCounts) : null }
}

function outOfBagOf(job: ForestJob, sums: Float64Array, counts: Float64Array): OutOfBag {
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

export function forestProbabilities(job: ForestJob, growths: readonly ForestGrowth[]): Float64Array {
  return joinGrowths(job, growths).testSums.map((sum) => sum / job.treeTo)
}

/** Fits on this thread. */
export function fitForest(request: ForestRequest, isCancelled: IsCancelled = neverCancelled): FittedForest {
  const job = forestFitJob(request, isCancelled)
  return forestFrom(request.matrix, job, growOnThisThread(job, isCancelled))
}

/** Probabilities of the test rows, equal to those of the fitted model, without ever storing a tree. */
export function fitAndPredictForest(
  request: ForestRequest,
  testRows: Int32Array,
  isCancelled: IsCancelled = neverCancelled,
): Float64Array {
  const job = forestPredictJob(request, testRows, isCancelled)
  return forestProbabilities(job, growOnThisThread(job, isCancelled))
}
