import { neverCancelled } from '../cancellation.ts'
import { checkRows, checkTrainRows, type CodedMatrix, codeTable } from '../coded-matrix.ts'
import { logistic } from '../exponential.ts'
import { checkLabels, labelledRows } from '../labels.ts'
import type { Model } from '../model.ts'
import { rowRange } from '../row-range.ts'
import { growBoosting } from './grow.ts'
import type { BoostingGrowth, BoostingJob } from './job.ts'
import { boostingModel } from './model.ts'
import { bestRounds } from './rounds.ts'
import { type BoostingSettings, checkBoostingSettings } from './settings.ts'

export interface BoostingRequest {
  readonly matrix: CodedMatrix
  /** As `encodeLabels` gives them; rows whose label is unknown are left out. */
  readonly labels: Int8Array
  readonly trainRows: Int32Array
  readonly settings: BoostingSettings
  readonly validationRows?: Int32Array
  readonly columns?: Int32Array
}

const noRows = new Int32Array(0)

/** The job of a model that is kept or, with test rows, of their probabilities alone. */
export function boostingJob(request: BoostingRequest, testRows?: Int32Array): BoostingJob {
  const { matrix, labels, settings, validationRows = noRows } = request
  checkBoostingSettings(settings)
  checkLabels(labels, matrix.rowCount)
  checkTrainRows(request.trainRows, matrix.rowCount)
  checkRows(validationRows, matrix.rowCount)
  checkRows(testRows ?? noRows, matrix.rowCount)
  const trainRows = labelledRows(request.trainRows, labels)
  checkTrainRows(trainRows, matrix.rowCount)
  const columns = request.columns ?? rowRange(0, matrix.columnCount)
  checkRows(columns, matrix.columnCount)
  return {
    matrix: codeTable(matrix),
    labels,
    columns,
    trainRows,
    validationRows: labelledRows(validationRows, labels),
    testRows: testRows ?? noRows,
    settings: leafWeight(settings, trainRows.length),
    keepTrees: testRows === undefined,
  }
}

/** A row weighs p (1 - p), a quarter at even odds. */
function leafWeight(settings: BoostingSettings, trainRows: number): BoostingSettings {
  const { minLeafShare, ...rest } = settings
  if (minLeafShare === undefined) return settings
  return { ...rest, minChildWeight: Math.max(settings.minChildWeight, (minLeafShare * trainRows) / 4) }
}

const FOLDS = 3
/**
 * The share of the training rows that is left out on both sides of a fold: their labels look into it, and its labels
 * into them.
 */
const PURGED_SHARE = 0.025

/**
 * The request with as many rounds as predict rows best that were not learned from: three folds of consecutive rows, each
 * predicted by a model of the others. Without early stopping, or with validation rows, the request as it is.
 */
export function withFoundRounds(request: BoostingRequest, isCancelled = neverCancelled): BoostingRequest {
  const { settings, validationRows } = request
  if (settings.earlyStoppingRounds === null || validationRows !== undefined) return request
  const rows = labelledRows(request.trainRows, request.labels).toSorted()
  const gap = Math.ceil(PURGED_SHARE * rows.length)
  if (rows.length < MIN_ROWS_TO_FOLD) return { ...request, settings: { ...settings, earlyStoppingRounds: null } }
  const total = new Float64Array(settings.rounds)
  for (let fold = 0; fold < FOLDS; fold++) {
    const [from, to] = [fold, fold + 1].map((part) => Math.floor((part * rows.length) / FOLDS)) as [number, number]
    const others = rows.filter((_, i) => i < from - gap || i >= to + gap)
    // Every round is counted: folds that stop at different rounds have no common mean.
    const inFold = { ...request, trainRows: others, validationRows: rows.slice(from, to) }
    const job = boostingJob({ ...inFold, settings: { ...settings, earlyStoppingRounds: null } }, noRows)
    growBoosting(job, isCancelled).validationLosses.forEach((loss, round) => (total[round]! += loss))
  }
  return { ...request, settings: { ...settings, rounds: bestRounds([...total]), earlyStoppingRounds: null } }
}

const MIN_ROWS_TO_FOLD = 60

interface FittedBoosting {
  readonly model: Model
  readonly rounds: number
  readonly validationLosses: readonly number[]
}

export function boostingFrom(matrix: CodedMatrix, job: BoostingJob, growth: BoostingGrowth): FittedBoosting {
  const edges = Array.from(job.columns, (column) => matrix.edges[column]!)
  const { baseMargin, trees, rounds, validationLosses } = growth
  return { model: boostingModel({ edges, baseMargin, trees }), rounds, validationLosses }
}

export function boostingProbabilities(growth: BoostingGrowth): Float64Array {
  return growth.testMargins.map(logistic)
}

/** Fits on this thread. */
export function fitBoosting(request: BoostingRequest, isCancelled = neverCancelled): FittedBoosting {
  const job = boostingJob(request)
  return boostingFrom(request.matrix, job, growBoosting(job, isCancelled))
}

export function fitAndPredictBoosting(request: BoostingRequest, testRows: Int32Array, isCancelled = neverCancelled) {
  return boostingProbabilities(growBoosting(boostingJob(request, testRows), isCancelled))
}
