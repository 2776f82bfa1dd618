import { DecisionRows, featureColumn, type SeriesSource } from '../../features/feature-matrix.ts'
import type { PlannedFeature } from '../../features/catalogue.ts'
import { knownAtOf } from '../../market/known-at.ts'
import { takeRows } from '../../market/layers/rows.ts'
import type { SeriesTable } from '../../market/series.ts'

/** Does any feature know its future? */
export interface TruncationVerdict {
  readonly passed: boolean
  readonly checkedInstants: number
  /** Labels of the features whose value changed when the data after it was cut off. */
  readonly failedFeatures: readonly string[]
}

/** Instants spread over the run at which the data is cut. */
const CUTS = [1 / 3, 2 / 3, 1]

/** The rows at which the data is cut. */
export const cutRows = (rows: number): number[] =>
  [...new Set(CUTS.map((share) => Math.ceil(rows * share) - 1))].filter((row) => row >= 0)

/**
 * Computes every feature again from what was known at some instants of the run, and compares. Features are tested for
 * this one by one; here the very data and parameters of the run are.
 */
export function checkTruncation(
  features: readonly PlannedFeature[],
  columns: readonly Float64Array[],
  seriesOf: SeriesSource,
  decisionAt: Float64Array,
): TruncationVerdict {
  const rows = cutRows(decisionAt.length)
  const failed = new Set<string>()
  for (const row of rows) {
    const known = knownBy(seriesOf, decisionAt[row]!)
    const decisions = new DecisionRows(decisionAt.subarray(row, row + 1))
    features.forEach((feature, i) => {
      const [again] = featureColumn(feature, known, decisions)
      if (!Object.is(again, columns[i]![row])) failed.add(feature.label)
    })
  }
  return { passed: failed.size === 0, checkedInstants: rows.length, failedFeatures: [...failed] }
}

/** Every series without the rows that were not known yet. */
export function knownBy(seriesOf: SeriesSource, instant: number): SeriesSource {
  const cut = new Map<string, SeriesTable>()
  return (ticker) => {
    const known = cut.get(ticker)
    if (known) return known
    const table = seriesOf(ticker)
    const knownAt = knownAtOf(table)
    const rows = [...table.timestamps.keys()].filter((row) => knownAt[row]! <= instant)
    const shorter = { ...takeRows(table, rows), knownAt: Float64Array.from(rows, (row) => knownAt[row]!) }
    cut.set(ticker, shorter)
    return shorter
  }
}
