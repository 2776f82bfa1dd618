/** Copies in memory that every thread sees. */
export function shared(column: Float64Array): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(column.byteLength))
  copy.set(column)
  return copy
}

export function sharedBytes(column: Int8Array): Int8Array {
  const copy = new Int8Array(new SharedArrayBuffer(column.length))
  copy.set(column)
  return copy
}

export function sharedRows(rows: readonly number[]): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(4 * rows.length))
  copy.set(rows)
  return copy
}
