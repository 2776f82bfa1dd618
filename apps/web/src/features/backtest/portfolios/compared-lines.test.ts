import { expect, it } from 'vitest'
import { drawdownsOf, linesOf, yearReturnsOf } from './compared-lines.ts'

it('measures drawdowns from the highest value so far, the start included', () => {
  expect(drawdownsOf([0.9, 1.2, 0.6, 1.2])).toEqual([expect.closeTo(-0.1), 0, -0.5, 0])
})

it('has returns of twelve months from the second year on, from the last close a year before', () => {
  const dates = ['2020-01-02', '2020-07-01', '2021-01-03', '2021-07-01']
  expect(yearReturnsOf([1, 2, 3, 5], dates)).toEqual([null, null, 2, 1.5])
})

it('draws the growth of ten thousand dollars, and tells equal names apart', () => {
  const one = { name: 'Core', dates: ['2020-01-02', '2020-01-03'], growth: [1, 1.1] }
  const lines = linesOf([one, one], 'Value')
  expect(lines.map(({ name }) => name)).toEqual(['Core', 'Core (2)'])
  expect(lines[0]!.points.map(({ value }) => value)).toEqual([10_000, expect.closeTo(11_000)])
})
