import { expect, it } from 'vitest'
import { sparklinePoints } from './sparkline.tsx'

it('runs from the left to the right, from the lowest at the bottom to the highest at the top', () => {
  expect(sparklinePoints([1, 3, 2])).toEqual({ line: '0,37 50,3 100,20', start: 37 })
})

it('lies in the middle where nothing changed', () => {
  expect(sparklinePoints([1, 1])).toEqual({ line: '0,20 100,20', start: 20 })
})
