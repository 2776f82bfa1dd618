/**
 * Sums over columns. Each has four partial sums, joined in a fixed order: a processor need not wait for one addition to
 * start the next, and the result is the same however many products are made at once.
 */

/** The rounds of four; what is left is added to the first partial sum. */
const wholeFours = (length: number) => length - (length % 4)

export function meanOf(values: Float64Array): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const count = values.length
  const even = wholeFours(count)
  for (let i = 0; i < even; i += 4) {
    first += values[i]!
    second += values[i + 1]!
    third += values[i + 2]!
    fourth += values[i + 3]!
  }
  for (let i = even; i < count; i++) first += values[i]!
  return (first + second + (third + fourth)) / count
}

/** Takes the mean away from every value; returns the mean of the squares of what is left. */
export function subtract(values: Float64Array, mean: number): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const count = values.length
  const even = wholeFours(count)
  for (let i = 0; i < even; i += 4) {
    const one = values[i]! - mean
    const two = values[i + 1]! - mean
    const three = values[i + 2]! - mean
    const four = values[i + 3]! - mean
    values[i] = one
    values[i + 1] = two
    values[i + 2] = three
    values[i + 3] = four
    first += one * one
    second += two * two
    third += three * three
    fourth += four * four
  }
  for (let i = even; i < count; i++) {
    const one = values[i]! - mean
    values[i] = one
    first += one * one
  }
  return (first + second + (third + fourth)) / count
}

/** The mean products of `a` with `b` and with `c`: two in little more time than one, for `a` is read once. */
export function meanProducts(a: Float64Array, b: Float64Array, c: Float64Array, to: Float64Array): void {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  let firstOfC = 0
  let secondOfC = 0
  let thirdOfC = 0
  let fourthOfC = 0
  const count = a.length
  const even = wholeFours(count)
  for (let i = 0; i < even; i += 4) {
    const one = a[i]!
    const two = a[i + 1]!
    const three = a[i + 2]!
    const four = a[i + 3]!
    first += one * b[i]!
    second += two * b[i + 1]!
    third += three * b[i + 2]!
    fourth += four * b[i + 3]!
    firstOfC += one * c[i]!
    secondOfC += two * c[i + 1]!
    thirdOfC += three * c[i + 2]!
    fourthOfC += four * c[i + 3]!
  }
  for (let i = even; i < count; i++) {
    first += a[i]! * b[i]!
    firstOfC += a[i]! * c[i]!
  }
  to[0] = (first + second + (third + fourth)) / count
  to[1] = (firstOfC + secondOfC + (thirdOfC + fourthOfC)) / count
}
