import { expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'

it('changes with any value, with the order and with the borders of columns', () => {
  const base = [Float64Array.of(1, 2, 3), Float64Array.of(4)]
  const others = [
    [Float64Array.of(1, 2, 3 + Number.EPSILON * 2), Float64Array.of(4)],
    [Float64Array.of(4), Float64Array.of(1, 2, 3)],
    [Float64Array.of(1, 2), Float64Array.of(3, 4)],
    [Float64Array.of(1, 2, 3, 4)],
    [Float64Array.of(1, 2, -3), Float64Array.of(4)],
    [],
  ]
  const prints = [base, ...others].map(fingerprint)
  expect(new Set(prints).size).toBe(prints.length)
  for (const print of prints) expect(print).toMatch(/^[0-9a-f]{16}$/)
})

it('sees a part of a larger buffer as that part', () => {
  const whole = Float64Array.of(9, 1, 2, 9)
  expect(fingerprint([whole.subarray(1, 3)])).toBe(fingerprint([Float64Array.of(1, 2)]))
})

it('spreads over many near neighbours', () => {
  const prints = new Set(Array.from({ length: 20_000 }, (_, i) => fingerprint([Float64Array.of(i / 7, 1, 2)])))
  expect(prints.size).toBe(20_000)
})
