/** Every row of [from, to), as the list that fits take. */
export function rowRange(from: number, to: number): Int32Array {
  const rows = new Int32Array(new SharedArrayBuffer(4 * Math.max(0, to - from)))
  for (let i = 0; i < rows.length; i++) rows[i] = from + i
  return rows
}
