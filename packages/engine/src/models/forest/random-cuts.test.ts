import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { codeColumns } from '../coded-matrix.ts'
import { rowRange } from '../splits.ts'
import { type ForestGrowth, type ForestJob, LEAF, NODE_SIZE } from './job.ts'
import { growRandomCuts } from './random-cuts.ts'
import { growReferenceForest } from './reference-implementation.ts'

function makeJob(trainCount: number, settings: Partial<ForestJob> = {}): ForestJob {
  const random = new Random(trainCount)
  const rows = trainCount + 40
  const columns = [
    Float64Array.from({ length: rows }, () => random.float()),
    Float64Array.from({ length: rows }, () => random.below(5)),
    new Float64Array(rows).fill(7),
    Float64Array.from({ length: rows }, () => random.float() ** 3),
  ]
  const labels = Int8Array.from(columns[0]!, (value, row) =>
    value + columns[1]![row]! / 10 + random.float() > 1.1 ? 1 : 0,
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
    bootstrap: false,
    cuts: 'random',
    seed: 3,
    treeFrom: 0,
    treeTo: 7,
    treesPerSum: 3,
    keepTrees: false,
    outOfBag: false,
    ...settings,
  }
}

const plain = (growth: ForestGrowth) => Object.fromEntries(Object.entries(growth).map(([k, v]) => [k, [...v]]))
const grow = (job: ForestJob) => growRandomCuts(job, () => false)

describe('trees of random cuts equal the reference implementation to the last bit', () => {
  it.each([1, 2, 3, 17, 64, 300, 2047, 2500])('with %i training rows', (rows) => {
    for (const keepTrees of [false, true]) {
      const job = makeJob(rows, { keepTrees, treeTo: rows > 1000 ? 2 : 7 })
      expect(plain(grow(job))).toEqual(plain(growReferenceForest(job)))
    }
  })

  it.each([{ candidates: 1 }, { candidates: 4 }, { minSamplesLeaf: 5 }, { minSamplesSplit: 30 }])(
    'with %o',
    (settings) => {
      const job = makeJob(250, { ...settings, keepTrees: true })
      expect(plain(grow(job))).toEqual(plain(growReferenceForest(job)))
    },
  )
})

it('draws every cut of a column about equally often', () => {
  // One column of five codes and four cuts; the label does not depend on it.
  const columns = [Float64Array.from({ length: 400 }, (_, row) => row % 5)]
  const labels = Int8Array.from({ length: 400 }, (_, row) => (Math.floor(row / 5) % 2 === 0 ? 1 : 0))
  const trainRows = rowRange(0, 400)
  const matrix = codeColumns(columns, trainRows)
  const drawn = makeJob(400, { matrix, labels, columns: rowRange(0, 1), keepTrees: true, treeTo: 2000 })
  const { nodes, treeSizes } = grow({ ...drawn, trainRows, testRows: rowRange(0, 1), minSamplesSplit: 400 })
  const counts = [0, 0, 0, 0]
  let root = 0
  for (const size of treeSizes) {
    const split = nodes[root * NODE_SIZE]!
    if (split !== LEAF) counts[split & 0xff]! += 1
    root += size
  }
  // 2,000 draws give each of the four cuts 500; 5 standard deviations are 97.
  for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(97)
})

it('stops when it is cancelled', () => {
  const job = makeJob(2047, { treeTo: 5000, keepTrees: true })
  expect(() => growRandomCuts(job, () => true)).toThrow('cancelled')
})
