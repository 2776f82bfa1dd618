import type { Numbers } from './moments.ts'

/**
 * p-values adjusted for multiple tests (Benjamini and Hochberg, "Controlling the false discovery rate", 1995): of those
 * below q, a share of at most about q are false. In the order they came.
 */
export function adjustPValues(pValues: Numbers): Float64Array {
  const count = pValues.length
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => pValues[b]! - pValues[a]!)
  const adjusted = new Float64Array(count)
  let lowest = 1
  order.forEach((place, i) => {
    // The factor first: it is never below 1, so no rounding makes a value smaller.
    lowest = Math.min(lowest, pValues[place]! * (count / (count - i)))
    adjusted[place] = lowest
  })
  return adjusted
}
