// First and second derivative of the logistic loss, as whole numbers: i64 gradient << 32 + hessian for each row.

import { gradients, labels, margins, scale, sortScratch, trainRows } from './layout'

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

function writeConstants(): void {
  store<f64>(sortScratch, 80, HIGHEST)
  store<f64>(sortScratch, LOG2E, LOG2E_AT)
  store<f64>(sortScratch, ROUNDER, ROUNDER_AT)
  store<f64>(sortScratch, LN2, LN2_AT)
  store<f64>(sortScratch, 1 / 40320.0, FACTORS)
  store<f64>(sortScratch, 1 / 5040.0, FACTORS + 8)
  store<f64>(sortScratch, 1 / 720.0, FACTORS + 16)
  store<f64>(sortScratch, 1 / 120.0, FACTORS + 24)
  store<f64>(sortScratch, 1 / 24.0, FACTORS + 32)
  store<f64>(sortScratch, 1 / 6.0, FACTORS + 40)
  store<f64>(sortScratch, 0.5, FACTORS + 48)
  store<f64>(sortScratch, 1, FACTORS + 56)
  store<f64>(sortScratch, scale, SCALE_AT)
}

// @ts-ignore: decorator
@inline
function horner(sum: v128, factor: v128, constant: v128): v128 {
  return f64x2.add(constant, f64x2.mul(factor, sum))
}

/** 2^k, given k + ROUNDER. */
// @ts-ignore: decorator
@inline
function powerOfTwo(rounded: v128): v128 {
  return i64x2.shl(i64x2.add(rounded, i64x2.splat(1023)), 52)
}

/**
 * The derivatives of so many rows, four at a time: the steps of two vectors take turns, since each of them has to wait for
 * the one before. Behind the last row margins, labels and `out` have room for three more.
 *
 * The exponential has an error of about 1e-9 and is made of additions and multiplications alone, so that it is the same
 * on every machine and in the twin: x = k ln 2 + r, and a polynomial for e^r.
 */
export function derivatives(marginsAt: usize, labelsAt: usize, out: usize, rows: i32): void {
  writeConstants()
  const highest = v128.load64_splat(sortScratch, HIGHEST)
  const lowest = f64x2.neg(highest)
  const log2e = v128.load64_splat(sortScratch, LOG2E_AT)
  const rounder = v128.load64_splat(sortScratch, ROUNDER_AT)
  const ln2 = v128.load64_splat(sortScratch, LN2_AT)
  const of8 = v128.load64_splat(sortScratch, FACTORS)
  const of7 = v128.load64_splat(sortScratch, FACTORS + 8)
  const of6 = v128.load64_splat(sortScratch, FACTORS + 16)
  const of5 = v128.load64_splat(sortScratch, FACTORS + 24)
  const of4 = v128.load64_splat(sortScratch, FACTORS + 32)
  const of3 = v128.load64_splat(sortScratch, FACTORS + 40)
  const half = v128.load64_splat(sortScratch, FACTORS + 48)
  const one = v128.load64_splat(sortScratch, FACTORS + 56)
  const scales = v128.load64_splat(sortScratch, SCALE_AT)
  let to = out
  let label = labelsAt
  for (let at = marginsAt, end = at + (<usize>rows << 3); at < end; at += 32, label += 4, to += 32) {
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
    const answers = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(label)))
    const upper = i8x16.shuffle(answers, answers, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
    v128.store(to, packed(p, f64x2.sub(p, f64x2.convert_low_i32x4_u(answers)), one, half, scales))
    v128.store(to, packed(q, f64x2.sub(q, f64x2.convert_low_i32x4_u(upper)), one, half, scales), 16)
  }
}

/** Gradients and hessians of two rows, scaled and rounded; a hessian is at least 1. */
// @ts-ignore: decorator
@inline
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
