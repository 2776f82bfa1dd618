import { expect, it } from 'vitest'
import { dataOf } from './draw-chart.ts'

it('leaves a gap where a series has no value', () => {
  const points = [
    { time: 1, value: 100 },
    { time: 2, value: null },
    { time: 3, value: 0 },
  ]
  expect(dataOf(points)).toEqual([{ time: 1, value: 100 }, { time: 2 }, { time: 3, value: 0 }])
})
