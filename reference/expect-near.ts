import { expect } from 'vitest'

/** Twelve digits are committed, and sums in another order differ in the last ones. */
const TOLERANCE = 1e-9

/** The difference is measured beside the reference value, and beside 1 where that is smaller. */
export function expectNear(ours: number, theirs: number, name: string, tolerance = TOLERANCE): void {
  const difference = Math.abs(ours - theirs) / Math.max(1, Math.abs(theirs))
  expect(difference, `${name}: ours ${ours}, theirs ${theirs}`).toBeLessThanOrEqual(tolerance)
}

/** Every value of a column; null stands for a value that is missing on both sides. */
export function expectColumn(
  ours: ArrayLike<number>,
  theirs: readonly (number | null)[],
  name: string,
  tolerance = TOLERANCE,
): void {
  expect(ours.length, `${name}: rows`).toBe(theirs.length)
  theirs.forEach((value, i) => {
    if (value === null) expect(ours[i], `${name}[${i}]`).toBeNaN()
    else expectNear(ours[i]!, value, `${name}[${i}]`, tolerance)
  })
}
