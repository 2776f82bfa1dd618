import { Problem } from '@tradewright/core/problem'
import { neverCancelled, throwIfCancelled } from '../cancellation.ts'
import { checkMatrixSize, checkTrainRows } from '../coded-matrix.ts'
import { checkLabels, labelledRows } from '../labels.ts'
import { missingProblem } from '../model-input.ts'
import type { Model } from '../model.ts'
import { solveLeastSquares } from './least-squares.ts'
import { linearModel } from './model.ts'

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
  checkTrainRows(trainRows, rowCount)
  const count = trainRows.length
  const means = new Float64Array(columns.length)
  const deviations = new Float64Array(columns.length)
  const centredColumns = columns.map((column, index) => centre(column, trainRows, index, means, deviations))
  const centred = new Float64Array(count)
  let target = 0
  for (let i = 0; i < count; i++) target += labels[trainRows[i]!]!
  const mean = target / count
  for (let i = 0; i < count; i++) centred[i] = labels[trainRows[i]!]! - mean
  const used = [...columns.keys()].filter((column) => deviations[column]! > 0)
  const correlations = new Float64Array(used.length * used.length)
  const withTarget = new Float64Array(used.length)
  used.forEach((a, i) => {
    const column = centredColumns[a]!
    withTarget[i] = meanProduct(column, centred) / deviations[a]!
    for (let j = 0; j <= i; j++) {
      throwIfCancelled(isCancelled)
      const b = used[j]!
      const correlation = meanProduct(column, centredColumns[b]!) / (deviations[a]! * deviations[b]!)
      correlations[i * used.length + j] = correlations[j * used.length + i] = correlation
    }
  })
  const solution = solveLeastSquares(correlations, withTarget, () => throwIfCancelled(isCancelled))
  const coefficients = new Float64Array(columns.length)
  used.forEach((column, i) => (coefficients[column] = solution[i]!))
  return linearModel({ means, deviations, coefficients, mean })
}

/** The column's training values without their mean; notes mean and standard deviation. */
function centre(
  column: Float64Array,
  rows: Int32Array,
  index: number,
  means: Float64Array,
  deviations: Float64Array,
): Float64Array {
  const values = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) values[i] = column[rows[i]!]!
  const isConstant = values.every((value) => value === values[0])
  const mean = meanOf(values)
  if (Number.isNaN(mean) && values.some(Number.isNaN)) throw missingProblem(index)
  for (let i = 0; i < values.length; i++) values[i]! -= mean
  const deviation = isConstant ? 0 : Math.sqrt(meanProduct(values, values))
  if (!Number.isFinite(deviation) || !Number.isFinite(mean)) {
    throw new Problem('invalid', 'model.infinite', `Feature ${index + 1} is infinite or too large to be squared.`)
  }
  means[index] = mean
  deviations[index] = deviation
  return values
}

/** As in `meanProduct`. */
function meanOf(values: Float64Array): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const even = values.length - (values.length % 4)
  for (let i = 0; i < even; i += 4) {
    first += values[i]!
    second += values[i + 1]!
    third += values[i + 2]!
    fourth += values[i + 3]!
  }
  for (let i = even; i < values.length; i++) first += values[i]!
  return (first + second + (third + fourth)) / values.length
}

/** Four sums side by side, joined in a fixed order: a processor need not wait for one addition to start the next. */
function meanProduct(a: Float64Array, b: Float64Array): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const even = a.length - (a.length % 4)
  for (let i = 0; i < even; i += 4) {
    first += a[i]! * b[i]!
    second += a[i + 1]! * b[i + 1]!
    third += a[i + 2]! * b[i + 2]!
    fourth += a[i + 3]! * b[i + 3]!
  }
  for (let i = even; i < a.length; i++) first += a[i]! * b[i]!
  return (first + second + (third + fourth)) / a.length
}
