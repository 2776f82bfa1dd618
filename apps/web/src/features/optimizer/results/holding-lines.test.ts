import { expect, it } from 'vitest'
import { sampleRun } from '../test-support/sample-run.ts'
import { holdingLines } from './holding-card.tsx'

it('lays buy and hold beside the winner, and goes on with the hold-out where the test ended', () => {
  const [winner, held] = holdingLines(sampleRun().results!.buy_and_hold!)
  expect([winner!.name, held!.name]).toEqual(['Winner', 'Buy and hold'])
  expect(winner!.points.map(({ value }) => value)).toEqual([1, 1.2, 1.2, 1.2 * 1.05])
  expect(held!.points.map(({ value }) => value)).toEqual([1, 1.3, 1.3, 1.3 * 1.1])
  const times = winner!.points.map(({ time }) => time)
  expect(times.toSorted((a, b) => a - b)).toEqual(times)
})
