import fc from 'fast-check'
import { expect, it } from 'vitest'
import { portableExp, portableLog } from './noise.ts'

const close = (ours: number, theirs: number) => Math.abs(ours - theirs) <= 4e-16 * Math.max(1, Math.abs(theirs)) * 4

it('agrees with Math.exp to the last few bits', () => {
  fc.assert(fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (x) => close(portableExp(x) / Math.exp(x), 1)))
  expect(portableExp(0)).toBe(1)
})

it('agrees with Math.log to the last few bits', () => {
  fc.assert(fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), (x) => close(portableLog(x), Math.log(x))))
  expect(portableLog(1)).toBe(0)
  expect(() => portableLog(0)).toThrow(RangeError)
})
