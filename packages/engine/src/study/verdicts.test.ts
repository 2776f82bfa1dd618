import { expect, it } from 'vitest'
import { adjacentCells, stepCells, judgeNeighbourhood } from './report.ts'

it('cells beside one another differ by a step in any of the numbers', () => {
  // 3 by 4: the middle of the first row, a corner, and the inside.
  expect(adjacentCells(1, [3, 4])).toEqual([0, 2, 4, 5, 6])
  expect(adjacentCells(0, [3, 4])).toEqual([1, 4, 5])
  expect(adjacentCells(5, [3, 4])).toHaveLength(8)
  expect(adjacentCells(13, [3, 3, 3])).toHaveLength(26)
  expect(stepCells(5, [3, 4])).toEqual([1, 9, 4, 6])
  expect(stepCells(0, [3, 4])).toEqual([4, 1])
})

it('a best cell whose neighbours do as well is a plateau, one alone is an island', () => {
  const judged = (neighbours: number[]) =>
    judgeNeighbourhood({ best: 1, median: 0.5, least: 0.2, neighbours }, 'sharpe')
  expect(judged([0.9, 0.95, 0.97])).toMatchObject({ verdict: 'good', words: 'The best cell has good neighbours' })
  expect(judged([0.6, 0.7, 0.8])).toMatchObject({ verdict: 'caution', words: 'The best cell has weak neighbours' })
  const island = judged([0.4, 0.5, 0.6])
  expect(island).toMatchObject({ verdict: 'bad', words: 'The best cell is an island' })
  expect(island.sentence).toBe(
    'The best cell has 1.00; the median of the 3 adjacent cells is 0.50 (0.40 to 0.60), the median of all 0.50. ' +
      'Numbers one step away lose much of the lead, which is how chance finds look.',
  )
  const nearlyEqual = { best: 2.354, median: 2.353, least: 2.29, neighbours: [2.29, 2.352, 2.353] }
  expect(judgeNeighbourhood(nearlyEqual, 'sharpe').verdict).toBe('good')
  expect(judged([])).toMatchObject({ verdict: 'unknown', value: null })
})
