/**
 * Replaces each of the first `length` counts, in fours, by the sum of those before it. Four at a time, since loads that
 * follow a store may have to wait for it.
 */
export function toSumsBefore(counts: Uint16Array, length: number): void {
  let sum = 0
  for (let i = 0; i < length; i += 4) {
    const second = sum + counts[i]!
    const third = second + counts[i + 1]!
    const fourth = third + counts[i + 2]!
    const next = fourth + counts[i + 3]!
    counts[i] = sum
    counts[i + 1] = second
    counts[i + 2] = third
    counts[i + 3] = fourth
    sum = next
  }
}
