import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { sortNumbers } from './column-edges.ts'

const random = new Random(5)
const numbersOf = (length: number, make: (i: number) => number) => Float64Array.from({ length }, (_, i) => make(i))
const many = (make: (i: number) => number) => numbersOf(5000, make)

const kinds: [string, (i: number) => number][] = [
  ['of both signs', () => Math.tan(3 * (random.float() - 0.5))],
  ['of all magnitudes', () => (random.float() - 0.5) * 10 ** (random.below(600) - 300)],
  ['that differ in their last bits alone', () => 1 + random.below(1000) * Number.EPSILON],
  ['below the normal ones', () => (random.below(300) - 150) * Number.MIN_VALUE],
  ['of few values, zeros of both signs among them', () => [-1, -0, 0, 2, Infinity, -Infinity][random.below(6)]!],
  ['of few values, none infinite', () => [-1, -0, 0, 2][random.below(4)]!],
  ['that are zeros of both signs', () => [-0, 0][random.below(2)]!],
  ['farther apart than the largest number', () => (random.float() - 0.5) * 2 * Number.MAX_VALUE],
  ['that crowd beside one far away', (i) => (i === 17 ? 1e9 : random.float())],
  ['in two crowds', () => random.below(2) + 1e-7 * random.float()],
  ['in the opposite order', (i) => 5000 - i],
  ['that are all the same', () => 3],
]

describe.each([0, 1, 3, 63, 64, 65, 66, 67, 840, 1179, 2047, 2048, 2049, 5000])('%i numbers', (length) => {
  it.each(kinds)('%s are sorted as the built-in sort does', (_, make) => {
    const numbers = numbersOf(length, make)
    const expected = numbers.slice().sort()
    const sorted = sortNumbers(numbers)
    expect(sorted.every((number, i) => Object.is(number, expected[i]))).toBe(true)
  })
})

it.each([2000, 4000])('sorts the first %i of a longer array and leaves the rest', (length) => {
  const whole = many((i) => (i * 37) % 5000)
  const rest = [...whole.subarray(length)]
  const part = sortNumbers(whole.subarray(0, length))
  expect(part.every((number, i) => i === 0 || number >= part[i - 1]!)).toBe(true)
  expect([...whole.subarray(length)]).toEqual(rest)
})
