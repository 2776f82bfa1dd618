import { neverCancelled } from '../cancellation.ts'
import { checkRows, checkTrainRows, type CodedMatrix, codeTable } from '../coded-matrix.ts'
import { logistic } from '../exponential.ts'
import { checkLabels, labelledRows } from '../labels.ts'
import type { Model } from '../model.ts'
import { rowRange } from '../row-range.ts'
import { growBoosting } from './grow.ts'
import type { BoostingGrowth, BoostingJob } from './job.ts'
import { boostingModel } from './model.ts'
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
    settings,
    keepTrees: testRows === undefined,
  }
}

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
