import { gradients, labels, margins, scale, trainRows } from './layout'

const LOG2E: f64 = 1.4426950408889634
const LN2: f64 = 0.6931471805599453
/** Adding and subtracting it rounds to a whole number, which its lowest bits then hold. */
const ROUNDER: f64 = 6755399441055744.0

// @ts-ignore: decorator
@inline
function horner(sum: v128, factor: v128, constant: f64): v128 {
  return f64x2.add(f64x2.splat(constant), f64x2.mul(factor, sum))
}

/**
 * e^x to about 1e-9 from additions and multiplications alone, so that it is the same on every machine and in the twin:
 * x = k ln 2 + r, and a polynomial for e^r. Two at a time.
 */
// @ts-ignore: decorator
@inline
function exponentials(value: v128): v128 {
  const x = f64x2.pmax(f64x2.splat(-80), f64x2.pmin(f64x2.splat(80), value))
  const rounded = f64x2.add(f64x2.mul(x, f64x2.splat(LOG2E)), f64x2.splat(ROUNDER))
  const r = f64x2.sub(x, f64x2.mul(f64x2.sub(rounded, f64x2.splat(ROUNDER)), f64x2.splat(LN2)))
  let p = horner(f64x2.splat(1 / 40320.0), r, 1 / 5040.0)
  p = horner(p, r, 1 / 720.0)
  p = horner(p, r, 1 / 120.0)
  p = horner(p, r, 1 / 24.0)
  p = horner(p, r, 1 / 6.0)
  p = horner(p, r, 0.5)
  p = horner(p, r, 1.0)
  p = horner(p, r, 1.0)
  return f64x2.mul(p, i64x2.shl(i64x2.add(rounded, i64x2.splat(1023)), 52))
}

// @ts-ignore: decorator
@inline
function scaledAndRounded(value: v128): v128 {
  return f64x2.floor(f64x2.add(f64x2.mul(value, f64x2.splat(scale)), f64x2.splat(0.5)))
}

/** First and second derivative of the logistic loss for two rows, as whole numbers: i64 gradient << 32 + hessian each. */
// @ts-ignore: decorator
@inline
export function derivativesOfTwo(marginsAt: usize, labelsAt: usize): v128 {
  const one = f64x2.splat(1)
  const two = <i32>load<u16>(labelsAt)
  const answers = f64x2.convert_low_i32x4_s(i32x4.replace_lane(i32x4.splat(two & 0xff), 1, two >> 8))
  const probability = f64x2.div(one, f64x2.add(one, exponentials(f64x2.neg(v128.load(marginsAt)))))
  const gradient = scaledAndRounded(f64x2.sub(probability, answers))
  const hessian = f64x2.pmax(one, scaledAndRounded(f64x2.mul(probability, f64x2.sub(one, probability))))
  const g = i32x4.trunc_sat_f64x2_s_zero(gradient)
  const h = i32x4.trunc_sat_f64x2_s_zero(hessian)
  return i8x16.shuffle(h, g, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23)
}

/**
 * The derivatives of every training row, two rows at a time: behind an odd number of rows margins, labels and gradients
 * have room for one more.
 */
export function computeGradients(): void {
  for (let row = 0; row < trainRows; row += 2) {
    const at = <usize>row
    v128.store(gradients + (at << 3), derivativesOfTwo(margins + (at << 3), labels + at))
  }
}
