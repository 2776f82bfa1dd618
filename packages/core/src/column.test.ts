import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lastAtOrBefore, lowerBound } from './column.ts'

it('finds the same places as a walk through the column', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: -1, max: 21 }), (values, wanted) => {
      const sorted = Float64Array.from(values).sort()
      const firstNotBelow = sorted.findIndex((value) => value >= wanted)
      expect(lowerBound(sorted, wanted)).toBe(firstNotBelow === -1 ? sorted.length : firstNotBelow)
      expect(lastAtOrBefore(sorted, wanted)).toBe(sorted.findLastIndex((value) => value <= wanted))
    }),
  )
})
