import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { codeColumns } from '../coded-matrix.ts'
import { rowRange } from '../splits.ts'
import type { ForestGrowth, ForestJob } from './job.ts'
import { growLargeForest, prepareRows, growSmallForest } from './compiled-fit.ts'
import { growReferenceForest } from './reference-implementation.ts'

const never = () => false

/** Columns with many values, few values, ties and one constant; labels that lean on the first two. */
function makeJob(trainCount: number, testCount: number, seed: number, settings: Partial<ForestJob> = {}): ForestJob {
  const random = new Random(seed)
  const rows = trainCount + testCount
  const columns = [
    Float64Array.from({ length: rows }, () => random.float()),
    Float64Array.from({ length: rows }, () => random.below(5)),
    Float64Array.from({ length: rows }, () => Math.round(random.float() * 40) / 40),
    new Float64Array(rows).fill(7),
    Float64Array.from({ length: rows }, () => random.float() ** 3),
  ]
  const labels = Int8Array.from({ length: rows }, (_, row) =>
    columns[0]![row]! + columns[1]![row]! / 10 + random.float() > 1.1 ? 1 : 0,
  )
  const trainRows = rowRange(0, trainCount)
  return {
    matrix: codeColumns(columns, trainRows),
    labels,
    columns: rowRange(0, columns.length),
    trainRows,
    testRows: rowRange(trainCount, rows),
    candidates: 2,
    minSamplesLeaf: 1,
    minSamplesSplit: 2,
    bootstrap: true,
    seed,
    treeFrom: 0,
    treeTo: 2,
    treesPerSum: 3,
    keepTrees: false,
    outOfBag: false,
    ...settings,
  }
}

const large = (job: ForestJob) => growLargeForest({ ...job, prepared: prepareRows(job, crypto.randomUUID()) }, never)
const small = (job: ForestJob) => growSmallForest(job, never)
const plain = (growth: ForestGrowth) => Object.fromEntries(Object.entries(growth).map(([k, v]) => [k, [...v]]))

describe('the forest kernel equals its reference implementation to the last bit', () => {
  it.each([
    1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300,
  ])('with %i training rows', (rows) => {
    for (const keepTrees of [false, true]) {
      const job = makeJob(rows, 40, rows, { keepTrees, treeTo: 4 })
      const expected = plain(growReferenceForest(job))
      expect(plain(small(job))).toEqual(expected)
      expect(plain(large(job))).toEqual(expected)
    }
  })

  it.each([3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129])(
    'with nodes of %i rows, sorted by one to four columns at once',
    (rows) => {
      for (const candidates of [1, 2, 3, 4]) {
        for (const minSamplesLeaf of [1, 3]) {
          const settings = { candidates, minSamplesLeaf, bootstrap: false, keepTrees: true }
          const job = makeJob(rows, 10, rows, settings)
          expect(plain(small(job))).toEqual(plain(growReferenceForest(job)))
        }
      }
    },
  )

  it.each([2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 254, 255, 300])(
    'with %i values in a column: bins are looked at in runs of sixteen, and in fours of those',
    (values) => {
      const random = new Random(values)
      const columns = Array.from({ length: 5 }, (_, i) =>
        Float64Array.from({ length: 640 }, () => Math.floor(values * random.float() ** (i + 1))),
      )
      for (const [candidates, minSamplesLeaf] of [
        [1, 1],
        [2, 40],
        [3, 1],
        [3, 150],
        [5, 7],
      ] as const) {
        const job = makeJob(600, 40, values, { candidates, minSamplesLeaf, keepTrees: true })
        const coded = { ...job, matrix: codeColumns(columns, job.trainRows) }
        expect(plain(small(coded))).toEqual(plain(growReferenceForest(coded)))
      }
    },
  )

  it('takes a cut that leaves exactly the least number of rows, on either side, at the top of a large tree', () => {
    const rows = 6_000
    for (const leaf of [700, rows - 700]) {
      const split = Float64Array.from({ length: rows + 40 }, (_, row) => (row % rows < leaf ? 0 : 1))
      const labels = Int8Array.from(split, (value, row) => (row % 9 === 0 ? 1 - value : value))
      const settings = {
        candidates: 1,
        minSamplesLeaf: 700,
        bootstrap: false,
        keepTrees: true,
        columns: rowRange(0, 1),
        labels,
      }
      const job = makeJob(rows, 40, 1, settings)
      const coded = { ...job, matrix: codeColumns([split], job.trainRows) }
      const expected = plain(growReferenceForest(coded))
      expect(new Set(expected['treeSizes'])).toEqual(new Set([3]))
      expect(plain(large(coded))).toEqual(expected)
    }
  })

  it.each([60, 64, 68, 400])('where no first cut of %i rows gains anything', (rows) => {
    const columns = [0, 1, 2].map((shift) => Float64Array.from({ length: rows + 8 }, (_, row) => (row >> shift) & 1))
    const labels = Int8Array.from({ length: rows + 8 }, (_, row) => ((row >> 1) ^ row) & 1)
    for (const candidates of [1, 2, 3]) {
      const settings = { candidates, bootstrap: false, keepTrees: true, columns: rowRange(0, 3), labels }
      const job = makeJob(rows, 8, rows, settings)
      const coded = { ...job, matrix: codeColumns(columns, job.trainRows) }
      expect(plain(small(coded))).toEqual(plain(growReferenceForest(coded)))
    }
  })

  it('draws no more columns once one varied, even where its cuts leave too few rows', () => {
    const uneven = () => Float64Array.from({ length: 12 }, (_, row) => (row === 3 ? 1 : 0))
    const halves = Float64Array.from({ length: 12 }, (_, row) => (row < 5 ? 0 : 1))
    const columns = [uneven(), uneven(), uneven(), uneven(), new Float64Array(12), halves]
    const settings = { candidates: 5, minSamplesLeaf: 5, bootstrap: false, keepTrees: true, treeTo: 60 }
    const job = makeJob(10, 2, 1, { ...settings, columns: rowRange(0, 6), labels: Int8Array.from(halves) })
    const coded = { ...job, matrix: codeColumns(columns, job.trainRows) }
    const expected = plain(growReferenceForest(coded))
    expect(new Set(expected['treeSizes'])).toEqual(new Set([1, 3]))
    expect(plain(small(coded))).toEqual(expected)
  })

  it.each([14, 15, 16, 31, 32, 70])('with %i columns: the codes of a row fill a register, or more', (count) => {
    for (const candidates of [2, 3, 6]) {
      const columns = Int32Array.from({ length: count }, (_, i) => i % 5)
      const job = makeJob(150, 60, count, { columns, candidates })
      expect(plain(small(job))).toEqual(plain(growReferenceForest(job)))
      expect(plain(large(job))).toEqual(plain(growReferenceForest(job)))
    }
  })

  it.each([1023, 1024, 2046, 2047])('at the block tier’s bounds: %i training rows', (rows) => {
    const job = makeJob(rows, 100, rows, { bootstrap: false, keepTrees: true, treeTo: 1 })
    const expected = plain(growReferenceForest(job))
    expect(plain(small(job))).toEqual(expected)
    expect(plain(large(job))).toEqual(expected)
  })

  it.each([1023, 1024])(
    'with %i of 2,047 rows in the positive class: the lighter one fills its ten bits',
    (positives) => {
      const job = makeJob(2047, 30, 9, { bootstrap: false, keepTrees: true, treeTo: 1 })
      const labels = Int8Array.from(job.labels, (_, row) => ((row * 1009) % 2047 < positives ? 1 : 0))
      const expected = plain(growReferenceForest({ ...job, labels }))
      expect(expected['nodes']?.[3]).toBe(positives)
      expect(plain(small({ ...job, labels }))).toEqual(expected)
    },
  )

  it.each([
    [2, 127],
    [4, 63],
    [16, 127],
    [63, 4],
    [64, 3],
    [64, 4],
    [64, 5],
    [65, 4],
    [33, 11],
    [52, 7],
    [85, 3],
    [127, 2],
    [128, 3],
  ])('with %i rows drawn about %i times each: a node is sorted up to a weight of 362', (rows, times) => {
    for (const extra of [0, 1, 2, 3]) {
      const draws = Uint8Array.from({ length: rows }, (_, row) => Math.min(127, times + (row < extra ? -1 : 0)))
      const job = makeJob(rows, 40, 7 * rows, { bootstrap: false, keepTrees: true, treeTo: 3 })
      expect(plain(growSmallForest(job, never, never, draws))).toEqual(plain(growReferenceForest(job, draws)))
    }
  })

  it.each([2047, 2048, 2049, 4096, 5000])('across both tiers: %i training rows', (rows) => {
    for (const bootstrap of [true, false]) {
      const job = makeJob(rows, 50, rows, { bootstrap, keepTrees: bootstrap, treeTo: 1 })
      expect(plain(large(job))).toEqual(plain(growReferenceForest(job)))
    }
  })

  it.each([2048, 2049, 3000])('with %i test rows, more than a block routes', (testRows) => {
    const job = makeJob(200, testRows, 3)
    expect(plain(large(job))).toEqual(plain(growReferenceForest(job)))
    if (testRows === 2048) expect(plain(small(job))).toEqual(plain(growReferenceForest(job)))
  })

  it.each([
    { minSamplesLeaf: 3, minSamplesSplit: 8 },
    { minSamplesLeaf: 20 },
    { candidates: 1 },
    { candidates: 3 },
    { candidates: 4 },
    { candidates: 5 },
    { treeFrom: 5, treeTo: 8 },
  ])('with %o', (settings) => {
    const job = makeJob(400, 60, 11, settings)
    expect(plain(small(job))).toEqual(plain(growReferenceForest(job)))
    const big = makeJob(2500, 20, 12, { ...settings, treeTo: (settings.treeFrom ?? 0) + 1 })
    expect(plain(large(big))).toEqual(plain(growReferenceForest(big)))
  })

  it('in what it sums up out of the bag', () => {
    for (const rows of [150, 2300]) {
      const job = makeJob(rows, 0, 5, { outOfBag: true, keepTrees: true, treeTo: 4 })
      const expected = plain(growReferenceForest(job))
      expect(plain(large(job))).toEqual(expected)
      if (rows === 150) expect(plain(small(job))).toEqual(expected)
    }
  })
})

it('grows the same forest whether or not it skips branches without test rows', () => {
  const job = makeJob(600, 90, 21, { treeTo: 20 })
  expect([...small(job).testSums]).toEqual([...small({ ...job, keepTrees: true }).testSums])
})

it('draws every row of a bag as often as any other, in bags that do not know each other', () => {
  const rows = 40
  const trees = 20_000
  const { outOfBagCounts } = small(makeJob(rows, 0, 3, { outOfBag: true, treeTo: trees }))
  const missed = (1 - 1 / rows) ** rows
  const error = Math.sqrt(trees * missed * (1 - missed))
  for (const count of outOfBagCounts) expect(Math.abs(count - trees * missed)).toBeLessThan(5 * error)
  const missedBy = (seed: number) => small(makeJob(rows, 0, 3, { seed, outOfBag: true, treeTo: 1 })).outOfBagCounts
  const bags = Array.from({ length: 400 }, (_, seed) => [...missedBy(seed)].join(''))
  expect(new Set(bags).size).toBe(bags.length)
})
