/** Up to this weight both tiers of the kernel score in single precision, above it in double. */
const SINGLE_PRECISION_WEIGHT = 2047

/** Orders splits as the decrease of Gini impurity does; see `purity` in the kernel. */
export function purity(left: number, leftPositives: number, weight: number, positives: number): number {
  const difference = leftPositives * weight - left * positives
  const sides = left * (weight - left)
  return weight <= SINGLE_PRECISION_WEIGHT
    ? Math.fround(Math.fround(difference * difference) / sides)
    : (difference * difference) / sides
}
