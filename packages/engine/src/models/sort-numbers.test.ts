import { Random } from '@tradewright/core/random'
import { expect, it } from 'vitest'
import { sortNumbers } from './sort-numbers.ts'

const random = new Random(5)
const many = (make: (i: number) => number) => Float64Array.from({ length: 5000 }, (_, i) => make(i))

it.each<[string, Float64Array]>([
  ['of both signs', many(() => Math.tan(3 * (random.float() - 0.5)))],
  ['of all magnitudes', many(() => (random.float() - 0.5) * 10 ** (random.below(600) - 300))],
  ['that differ in their last bits alone', many(() => 1 + random.below(1000) * Number.EPSILON)],
  ['of few values, zeros of both signs among them', many(() => [-1, -0, 0, 2, Infinity, -Infinity][random.below(6)]!)],
  ['in the opposite order', many((i) => 5000 - i)],
  ['that are few', Float64Array.of(3, -1, 2)],
])('sorts numbers %s as the built-in sort does', (_, numbers) => {
  const expected = [...numbers.slice().sort()]
  expect([...sortNumbers(numbers.slice())].every((number, i) => Object.is(number, expected[i]))).toBe(true)
})

it('sorts a part of a longer array and leaves the rest', () => {
  const whole = many((i) => (i * 37) % 5000)
  const rest = [...whole.subarray(4000)]
  const part = sortNumbers(whole.subarray(0, 4000))
  expect(part.every((number, i) => i === 0 || number >= part[i - 1]!)).toBe(true)
  expect([...whole.subarray(4000)]).toEqual(rest)
})
