import { gradients, labels, margins, scale, trainRows } from './layout'

const LOG2E: f64 = 1.4426950408889634
const LN2: f64 = 0.6931471805599453
/** Adding and subtracting it rounds to a whole number. */
const ROUNDER: f64 = 6755399441055744.0

/**
 * e^x to about 1e-9 from additions and multiplications alone, so that it is the same on every machine and in the twin:
 * x = k ln 2 + r, and a polynomial for e^r.
 */
// @ts-ignore: decorator
@inline
function exponential(x: f64): f64 {
  x = max<f64>(-80, min<f64>(80, x))
  const k = x * LOG2E + ROUNDER - ROUNDER
  const r = x - k * LN2
  let p = 1 / 5040.0 + r * (1 / 40320.0)
  p = 1 / 720.0 + r * p
  p = 1 / 120.0 + r * p
  p = 1 / 24.0 + r * p
  p = 1 / 6.0 + r * p
  p = 0.5 + r * p
  p = 1.0 + r * p
  p = 1.0 + r * p
  return p * reinterpret<f64>((<i64>k + 1023) << 52)
}

/** First and second derivative of the logistic loss for every training row, as whole numbers. */
export function computeGradients(): void {
  for (let row = 0; row < trainRows; row++) {
    const probability = 1.0 / (1.0 + exponential(-load<f64>(margins + (<usize>row << 3))))
    const gradient = probability - <f64>load<u8>(labels + <usize>row)
    const hessian = probability * (1.0 - probability)
    const g = <i64>Math.floor(gradient * scale + 0.5)
    const h = max<i64>(1, <i64>Math.floor(hessian * scale + 0.5))
    store<i64>(gradients + (<usize>row << 3), (g << 32) + h)
  }
}
