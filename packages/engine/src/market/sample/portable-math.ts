/**
 * Exponential and logarithm from + - * / alone. Those four and the square root are exact by IEEE 754 everywhere, while
 * `Math.exp` and `Math.log` may differ in the last digit between engines: the sample market must not.
 */
const LN2_HIGH = 0.69314718036912381649
const LN2_LOW = 1.90821492927058770002e-10
const LN2 = LN2_HIGH + LN2_LOW

/** 1/14, 1/13, … 1: divisions are slow, and there are millions of them. */
const RECIPROCALS = Float64Array.from({ length: 14 }, (_, i) => 1 / (14 - i))
/** 1/23, 1/21, … 1. */
const ODD_RECIPROCALS = Float64Array.from({ length: 12 }, (_, i) => 1 / (23 - 2 * i))

/** For |x| up to 40, to about one unit in the last place. */
export function portableExp(x: number): number {
  const doublings = Math.round(x / LN2)
  // Reduced in two steps, so that the rest keeps all its digits.
  const rest = x - doublings * LN2_HIGH - doublings * LN2_LOW
  let sum = 1
  for (let i = 0; i < RECIPROCALS.length; i++) sum = 1 + rest * sum * RECIPROCALS[i]!
  return scaleByPowerOfTwo(sum, doublings)
}

function scaleByPowerOfTwo(value: number, exponent: number): number {
  let scaled = value
  for (let i = exponent; i > 0; i--) scaled *= 2
  for (let i = exponent; i < 0; i++) scaled /= 2
  return scaled
}

/** For positive x: ln m = 2 artanh((m - 1) / (m + 1)) after the powers of two are taken out. */
export function portableLog(x: number): number {
  if (!(x > 0)) throw new RangeError(`the logarithm of ${x} does not exist`)
  let mantissa = x
  let exponent = 0
  for (; mantissa > Math.SQRT2; exponent++) mantissa /= 2
  for (; mantissa < Math.SQRT1_2; exponent--) mantissa *= 2
  const t = (mantissa - 1) / (mantissa + 1)
  const square = t * t
  let sum = 0
  for (let i = 0; i < ODD_RECIPROCALS.length; i++) sum = sum * square + ODD_RECIPROCALS[i]!
  return exponent * LN2_HIGH + (exponent * LN2_LOW + 2 * t * sum)
}
