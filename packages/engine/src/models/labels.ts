import { Problem } from '@tradewright/core/problem'

/** One label per row: 1 when the event happened, 0 when not, null while it is not known yet. */
type Labels = ArrayLike<number | null>

export const UNKNOWN_LABEL = -1

/** The labels as bytes that threads can share; -1 stands for unknown. */
export function encodeLabels(labels: Labels): Int8Array<SharedArrayBuffer> {
  const bytes = new Int8Array(new SharedArrayBuffer(labels.length))
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row]
    if (label === null) bytes[row] = UNKNOWN_LABEL
    else if (label === 0 || label === 1) bytes[row] = label
    else throw new Problem('invalid', 'model.label', `Label of row ${row + 1} must be 0, 1 or null, was ${label}.`)
  }
  return bytes
}

/** The rows whose label is known, in their order: unknown labels are not trained on. */
export function labelledRows(rows: Int32Array, labels: Int8Array): Int32Array {
  let known = 0
  for (let i = 0, count = rows.length; i < count; i++) if (labels[rows[i]!] !== UNKNOWN_LABEL) known++
  if (known === rows.length) return rows
  const kept = new Int32Array(new SharedArrayBuffer(4 * known))
  let at = 0
  for (const row of rows) if (labels[row] !== UNKNOWN_LABEL) kept[at++] = row
  return kept
}

export function checkLabels(labels: Int8Array, rowCount: number): void {
  if (labels.length !== rowCount) {
    throw new RangeError(`there are ${labels.length} labels for ${rowCount} rows`)
  }
}
