import type { Label } from '../features/target.ts'
import { type Figure, notAvailable } from '../performance/figure.ts'
import { type DirectionTest, testDirections } from '../performance/pesaran-timmermann.ts'

/** How good the predictions of some rows were, as far as their labels are known. */
export interface Accuracy {
  readonly accuracy: Figure
  /** Share of the more frequent label: what always saying the same would have given. */
  readonly baseRate: Figure
  /** Probability of an accuracy like this by luck (Pesaran-Timmermann). */
  readonly pValue: Figure
  readonly rows: number
}

export function accuracyOf(rows: Int32Array, signals: Int8Array, labels: readonly Label[]): Accuracy {
  const judged = rows.filter((row) => labels[row] !== null && signals[row] !== -1)
  const test: DirectionTest | undefined = testDirections(
    Int8Array.from(judged, (row) => labels[row]!),
    Int8Array.from(judged, (row) => signals[row]!),
  )
  const missing = notAvailable('no label of the test rows is known yet')
  return {
    accuracy: test?.accuracy ?? missing,
    baseRate: test?.baseRate ?? missing,
    pValue: test?.pValue ?? missing,
    rows: judged.length,
  }
}
