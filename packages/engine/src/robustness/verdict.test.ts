import { expect, it } from 'vitest'
import { runBoard } from './board.ts'
import { allocationStudy, SMALL_EFFORT, timingStudy } from './test-support/studies.ts'

// Few seeds; `npm run campaign` takes 200 of each, and docs/method.md has its rates.
const SEEDS = Array.from({ length: 5 }, (_, i) => i + 1)
const genuine = (boards: readonly ReturnType<typeof runBoard>[]) =>
  boards.filter(({ verdict }) => verdict.words === 'Looks genuine').length

it('does not call noise genuine', () => {
  expect(genuine(SEEDS.map((seed) => runBoard(timingStudy(seed, 0), seed, SMALL_EFFORT)))).toBeLessThanOrEqual(1)
  expect(genuine(SEEDS.map((seed) => runBoard(allocationStudy(seed, 0), seed, SMALL_EFFORT)))).toBeLessThanOrEqual(1)
})

it('calls a planted edge genuine', () => {
  expect(genuine(SEEDS.map((seed) => runBoard(timingStudy(seed, 1.5), seed, SMALL_EFFORT)))).toBeGreaterThanOrEqual(3)
  expect(genuine(SEEDS.map((seed) => runBoard(allocationStudy(seed, 0.9), seed, SMALL_EFFORT)))).toBeGreaterThanOrEqual(
    4,
  )
})
