import { expect, it } from 'vitest'
import { runBoard } from './board.ts'
import type { BoardMaterial } from './material.ts'
import { allocationStudy, SMALL_EFFORT, timingStudy } from './test-support/studies.ts'

const SEEDS = 200

/** The share of boards that look genuine, for seeds 1 to 200. */
function genuineShare(materialOf: (seed: number) => BoardMaterial): number {
  let genuine = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    if (runBoard(materialOf(seed), seed, SMALL_EFFORT).verdict.words === 'Looks genuine') genuine++
  }
  return genuine / SEEDS
}

it.each([
  ['signals on an asset that drifts upwards', (seed: number) => timingStudy(seed, 0)],
  ['signals on an asset that goes nowhere', (seed: number) => timingStudy(seed, 0, 0)],
  ['a mix of assets that go nowhere', (seed: number) => allocationStudy(seed, 0)],
])('calls at most 5 in 100 strategies of noise genuine: %s', (_, materialOf) => {
  expect(genuineShare(materialOf)).toBeLessThanOrEqual(0.05)
})

it.each([
  ['timing that is worth a Sharpe ratio of 1.5 of its asset', (seed: number) => timingStudy(seed, 1.5)],
  ['a mix with a Sharpe ratio of 0.9', (seed: number) => allocationStudy(seed, 0.9)],
])('calls at least 80 in 100 planted edges genuine: %s', (_, materialOf) => {
  expect(genuineShare(materialOf)).toBeGreaterThanOrEqual(0.8)
})
