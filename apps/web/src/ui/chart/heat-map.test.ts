import { expect, it } from 'vitest'
import { heatStep, moved } from './heat-map.tsx'

it('tints by where a value lies between the least and the most', () => {
  expect([0.5, 0.6, 0.99, 1].map((value) => heatStep(value, 0.5, 1))).toEqual([0, 1, 5, 5])
  expect(heatStep(2, 2, 2)).toBe(5)
})

it('moves by arrow keys and stays inside', () => {
  expect(moved('ArrowRight', { row: 0, column: 0 }, 2, 3)).toEqual({ row: 0, column: 1 })
  expect(moved('ArrowUp', { row: 0, column: 1 }, 2, 3)).toEqual({ row: 0, column: 1 })
  expect(moved('End', { row: 1, column: 0 }, 2, 3)).toEqual({ row: 1, column: 2 })
  expect(moved('PageDown', { row: 0, column: 2 }, 2, 3)).toEqual({ row: 1, column: 2 })
  expect(moved('a', { row: 0, column: 0 }, 2, 3)).toBeUndefined()
})
