import { Problem } from '@tradewright/core/problem'
import { checkColumnCount, missingProblem, rowsToPredict } from '../model-input.ts'
import { damagedFile, float64Of, type ModelFile, valueOf, writeModelFile } from '../model-file.ts'
import { type Model, shares } from '../model.ts'

export interface LinearParts {
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
      return Float64Array.from(rowsToPredict(columns, rows), (row) => {
        let prediction = mean
        for (let index = 0; index < columns.length; index++) {
          prediction += contribution(index, valueAt(columns[index]!, row, index))
        }
        return asProbability(prediction)
      })
    },
    importances: () => shares(coefficients.map(Math.abs)),
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

/** A straight line leaves [0, 1]; a probability does not. */
function asProbability(prediction: number): number {
  return Math.min(1, Math.max(0, prediction))
}

function valueAt(column: Float64Array, row: number, index: number): number {
  const value = column[row]
  if (value === undefined) throw new RangeError(`row ${row} lies outside the ${column.length} rows given`)
  if (Number.isNaN(value)) throw missingProblem(index)
  if (!Number.isFinite(value)) {
    throw new Problem('invalid', 'model.infinite', `Feature ${index + 1} is infinite in row ${row + 1}.`)
  }
  return value
}
