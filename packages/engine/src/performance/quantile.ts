/**
 * The value below which `share` of the values lie, interpolated between two of them as numpy and R (type 7) do. They must be
 * in order.
 */
export function quantileOfSorted(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low + (position - below) * (high - low)
}
