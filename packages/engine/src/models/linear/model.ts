import { Problem } from '@tradewright/core/problem'
import {
  checkColumnCount,
  missingProblem,
  rowsToPredict,
  type Model,
  normalised,
  damagedFile,
  float64Of,
  type ModelFile,
  valueOf,
  writeModelFile,
  checkLabels,
  labelledRows,
} from '../model.ts'
import { neverCancelled, throwIfCancelled } from '../cancellation.ts'
import { checkMatrixSize, checkTrainRows } from '../coded-matrix.ts'
import { isRange } from '../splits.ts'

interface LinearParts {
  readonly means: Float64Array
  /** 0 for a column that was constant in training. */
  readonly deviations: Float64Array
  /** Change of the prediction when a column moves by one standard deviation. */
  readonly coefficients: Float64Array
  /** Mean of the training labels. */
  readonly mean: number
}

function linearModel(parts: LinearParts): Model {
  const { means, deviations, coefficients, mean } = parts
  const contribution = (column: number, value: number) =>
    deviations[column] === 0 ? 0 : (coefficients[column]! * (value - means[column]!)) / deviations[column]!
  const explain = (columns: readonly Float64Array[], row: number) => {
    const contributions = Float64Array.from(columns, (column, index) =>
      contribution(index, valueAt(column, row, index)),
    )
    return { contributions, prediction: contributions.reduce((sum, change) => sum + change, mean) }
  }
  return {
    kind: 'linear',
    columnCount: means.length,
    predict(columns, rows) {
      checkColumnCount(columns, means.length)
      const wanted = rowsToPredict(columns, rows)
      const predictions = new Float64Array(wanted.length).fill(mean)
      columns.forEach((column, index) => addContributions(parts, index, column, wanted, predictions))
      for (let i = 0; i < predictions.length; i++) predictions[i] = asProbability(predictions[i]!)
      return predictions
    },
    importances: () => normalised(coefficients.map(Math.abs)),
    explain(columns, row) {
      checkColumnCount(columns, means.length)
      const { contributions, prediction } = explain(columns, row)
      return { probability: asProbability(prediction), unit: 'probability', base: mean, contributions }
    },
    save: () => writeModelFile({ kind: 'linear', values: { mean }, arrays: { means, deviations, coefficients } }),
  }
}

export function loadLinear(file: ModelFile): Model {
  const [means, deviations, coefficients] = ['means', 'deviations', 'coefficients'].map((name) => float64Of(file, name))
  if (means!.length !== deviations!.length || means!.length !== coefficients!.length) throw damagedFile()
  return linearModel({
    means: means!,
    deviations: deviations!,
    coefficients: coefficients!,
    mean: valueOf(file, 'mean'),
  })
}

function addContributions(
  { means, deviations, coefficients }: LinearParts,
  index: number,
  column: Float64Array,
  rows: Int32Array,
  predictions: Float64Array,
): void {
  const mean = means[index]!
  const deviation = deviations[index]!
  const slope = coefficients[index]!
  for (let i = 0, count = rows.length; i < count; i++) {
    const value = column[rows[i]!]
    if (value === undefined || !Number.isFinite(value)) refuseValue(column, rows[i]!, index)
    else if (deviation !== 0) predictions[i]! += (slope * (value - mean)) / deviation
  }
}

/** A straight line leaves [0, 1]; a probability does not. */
function asProbability(prediction: number): number {
  return Math.min(1, Math.max(0, prediction))
}

function valueAt(column: Float64Array, row: number, index: number): number {
  const value = column[row]
  return value !== undefined && Number.isFinite(value) ? value : refuseValue(column, row, index)
}

function refuseValue(column: Float64Array, row: number, index: number): never {
  if (row < 0 || row >= column.length) throw new RangeError(`row ${row} lies outside the ${column.length} rows given`)
  if (Number.isNaN(column[row])) throw missingProblem(index)
  throw new Problem('invalid', 'model.infinite', `Feature ${index + 1} is infinite in row ${row + 1}.`)
}

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

/** Below this pivot a standardised column is, to the precision we trust, a combination of the columns before it. */
const ILL_CONDITIONED = 1e-8
/** Weight of the ridge, relative to a column's own variance, when the columns are ill-conditioned. */
const RIDGE = 1e-3

/**
 * Lower triangle of A = L Lᵀ in place, or false when a pivot is too small. Row-major, `size` x `size`. `beforeRow` may
 * throw to end the work.
 */
function factorise(matrix: Float64Array, size: number, beforeRow: () => void): boolean {
  for (let row = 0; row < size; row++) {
    beforeRow()
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column]!
      for (let k = 0; k < column; k++) sum -= matrix[row * size + k]! * matrix[column * size + k]!
      if (row !== column) matrix[row * size + column] = sum / matrix[column * size + column]!
      else if (sum < ILL_CONDITIONED) return false
      else matrix[row * size + row] = Math.sqrt(sum)
    }
  }
  return true
}

function substitute(lower: Float64Array, size: number, right: Float64Array): Float64Array {
  const solution = right.slice()
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < row; k++) solution[row]! -= lower[row * size + k]! * solution[k]!
    solution[row]! /= lower[row * size + row]!
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let k = row + 1; k < size; k++) solution[row]! -= lower[k * size + row]! * solution[k]!
    solution[row]! /= lower[row * size + row]!
  }
  return solution
}

/** Solves for standardised coefficients from the columns' correlations; a ridge steps in where they have no unique answer. */
function solveLeastSquares(correlations: Float64Array, withTarget: Float64Array, beforeRow: () => void): Float64Array {
  const size = withTarget.length
  const plain = correlations.slice()
  if (factorise(plain, size, beforeRow)) return substitute(plain, size, withTarget)
  const ridged = correlations.slice()
  for (let i = 0; i < size; i++) ridged[i * size + i]! += RIDGE
  factorise(ridged, size, beforeRow)
  return substitute(ridged, size, withTarget)
}

/**
 * Sums over columns. Each has four partial sums, joined in a fixed order: a processor need not wait for one addition to
 * start the next, and the result is the same however many products are made at once.
 */

/** The rounds of four; what is left is added to the first partial sum. */
const wholeFours = (length: number) => length - (length % 4)

function meanOf(values: Float64Array): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const count = values.length
  const even = wholeFours(count)
  for (let i = 0; i < even; i += 4) {
    first += values[i]!
    second += values[i + 1]!
    third += values[i + 2]!
    fourth += values[i + 3]!
  }
  for (let i = even; i < count; i++) first += values[i]!
  return (first + second + (third + fourth)) / count
}

/** Takes the mean away from every value; returns the mean of the squares of what is left. */
function subtract(values: Float64Array, mean: number): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const count = values.length
  const even = wholeFours(count)
  for (let i = 0; i < even; i += 4) {
    const one = values[i]! - mean
    const two = values[i + 1]! - mean
    const three = values[i + 2]! - mean
    const four = values[i + 3]! - mean
    values[i] = one
    values[i + 1] = two
    values[i + 2] = three
    values[i + 3] = four
    first += one * one
    second += two * two
    third += three * three
    fourth += four * four
  }
  for (let i = even; i < count; i++) {
    const one = values[i]! - mean
    values[i] = one
    first += one * one
  }
  return (first + second + (third + fourth)) / count
}

/** The mean products of `a` with `b` and with `c`: two in little more time than one, for `a` is read once. */
function meanProducts(a: Float64Array, b: Float64Array, c: Float64Array, to: Float64Array): void {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  let firstOfC = 0
  let secondOfC = 0
  let thirdOfC = 0
  let fourthOfC = 0
  const count = a.length
  const even = wholeFours(count)
  for (let i = 0; i < even; i += 4) {
    const one = a[i]!
    const two = a[i + 1]!
    const three = a[i + 2]!
    const four = a[i + 3]!
    first += one * b[i]!
    second += two * b[i + 1]!
    third += three * b[i + 2]!
    fourth += four * b[i + 3]!
    firstOfC += one * c[i]!
    secondOfC += two * c[i + 1]!
    thirdOfC += three * c[i + 2]!
    fourthOfC += four * c[i + 3]!
  }
  for (let i = even; i < count; i++) {
    first += a[i]! * b[i]!
    firstOfC += a[i]! * c[i]!
  }
  to[0] = (first + second + (third + fourth)) / count
  to[1] = (firstOfC + secondOfC + (thirdOfC + fourthOfC)) / count
}
