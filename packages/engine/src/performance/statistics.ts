/** Any run of numbers: a column, a slice of one, or a plain list. */
export type Numbers = ArrayLike<number>

export function mean(values: Numbers): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum / values.length
}

/** With the sum of squares in a second pass, so that a large mean does not cancel the digits. */
export function sampleDeviation(values: Numbers): number {
  const center = mean(values)
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += (values[i]! - center) ** 2
  return Math.sqrt(squares / (values.length - 1))
}

/** Population moments (ddof 0), as the probabilistic Sharpe ratio wants them. Kurtosis is raw: 3 for a normal. */
export function shape(values: Numbers): { skewness: number; kurtosis: number } {
  const center = mean(values)
  let second = 0
  let third = 0
  let fourth = 0
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i]! - center
    const square = deviation * deviation
    second += square
    third += square * deviation
    fourth += square * square
  }
  const n = values.length
  const variance = second / n
  return { skewness: third / n / variance ** 1.5, kurtosis: fourth / n / variance ** 2 }
}

/**
 * Rounding leaves a deviation of about 1e-16 on returns that are all the same; dividing by it has given others Sharpe
 * ratios of 1e15.
 */
export const isConstant = (values: Numbers): boolean =>
  values.length < 2 || sampleDeviation(values) <= 1e-12 * Math.max(1, Math.abs(mean(values)))

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

/**
 * Probability that Student's t with so many degrees of freedom lies at least as far from 0 as `statistic`, on either
 * side: the regularised incomplete beta function I(df / (df + t²); df/2, 1/2).
 */
export function twoSidedPValue(statistic: number, degreesOfFreedom: number): number {
  if (!(degreesOfFreedom >= 1)) throw new RangeError(`degrees of freedom must be at least 1, was ${degreesOfFreedom}`)
  if (!Number.isFinite(statistic)) return 0
  const square = statistic * statistic
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + square), degreesOfFreedom / 2, 0.5)
}

/** Probability that Student's t with so many degrees of freedom is at least `statistic`. */
export function upperTailPValue(statistic: number, degreesOfFreedom: number): number {
  const half = twoSidedPValue(statistic, degreesOfFreedom) / 2
  return statistic > 0 ? half : 1 - half
}

/** The p-value of a correlation over so many pairs, exact for normal values (Fisher 1915). */
export function correlationPValue(correlation: number, pairs: number): number {
  if (pairs < 3) return 1
  const rest = 1 - correlation * correlation
  if (rest <= 0) return 0
  return twoSidedPValue(correlation * Math.sqrt((pairs - 2) / rest), pairs - 2)
}

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  // The fraction converges fast only below the mean of the distribution.
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a
  return 1 - (front * betaFraction(1 - x, b, a)) / b
}

const SMALLEST = 1e-300
const PRECISION = 1e-15

/** The continued fraction of the incomplete beta function by Lentz's method (Abramowitz and Stegun 26.5.8). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m < 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    let step = 1
    for (const term of [even, odd]) {
      d = 1 / away(1 + term * d)
      c = away(1 + term / c)
      step = c * d
      fraction *= step
    }
    if (Math.abs(step - 1) < PRECISION) break
  }
  return fraction
}

const away = (value: number): number => (Math.abs(value) < SMALLEST ? SMALLEST : value)

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** Lanczos' approximation with g = 7 and nine terms, good to about 1e-15 for arguments from a half on. */
function logGamma(x: number): number {
  const shifted = x - 1
  const series = LANCZOS.reduce((sum, term, i) => sum + term / (shifted + i + 1), 0.9999999999998099)
  const base = shifted + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(series)
}

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
