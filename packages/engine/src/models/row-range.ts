/** Every row of [from, to), as the list that fits take. */
export function rowRange(from: number, to: number): Int32Array {
  const rows = new Int32Array(new SharedArrayBuffer(4 * Math.max(0, to - from)))
  for (let i = 0; i < rows.length; i++) rows[i] = from + i
  return rows
}

/** Are they a range, as the rows of a window are? Then columns can be copied as wholes. */
export function isRange(rows: Int32Array): boolean {
  const first = rows[0]!
  for (let i = 1, count = rows.length; i < count; i++) if (rows[i] !== first + i) return false
  return rows.length > 0
}
