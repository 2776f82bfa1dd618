/** One value per row; NaN is "no value". Columns of one table have the same length. */
export type Column = Float64Array

/** The first index in `sorted` whose value is not below `value`; its length when there is none. */
export function lowerBound(sorted: Float64Array, value: number, from = 0, to = sorted.length): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The last index in `sorted` whose value is not above `value`; -1 when there is none. */
export function lastAtOrBefore(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
