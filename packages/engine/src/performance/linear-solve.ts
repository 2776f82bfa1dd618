/** x of Ax = b by elimination with the largest pivot of each column; A is small, by row. */
export function solveLinear(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, i) => Float64Array.of(...row, right[i]!))
  const size = rows.length
  for (let pivot = 0; pivot < size; pivot++) {
    let best = pivot
    for (let row = pivot + 1; row < size; row++) {
      if (Math.abs(rows[row]![pivot]!) > Math.abs(rows[best]![pivot]!)) best = row
    }
    ;[rows[pivot], rows[best]] = [rows[best]!, rows[pivot]!]
    for (let row = pivot + 1; row < size; row++) {
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!
      for (let column = pivot; column <= size; column++) rows[row]![column]! -= factor * rows[pivot]![column]!
    }
  }
  const x = new Float64Array(size)
  for (let row = size - 1; row >= 0; row--) {
    let rest = rows[row]![size]!
    for (let column = row + 1; column < size; column++) rest -= rows[row]![column]! * x[column]!
    x[row] = rest / rows[row]![row]!
  }
  return x
}
