import { Problem } from '@tradewright/core/problem'
import { checkColumnCount, missingProblem, rowsToPredict } from '../model-input.ts'
import { damagedFile, float64Of, type ModelFile, valueOf, writeModelFile } from '../model-file.ts'
import { type Model, normalised } from '../model.ts'

interface LinearParts {
  readonly means: Float64Array
  /** 0 for a column that was constant in training. */
  readonly deviations: Float64Array
  /** Change of the prediction when a column moves by one standard deviation. */
  readonly coefficients: Float64Array
  /** Mean of the training labels. */
  readonly mean: number
}

export function linearModel(parts: LinearParts): Model {
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
