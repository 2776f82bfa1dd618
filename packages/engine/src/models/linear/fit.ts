import { Problem } from '@tradewright/core/problem'
import { checkMatrixSize, checkTrainRows } from '../coded-matrix.ts'
import { checkLabels, labelledRows } from '../labels.ts'
import { missingProblem } from '../model-input.ts'
import type { Model } from '../model.ts'
import { solveLeastSquares } from './least-squares.ts'
import { linearModel } from './model.ts'

/** Least squares on the label, columns standardised by the training rows; a constant column gets no weight. */
export function fitLinear(columns: readonly Float64Array[], labels: Int8Array, rows: Int32Array): Model {
  const rowCount = columns[0]?.length ?? 0
  checkMatrixSize(rowCount, columns.length)
  checkLabels(labels, rowCount)
  checkTrainRows(rows, rowCount)
  const trainRows = labelledRows(rows, labels)
  checkTrainRows(trainRows, rowCount)
  const count = trainRows.length
  const means = new Float64Array(columns.length)
  const deviations = new Float64Array(columns.length)
  const standardised = columns.map((column, index) => standardise(column, trainRows, index, means, deviations))
  const centred = new Float64Array(count)
  let target = 0
  for (let i = 0; i < count; i++) target += labels[trainRows[i]!]!
  const mean = target / count
  for (let i = 0; i < count; i++) centred[i] = labels[trainRows[i]!]! - mean
  const used = [...columns.keys()].filter((column) => deviations[column]! > 0)
  const correlations = new Float64Array(used.length * used.length)
  const withTarget = new Float64Array(used.length)
  used.forEach((a, i) => {
    withTarget[i] = meanProduct(standardised[a]!, centred)
    for (let j = 0; j <= i; j++) {
      const correlation = meanProduct(standardised[a]!, standardised[used[j]!]!)
      correlations[i * used.length + j] = correlations[j * used.length + i] = correlation
    }
  })
  const solution = solveLeastSquares(correlations, withTarget)
  const coefficients = new Float64Array(columns.length)
  used.forEach((column, i) => (coefficients[column] = solution[i]!))
  return linearModel({ means, deviations, coefficients, mean })
}

function standardise(
  column: Float64Array,
  rows: Int32Array,
  index: number,
  means: Float64Array,
  deviations: Float64Array,
): Float64Array {
  const values = new Float64Array(rows.length)
  let sum = 0
  let lowest = Infinity
  let highest = -Infinity
  for (let i = 0; i < rows.length; i++) {
    const value = column[rows[i]!]!
    values[i] = value
    sum += value
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  if (Number.isNaN(sum) && values.some(Number.isNaN)) throw missingProblem(index)
  const mean = sum / rows.length
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    values[i]! -= mean
    squares += values[i]! * values[i]!
  }
  const deviation = lowest === highest ? 0 : Math.sqrt(squares / rows.length)
  if (!Number.isFinite(deviation)) {
    throw new Problem('invalid', 'model.infinite', `Feature ${index + 1} is infinite or too large to be squared.`)
  }
  means[index] = mean
  deviations[index] = deviation
  const scale = deviation > 0 ? 1 / deviation : 0
  for (let i = 0; i < values.length; i++) values[i]! *= scale
  return values
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
