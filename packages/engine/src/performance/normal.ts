/** The share of a standard normal below x. */
export const normalCdf = (x: number): number => (x > 0 ? 1 - upperTail(x) : upperTail(-x))

/**
 * Hart's rational approximation (algorithm 5666, as given by G. West, "Better approximations to cumulative normal
 * functions", 2005), good to about 1e-15, for x >= 0.
 */
function upperTail(x: number): number {
  if (x > 37) return 0
  const bell = Math.exp((-x * x) / 2)
  if (x >= 7.07106781186547) {
    let fraction = x + 0.65
    for (const term of [4, 3, 2, 1]) fraction = x + term / fraction
    return bell / fraction / 2.506628274631
  }
  return (bell * polynomial(NUMERATOR, x)) / polynomial(DENOMINATOR, x)
}

const NUMERATOR = [
  3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871, 221.213596169931,
  220.206867912376,
]
const DENOMINATOR = [
  8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831,
  793.826512519948, 440.413735824752,
]

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0)

/** The x below which a share p of a standard normal lies: halving, until two neighbouring doubles are reached. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a quantile needs a share between 0 and 1, was ${p}`)
  let [low, high] = [-40, 40]
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (normalCdf(middle) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}
