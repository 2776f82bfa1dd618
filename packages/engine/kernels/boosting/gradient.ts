// First and second derivative of the logistic loss, as whole numbers: i64 gradient << 32 + hessian for each row.

import { gradients, labels, margins, scale, scratch, trainRows } from './layout'

const LOG2E: f64 = 1.4426950408889634
const LN2: f64 = 0.6931471805599453
/** Adding and subtracting it rounds to a whole number, which its lowest bits then hold. */
const ROUNDER: f64 = 6755399441055744.0

// What every row needs, as f64 behind the buffers of sorted-node.ts: a vector that was loaded before a loop stays in a
// register, while a literal is built anew at every step.
const HIGHEST: usize = 1536
const LOG2E_AT: usize = HIGHEST + 8
const ROUNDER_AT: usize = HIGHEST + 16
const LN2_AT: usize = HIGHEST + 24
/** 1 / 8!, 1 / 7! ... 1 / 2!, 1. */
const FACTORS: usize = HIGHEST + 32
const SCALE_AT: usize = FACTORS + 64
/** Four i32: 1, 2, 4, 8. */
const BITS: usize = SCALE_AT + 8

function writeConstants(): void {
  store<f64>(scratch, 80, HIGHEST)
  store<f64>(scratch, LOG2E, LOG2E_AT)
  store<f64>(scratch, ROUNDER, ROUNDER_AT)
  store<f64>(scratch, LN2, LN2_AT)
  let factorial: f64 = 1
  for (let k: usize = 1; k <= 8; k++) {
    factorial *= <f64>k
    store<f64>(scratch + ((8 - k) << 3), 1 / factorial, FACTORS)
  }
  store<f64>(scratch, scale, SCALE_AT)
  v128.store(scratch, i32x4(1, 2, 4, 8), BITS)
}

function horner(sum: v128, factor: v128, constant: v128): v128 {
  return f64x2.add(constant, f64x2.mul(factor, sum))
}

/** 2^k, given k + ROUNDER. */
function powerOfTwo(rounded: v128): v128 {
  return i64x2.shl(i64x2.add(rounded, i64x2.splat(1023)), 52)
}

/**
 * The derivatives of so many rows, four at a time: the steps of two vectors take turns, since each of them has to wait for
 * the one before. Behind the last row margins and `out` have room for three more.
 *
 * The exponential has an error of about 1e-9 and is made of additions and multiplications alone, so that it is the same
 * on every machine and in the reference implementation: x = k ln 2 + r, and a polynomial for e^r.
 */
export function derivatives(marginsAt: usize, labelsAt: usize, out: usize, rows: i32): void {
  writeConstants()
  const highest = v128.load64_splat(scratch, HIGHEST)
  const lowest = f64x2.neg(highest)
  const log2e = v128.load64_splat(scratch, LOG2E_AT)
  const rounder = v128.load64_splat(scratch, ROUNDER_AT)
  const ln2 = v128.load64_splat(scratch, LN2_AT)
  const of8 = v128.load64_splat(scratch, FACTORS)
  const of7 = v128.load64_splat(scratch, FACTORS + 8)
  const of6 = v128.load64_splat(scratch, FACTORS + 16)
  const of5 = v128.load64_splat(scratch, FACTORS + 24)
  const of4 = v128.load64_splat(scratch, FACTORS + 32)
  const of3 = v128.load64_splat(scratch, FACTORS + 40)
  const half = v128.load64_splat(scratch, FACTORS + 48)
  const one = v128.load64_splat(scratch, FACTORS + 56)
  const scales = v128.load64_splat(scratch, SCALE_AT)
  const bits = v128.load(scratch, BITS)
  let to = out
  for (let at = marginsAt, row: usize = 0, end = at + (<usize>rows << 3); at < end; at += 32, row += 4, to += 32) {
    let x = f64x2.max(lowest, f64x2.min(highest, f64x2.neg(v128.load(at))))
    let y = f64x2.max(lowest, f64x2.min(highest, f64x2.neg(v128.load(at, 16))))
    const k = f64x2.add(f64x2.mul(x, log2e), rounder)
    const l = f64x2.add(f64x2.mul(y, log2e), rounder)
    x = f64x2.sub(x, f64x2.mul(f64x2.sub(k, rounder), ln2))
    y = f64x2.sub(y, f64x2.mul(f64x2.sub(l, rounder), ln2))
    let p = horner(of8, x, of7)
    let q = horner(of8, y, of7)
    p = horner(p, x, of6)
    q = horner(q, y, of6)
    p = horner(p, x, of5)
    q = horner(q, y, of5)
    p = horner(p, x, of4)
    q = horner(q, y, of4)
    p = horner(p, x, of3)
    q = horner(q, y, of3)
    p = horner(p, x, half)
    q = horner(q, y, half)
    p = horner(p, x, one)
    q = horner(q, y, one)
    p = horner(p, x, one)
    q = horner(q, y, one)
    p = f64x2.div(one, f64x2.add(one, f64x2.mul(p, powerOfTwo(k))))
    q = f64x2.div(one, f64x2.add(one, f64x2.mul(q, powerOfTwo(l))))
    const four = i32x4.splat(<i32>load<u8>(labelsAt + (row >> 3)) >> <i32>(row & 4))
    const isOne = i32x4.eq(v128.and(four, bits), bits)
    const answers = v128.and(i64x2.extend_low_i32x4_s(isOne), one)
    const moreAnswers = v128.and(i64x2.extend_high_i32x4_s(isOne), one)
    v128.store(to, packed(p, f64x2.sub(p, answers), one, half, scales))
    v128.store(to, packed(q, f64x2.sub(q, moreAnswers), one, half, scales), 16)
  }
}

/** Gradients and hessians of two rows, scaled and rounded; a hessian is at least 1. */
function packed(probability: v128, gradient: v128, one: v128, half: v128, scales: v128): v128 {
  const hessian = f64x2.mul(probability, f64x2.sub(one, probability))
  const g = i32x4.trunc_sat_f64x2_s_zero(f64x2.floor(f64x2.add(f64x2.mul(gradient, scales), half)))
  const h = i32x4.trunc_sat_f64x2_s_zero(f64x2.max(one, f64x2.floor(f64x2.add(f64x2.mul(hessian, scales), half))))
  return i8x16.shuffle(h, g, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23)
}

/** The derivatives of every training row. */
export function computeGradients(): void {
  derivatives(margins, labels, gradients, trainRows)
}
