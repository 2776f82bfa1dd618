import { Problem } from '@tradewright/core/problem'
import { neverCancelled, throwIfCancelled } from '../cancellation.ts'
import { checkMatrixSize, checkTrainRows } from '../coded-matrix.ts'
import { checkLabels, labelledRows } from '../labels.ts'
import { missingProblem } from '../model-input.ts'
import type { Model } from '../model.ts'
import { isRange } from '../row-range.ts'
import { solveLeastSquares } from './least-squares.ts'
import { linearModel } from './model.ts'
import { meanOf, meanProducts, subtract } from './products.ts'

/** Least squares on the label, columns standardised by the training rows; a constant column gets no weight. */
export function fitLinear(
  columns: readonly Float64Array[],
  labels: Int8Array,
  rows: Int32Array,
  isCancelled = neverCancelled,
): Model {
  const rowCount = columns[0]?.length ?? 0
  checkMatrixSize(rowCount, columns.length)
  checkLabels(labels, rowCount)
  checkTrainRows(rows, rowCount)
  const trainRows = labelledRows(rows, labels)
  if (trainRows !== rows) checkTrainRows(trainRows, rowCount)
  const count = trainRows.length
  const means = new Float64Array(columns.length)
  const deviations = new Float64Array(columns.length)
  // One buffer for all: to allocate one for each takes longer than to fill it. The labels go along as one more column.
  const room = new Float64Array((columns.length + 1) * count)
  const centred = Array.from({ length: columns.length + 1 }, (_, i) => room.subarray(i * count, (i + 1) * count))
  const areRange = isRange(trainRows)
  columns.forEach((column, index) => centre(column, trainRows, areRange, index, means, deviations, centred[index]!))
  const mean = centreLabels(labels, trainRows, centred[columns.length]!)
  const used = [...columns.keys()].filter((column) => deviations[column]! > 0)
  const factors = [...used, columns.length].map((column) => centred[column]!)
  const ask = () => throwIfCancelled(isCancelled)
  const { correlations, withTarget } = correlate(
    factors,
    used.map((column) => deviations[column]!),
    ask,
  )
  const solution = solveLeastSquares(correlations, withTarget, ask)
  const coefficients = new Float64Array(columns.length)
  used.forEach((column, i) => (coefficients[column] = solution[i]!))
  return linearModel({ means, deviations, coefficients, mean })
}

/** Correlations of every column with every other one and, undivided by its deviation, with the last one: the label. */
function correlate(factors: readonly Float64Array[], deviations: readonly number[], ask: () => void) {
  const size = deviations.length
  const correlations = new Float64Array(size * size)
  const withTarget = new Float64Array(size)
  const products = new Float64Array(2)
  const note = (i: number, j: number, product: number) => {
    if (j === size) withTarget[i] = product / deviations[i]!
    else correlations[i * size + j] = correlations[j * size + i] = product / (deviations[i]! * deviations[j]!)
  }
  for (let i = 0; i < size; i++) {
    for (let j = i; j <= size; j += 2) {
      ask()
      meanProducts(factors[i]!, factors[j]!, factors[Math.min(j + 1, size)]!, products)
      note(i, j, products[0]!)
      if (j < size) note(i, j + 1, products[1]!)
    }
  }
  return { correlations, withTarget }
}

/** The labels without their mean, which is returned. */
function centreLabels(labels: Int8Array, rows: Int32Array, values: Float64Array): number {
  const count = rows.length
  let sum = 0
  for (let i = 0; i < count; i++) sum += labels[rows[i]!]!
  const mean = sum / count
  for (let i = 0; i < count; i++) values[i] = labels[rows[i]!]! - mean
  return mean
}

/** Writes the column's training values without their mean to `values`; notes mean and standard deviation. */
function centre(
  column: Float64Array,
  rows: Int32Array,
  areRange: boolean,
  index: number,
  means: Float64Array,
  deviations: Float64Array,
  values: Float64Array,
): void {
  gather(column, rows, areRange, values)
  const isConstant = values.every((value) => value === values[0])
  const mean = meanOf(values)
  if (Number.isNaN(mean) && values.some(Number.isNaN)) throw missingProblem(index)
  const variance = subtract(values, mean)
  const deviation = isConstant ? 0 : Math.sqrt(variance)
  if (!Number.isFinite(deviation) || !Number.isFinite(mean)) {
    throw new Problem('invalid', 'model.infinite', `Feature ${index + 1} is infinite or too large to be squared.`)
  }
  means[index] = mean
  deviations[index] = deviation
}

function gather(column: Float64Array, rows: Int32Array, areRange: boolean, values: Float64Array): void {
  if (areRange) values.set(column.subarray(rows[0], rows[0]! + rows.length))
  else for (let i = 0; i < rows.length; i++) values[i] = column[rows[i]!]!
}
