import { expect, it } from 'vitest'
import { windowLayout } from './window-layout.ts'

it('rolls forward by the step until a test window no longer fits', () => {
  expect(windowLayout(50, 10, 20)).toEqual([
    { trainFrom: 0, testFrom: 50, testTo: 60 },
    { trainFrom: 20, testFrom: 70, testTo: 80 },
    { trainFrom: 40, testFrom: 90, testTo: 100 },
  ])
  expect(windowLayout(50, 10, 2.5)).toHaveLength(17)
})

it('has no window where the numbers make none', () => {
  expect(windowLayout(95, 10, 5)).toEqual([])
  expect(windowLayout(0, 10, 5)).toEqual([])
  expect(windowLayout(50, 10, null)).toEqual([])
  expect(windowLayout(Number.NaN, 10, 5)).toEqual([])
})
