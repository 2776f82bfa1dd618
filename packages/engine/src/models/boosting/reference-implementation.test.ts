import { Random } from '@tradewright/core/random'
import { expect, it } from 'vitest'
import { codeColumns } from '../coded-matrix.ts'
import { rowRange } from '../splits.ts'
import { growBoosting } from './grow.ts'
import type { BoostingGrowth, BoostingJob } from './booster.ts'
import { isLarge, fitsWideLayout } from './large-booster.ts'
import { type BoostingSettings, defaultBoostingSettings } from '../settings.ts'
import { growReferenceBoosting } from './reference-implementation.ts'

const known = (value: number) => (Number.isNaN(value) ? 0.9 : value)

function makeJob(
  trainCount: number,
  settings: Partial<BoostingSettings> = {},
  { missing = 0, validation = 0, columns: count = 5 } = {},
): BoostingJob {
  const random = new Random(trainCount)
  const rows = trainCount + validation + 30
  const columns = Array.from({ length: count }, (_, column) =>
    Float64Array.from({ length: rows }, () => {
      if (random.float() < missing) return NaN
      return column === 1 ? random.below(6) : column === 3 ? 2 : random.float()
    }),
  )
  const labels = Int8Array.from({ length: rows }, (_, row) => {
    return known(columns[0]![row]!) + known(columns[1]?.[row] ?? 0) / 12 + random.float() > 1.1 ? 1 : 0
  })
  const trainRows = rowRange(0, trainCount)
  return {
    matrix: codeColumns(columns, trainRows),
    labels,
    columns: rowRange(0, count),
    trainRows,
    validationRows: rowRange(trainCount, trainCount + validation),
    testRows: rowRange(trainCount + validation, rows),
    settings: { ...defaultBoostingSettings, rounds: 4, ...settings },
    keepTrees: true,
  }
}

const plain = (growth: BoostingGrowth) => ({
  ...growth,
  testMargins: [...growth.testMargins],
  trees: growth.trees.map((tree) => ({ links: [...tree.links], numbers: [...tree.numbers] })),
})
const expectEqual = (job: BoostingJob) =>
  expect(plain(growBoosting(job, () => false))).toEqual(plain(growReferenceBoosting(job)))

it.each([1, 2, 10, 16, 17, 32, 33, 63, 64, 65, 66, 128, 129, 256, 257, 258, 511, 512, 513, 600, 3000])(
  'boosting equals its reference implementation with %i rows',
  (rows) => {
    expectEqual(makeJob(rows))
    expectEqual(makeJob(rows, {}, { missing: 0.2 }))
  },
)

it('boosting equals its reference implementation whatever was fitted before', () => {
  const job = makeJob(3000)
  growBoosting(makeJob(20_000, { rounds: 1 }, { columns: 24 }), () => false)
  expectEqual(job)
})

it.each([4096, 4097, 4609])(
  'boosting equals its reference implementation with %i rows, whose codes leave the near caches',
  (rows) => {
    expectEqual(makeJob(rows, { rounds: 2 }, { missing: 0.05 }))
    expectEqual(makeJob(rows, { rounds: 1, colsample: 0.7, subsample: 0.99 }))
  },
)

it.each([32_767, 32_768])(
  'boosting equals its reference implementation with %i rows, around the first large fit',
  (rows) => {
    const job = makeJob(rows, { rounds: 2, maxDepth: 4 }, { missing: 0.05 })
    expect(isLarge(job)).toBe(rows >= 32_768)
    expectEqual(job)
  },
)

it.each<[number, Partial<BoostingSettings>]>([
  [1, { maxDepth: 1 }],
  [3, { maxDepth: 2, subsample: 0.6 }],
  // Blocks, and in them nodes of all sizes.
  [4, { maxDepth: 8, minChildWeight: 0 }],
  [8, { maxDepth: 3, colsample: 0.6 }],
  [9, { maxDepth: 6, minChildWeight: 400 }],
  [20, { maxDepth: 2, gamma: 3, lambda: 20 }],
  [25, { maxDepth: 2, subsample: 0.9, colsample: 0.5 }],
])('large boosting equals its reference implementation with %i columns and %o', (columns, settings) => {
  const job = makeJob(33_000, { rounds: 2, ...settings }, { missing: 0.1, columns, validation: 4500 })
  expectEqual(job)
})

it.each<Partial<BoostingSettings>>([
  { maxDepth: 6 },
  { maxDepth: 8, minChildWeight: 0, subsample: 0.5 },
  { maxDepth: 2, colsample: 0.3 },
])('large boosting equals its reference implementation when there is room for its codes twice, with %o', (settings) => {
  const job = makeJob(33_000, { rounds: 1, ...settings }, { missing: 0.1, columns: 60, validation: 4500 })
  expect(fitsWideLayout(job, 1)).toBe(true)
  expectEqual(job)
})

// With the 30 rows of the test: lists of one, two and three chunks of 512, one row more and one less.
it.each([481, 482, 483, 993, 994, 995, 1506, 1507])('%i rows and 30 more are divided in place', (validation) => {
  const job = makeJob(32_800, { rounds: 2, maxDepth: 3 }, { missing: 0.1, columns: 3, validation })
  expect(fitsWideLayout(job, 1)).toBe(false)
  expectEqual(job)
})

it.each([2, 3, 4, 5, 7, 8, 9, 12, 13, 20])(
  'boosting equals its reference implementation with %i columns',
  (columns) => {
    expectEqual(makeJob(400, { rounds: 2 }, { columns }))
    expectEqual(makeJob(400, { rounds: 2, colsample: 0.6 }, { columns, missing: 0.3 }))
  },
)

it.each<Partial<BoostingSettings>>([
  { maxDepth: 1 },
  { maxDepth: 3, eta: 0.1 },
  { lambda: 0 },
  { lambda: 0, minChildWeight: 0 },
  { lambda: 1000, minChildWeight: 0 },
  { lambda: 1e6 },
  { gamma: 2 },
  { minChildWeight: 0 },
  { minChildWeight: 15 },
  { subsample: 0.5, seed: 3 },
  { colsample: 0.4, seed: 4 },
])('boosting equals its reference implementation with %o', (settings) => {
  expectEqual(makeJob(300, settings, { missing: 0.1, columns: 7 }))
})

it.each([60, 300, 1000])(
  'boosting equals its reference implementation with %i rows once it is sure of nearly all labels',
  (rows) => {
    const certain = { rounds: 40, eta: 1, lambda: 0.01, minChildWeight: 0 }
    expectEqual(makeJob(rows, certain))
    expectEqual(makeJob(rows, { ...certain, lambda: 0 }, { missing: 0.2 }))
  },
)

it('boosting equals its reference implementation when it stops early', () => {
  const job = makeJob(120, { rounds: 60, earlyStoppingRounds: 3 }, { validation: 80 })
  expectEqual(job)
  const growth = growBoosting(job, () => false)
  expect(growth.rounds).toBeLessThan(60)
  expect(growth.validationLosses).toHaveLength(growth.rounds + 3)
})
