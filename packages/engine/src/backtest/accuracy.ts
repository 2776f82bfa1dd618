import type { TargetRows } from '../features/feature-matrix.ts'
import type { KnownBeforeKind } from '../features/feature.ts'
import { type Figure, notAvailable } from '../performance/figure.ts'
import { testDirections } from '../performance/forecast-skill.ts'

/** How good the predictions of some rows were, as far as their labels are known. */
export interface Accuracy {
  readonly accuracy: Figure
  /** Share of the more frequent label: what always saying the same would have given. */
  readonly baseRate: Figure
  /** How often forecasts that know nothing about the label come out like this, its overlap taken into account. */
  readonly pValue: Figure
  /** Rows from one label to the first that shares no price change with it; absent in results from before it was counted. */
  readonly labelOverlap: number
  /** For targets that are predictable without a model: by what, and how accurately. */
  readonly naive: NaiveForecast | undefined
  readonly rows: number
}

interface NaiveForecast {
  readonly by: KnownBeforeKind
  readonly accuracy: number
}

export function accuracyOf(rows: Int32Array, signals: Int8Array, target: TargetRows): Accuracy {
  const { labels, overlap, knownBefore } = target
  const judged = rows.filter((row) => labels[row] !== null && signals[row] !== -1)
  const test = testDirections(
    Int8Array.from(judged, (row) => labels[row]!),
    Int8Array.from(judged, (row) => signals[row]!),
    { overlap, known: knownBefore && Float64Array.from(judged, (row) => knownBefore.column[row]!) },
  )
  const missing = notAvailable('no label of the test rows is known yet')
  return {
    accuracy: test?.accuracy ?? missing,
    baseRate: test?.baseRate ?? missing,
    pValue: test?.pValue ?? missing,
    labelOverlap: overlap,
    naive: naiveForecast(judged, target),
    rows: judged.length,
  }
}

/** Says 1 where what is known lies above its average over all rows before, and knows nothing else. */
function naiveForecast(judged: Int32Array, { labels, knownBefore }: TargetRows): NaiveForecast | undefined {
  if (!knownBefore || judged.length === 0) return undefined
  const averages = averagesBefore(knownBefore.column)
  const right = judged.filter((row) => (knownBefore.column[row]! > averages[row]! ? 1 : 0) === labels[row])
  return { by: knownBefore.kind, accuracy: right.length / judged.length }
}

function averagesBefore(column: Float64Array): Float64Array {
  let [sum, count] = [0, 0]
  return column.map((value) => {
    const average = count === 0 ? value : sum / count
    if (!Number.isNaN(value)) [sum, count] = [sum + value, count + 1]
    return average
  })
}
