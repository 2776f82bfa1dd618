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
