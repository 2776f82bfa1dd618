// Moves between the lanes of vectors. A lane has 32 bits, a half two lanes.

/** The lower one of each pair of unsigned 16-bit keys. */
export function lower(a: v128, b: v128): v128 {
  return i16x8.min_u(a, b)
}

export function upper(a: v128, b: v128): v128 {
  return i16x8.max_u(a, b)
}

/** Leaves the higher keys of two registers in the second, and returns the lower ones. */
export function lowerOf(first: usize, second: usize): v128 {
  const a = v128.load(first)
  const b = v128.load(second)
  v128.store(second, upper(a, b))
  return lower(a, b)
}

/** Lanes 2, 3, 0, 1. */
export function halvesSwapped(v: v128): v128 {
  return i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
}

/** Lanes 1, 0, 3, 2. */
export function neighboursSwapped(v: v128): v128 {
  return i8x16.shuffle(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11)
}

/** Lanes 3, 2, 1, 0. */
export function backwards(v: v128): v128 {
  return halvesSwapped(neighboursSwapped(v))
}

/** The first half of a, then that of b. */
export function firstHalves(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
}

export function secondHalves(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
}

/** a0 b0 a1 b1. */
export function zipFirst(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23)
}

/** a2 b2 a3 b3. */
export function zipSecond(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31)
}

/** a0 a2 b0 b2. */
export function evenLanes(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
}

/** a1 a3 b1 b3. */
export function oddLanes(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
}

/** a0 b0 a1 b1 and a2 b2 a3 b3 compared: the first two lower keys, each before its upper one. */
export function firstCrossed(a: v128, b: v128): v128 {
  const first = zipFirst(a, b)
  const second = zipSecond(a, b)
  return zipFirst(lower(first, second), upper(first, second))
}

/** The last two. */
export function secondCrossed(a: v128, b: v128): v128 {
  const first = zipFirst(a, b)
  const second = zipSecond(a, b)
  return zipSecond(lower(first, second), upper(first, second))
}
