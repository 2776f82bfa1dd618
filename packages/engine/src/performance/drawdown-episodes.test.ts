import { expect, it } from 'vitest'
import { drawdownEpisodes, longestDrawdown } from './drawdown.ts'

const values = [1, 1, 0.9, 0.8, 1, 1.2, 1.1, 1.3, 1.04]

it('finds every fall, its lowest point and when it was made good', () => {
  const episodes = drawdownEpisodes(values)
  expect(episodes.map(({ peak, trough, recovery }) => [peak, trough, recovery])).toEqual([
    [0, 3, 4],
    [5, 6, 7],
    [7, 8, undefined],
  ])
  expect(episodes.map(({ depth }) => Number(depth.toFixed(4)))).toEqual([-0.2, -0.0833, -0.2])
})

it('counts the longest one in days, one that lasts until the end', () => {
  const dayOf = (index: number) => index * 10
  expect(longestDrawdown(drawdownEpisodes(values), dayOf, 8)).toBe(40)
  expect(longestDrawdown(drawdownEpisodes([1, 2, 3]), dayOf, 2)).toBe(0)
})
