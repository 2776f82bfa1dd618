import { describe, expect, it } from 'vitest'
import { pointsOf } from './curve-points.ts'
import { drawdownsOf } from '../view.ts'

describe('the points of a curve', () => {
  it('ascend in time, without doubles, and keep their gaps', () => {
    expect(pointsOf(['2024-01-03', '2024-01-02', '2024-01-03'], [1, null, 3])).toEqual([
      { time: 1704153600, value: null },
      { time: 1704240000, value: 3 },
    ])
  })

  it('keep the time of day of bars within the day', () => {
    expect(pointsOf(['2024-01-02T14:30:00Z'], [5])).toEqual([{ time: 1704205800, value: 5 }])
  })
})

it('measures a drawdown from the highest value so far', () => {
  expect(drawdownsOf([100, 80, null, 120, 90])).toEqual([0, expect.closeTo(-0.2), null, 0, -0.25])
  expect(drawdownsOf([0, 0])).toEqual([null, null])
})
