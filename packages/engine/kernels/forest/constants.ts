// Vectors that a loop keeps in registers: written as literals, each of its steps would build them anew. They are the
// first thing in the scratch memory.

/** A 16-bit number below the upper half of this number's bits reads as the sum of both. */
export const TWO_TO_23: f32 = 8388608

export const ONE: usize = 0
export const ONE_STEP: usize = 16
export const DRAWS_MASK: usize = 32
export const FLOAT_UPPER: usize = 48
export const FLOAT_OFFSET: usize = 64
export const FIRST_HALF: usize = 80
export const CONSTANTS_END: usize = 128

export function writeConstants(scratch: usize): void {
  v128.store(scratch, i16x8.splat(1), ONE)
  v128.store(scratch, i32x4.splat(1), ONE_STEP)
  v128.store(scratch, i16x8.splat(127), DRAWS_MASK)
  v128.store(scratch, i16x8.splat(0x4b00), FLOAT_UPPER)
  v128.store(scratch, f32x4.splat(TWO_TO_23), FLOAT_OFFSET)
  v128.store(scratch, i64x2(-1, 0), FIRST_HALF)
}
