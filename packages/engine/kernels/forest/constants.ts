// Vectors that a loop keeps in registers: written as literals, each of its steps would build them anew. They are the
// first thing in the scratch memory.

/** A 16-bit number below the upper half of this number's bits reads as the sum of both. */
const TWO_TO_23: f32 = 8388608

export const ONE: usize = 0
export const ONE_STEP: usize = 16
export const DRAWS_MASK: usize = 32
export const CLASS_BIT: usize = 48
/** The upper half of the bits of 2^23, and of -2^23. */
export const FLOAT_UPPER: usize = 64
export const REFUSED_UPPER: usize = 80
export const FLOAT_OFFSET: usize = 96
export const ZERO: usize = 112
/** The fields of a packed sum: draws << 10, and draws of the lighter class. */
export const DRAWS_FIELD: usize = 128
export const LIGHTER_FIELD: usize = 144
/** Four keys that sort first, and four that sort last. */
export const OUTER_KEYS: usize = 160
/** 0 to 7. */
export const ROW_NUMBERS: usize = 176
/** Below every score. */
export const NO_SCORE: usize = 192
export const CONSTANTS_END: usize = 208

export function writeConstants(scratch: usize): void {
  v128.store(scratch, i16x8.splat(1), ONE)
  v128.store(scratch, i32x4.splat(1), ONE_STEP)
  v128.store(scratch, i16x8.splat(0x7f), DRAWS_MASK)
  v128.store(scratch, i16x8.splat(0x80), CLASS_BIT)
  v128.store(scratch, i16x8.splat(0x4b00), FLOAT_UPPER)
  v128.store(scratch, i16x8.splat(<i16>0xcb00), REFUSED_UPPER)
  v128.store(scratch, f32x4.splat(TWO_TO_23), FLOAT_OFFSET)
  v128.store(scratch, i32x4.splat(0), ZERO)
  v128.store(scratch, i32x4.splat(0x7ff << 10), DRAWS_FIELD)
  v128.store(scratch, i32x4.splat(0x3ff), LIGHTER_FIELD)
  v128.store(scratch, i64x2(0, 0xff00ff00ff00ff00), OUTER_KEYS)
  v128.store(scratch, i16x8(0, 1, 2, 3, 4, 5, 6, 7), ROW_NUMBERS)
  v128.store(scratch, f32x4.splat(-1), NO_SCORE)
}
