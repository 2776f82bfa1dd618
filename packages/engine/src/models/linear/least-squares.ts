/** Below this pivot a standardised column is, to the precision we trust, a combination of the columns before it. */
const ILL_CONDITIONED = 1e-8
/** Weight of the ridge, relative to a column's own variance, when the columns are ill-conditioned. */
const RIDGE = 1e-3

/**
 * Lower triangle of A = L Lᵀ in place, or false when a pivot is too small. Row-major, `size` x `size`. `beforeRow` may
 * throw to end the work.
 */
function factorise(matrix: Float64Array, size: number, beforeRow: () => void): boolean {
  for (let row = 0; row < size; row++) {
    beforeRow()
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column]!
      for (let k = 0; k < column; k++) sum -= matrix[row * size + k]! * matrix[column * size + k]!
      if (row !== column) matrix[row * size + column] = sum / matrix[column * size + column]!
      else if (sum < ILL_CONDITIONED) return false
      else matrix[row * size + row] = Math.sqrt(sum)
    }
  }
  return true
}

function substitute(lower: Float64Array, size: number, right: Float64Array): Float64Array {
  const solution = right.slice()
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < row; k++) solution[row]! -= lower[row * size + k]! * solution[k]!
    solution[row]! /= lower[row * size + row]!
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let k = row + 1; k < size; k++) solution[row]! -= lower[k * size + row]! * solution[k]!
    solution[row]! /= lower[row * size + row]!
  }
  return solution
}

/** Solves for standardised coefficients from the columns' correlations; a ridge steps in where they have no unique answer. */
export function solveLeastSquares(
  correlations: Float64Array,
  withTarget: Float64Array,
  beforeRow: () => void,
): Float64Array {
  const size = withTarget.length
  const plain = correlations.slice()
  if (factorise(plain, size, beforeRow)) return substitute(plain, size, withTarget)
  const ridged = correlations.slice()
  for (let i = 0; i < size; i++) ridged[i * size + i]! += RIDGE
  factorise(ridged, size, beforeRow)
  return substitute(ridged, size, withTarget)
}
