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
