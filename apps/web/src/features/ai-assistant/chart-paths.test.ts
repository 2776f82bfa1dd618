import { expect, it } from 'vitest'
import { chartPaths } from './message-list.tsx'

it('draws from the lowest value at the foot to the highest at the top', () => {
  expect(chartPaths([10, 20, 15])).toMatchObject({ line: 'M0.0 120.0L300.0 0.0L600.0 60.0', lowest: 10, highest: 20 })
})

it('draws a flat line through the middle', () => {
  expect(chartPaths([5, 5]).line).toBe('M0.0 60.0L600.0 60.0')
})
