import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { fitBoosting, fitAndPredictBoosting } from './boosting/model.ts'
import { defaultBoostingSettings, defaultForestSettings } from './settings.ts'
import { cancel, type IsCancelled, isCancelled, newCancelFlag } from './cancellation.ts'
import { codeColumns } from './coded-matrix.ts'
import { fitAndPredictForest, fitForest } from './forest/fit.ts'
import { encodeLabels } from './model.ts'
import { fitLinear } from './linear/model.ts'
import { rowRange } from './splits.ts'

/**
 * As in kernels/shared/cancel.ts. The largest fits (2 million rows, or 4,096 columns) work at most 17 million visits
 * between two questions, which is well below 100 ms at a few nanoseconds each.
 */
const QUESTION_AFTER = 500_000
const mostBetweenQuestions = (rows: number, columns: number) => QUESTION_AFTER + Math.max(8 * rows, 2304 * columns)

type Shape = [rows: number, columns: number]

const made = new Map<string, ReturnType<typeof makeData>>()

function data(...shape: Shape) {
  const known = made.get(shape.join()) ?? makeData(...shape)
  made.set(shape.join(), known)
  return known
}

function makeData(rows: number, columnCount: number) {
  const random = new Random(rows + columnCount)
  const columns = Array.from({ length: columnCount }, () => Float64Array.from({ length: rows }, () => random.float()))
  const labels = encodeLabels(Array.from(columns[0]!, (value) => (value + random.float() > 1 ? 1 : 0)))
  return { columns, labels, trainRows: rowRange(0, rows) }
}

/** Every kind of fit, given whom to ask. */
const fits: [string, (shape: Shape, ask: IsCancelled) => unknown, Shape[]][] = [
  [
    'forest',
    ([rows, columnCount], ask) => {
      const { columns, labels, trainRows } = data(rows, columnCount)
      const settings = { ...defaultForestSettings, trees: rows < 1000 ? 60 : 2, maxFeatures: columnCount }
      return fitForest({ matrix: codeColumns(columns, trainRows), labels, trainRows, settings }, ask)
    },
    // Many trees of few rows, a node of few rows and many columns, a first node that alone is most of the work.
    [
      [800, 12],
      [2047, 250],
      [20_000, 24],
    ],
  ],
  [
    'boosting',
    ([rows, columnCount], ask) => {
      const { columns, labels, trainRows } = data(rows, columnCount)
      const settings = { ...defaultBoostingSettings, rounds: rows < 1000 ? 40 : 3 }
      return fitBoosting({ matrix: codeColumns(columns, trainRows), labels, trainRows, settings }, ask)
    },
    [
      [800, 12],
      [2047, 250],
      [20_000, 24],
      [40_000, 8],
    ],
  ],
]

describe.each(fits)('a running %s', (_, fit, shapes) => {
  it.each(shapes)('of %i rows by %i columns never works long without asking whether to stop', (rows, columns) => {
    const stretches: number[] = []
    fit([rows, columns], (visits) => {
      if (visits !== undefined) stretches.push(visits)
      return false
    })
    expect(Math.max(...stretches)).toBeLessThan(mostBetweenQuestions(rows, columns))
    // The work is counted, not only asked about: each row of each column is visited more than once.
    expect(stretches.reduce((sum, visits) => sum + visits, 0)).toBeGreaterThan(rows * columns)
  })

  it('stops at the first answer that says so, wherever it comes', () => {
    for (const answer of [1, 2, 5, 9]) {
      let questions = 0
      expect(() => fit([20_000, 24], () => ++questions >= answer)).toThrow('Training was cancelled.')
      expect(questions).toBe(answer)
    }
  })
})

it('a fit after a cancelled one is as if nothing had happened', () => {
  const { columns, labels, trainRows } = data(900, 6)
  const request = { matrix: codeColumns(columns, trainRows), labels, trainRows }
  const test = rowRange(0, 50)
  const forest = (ask?: IsCancelled) =>
    fitAndPredictForest({ ...request, settings: { ...defaultForestSettings, trees: 300 } }, test, ask)
  const boosting = (ask?: IsCancelled) =>
    fitAndPredictBoosting({ ...request, settings: { ...defaultBoostingSettings, rounds: 60 } }, test, ask)
  for (const fit of [forest, boosting]) {
    const expected = [...fit()]
    expect(() => fit((visits) => visits !== undefined)).toThrow('Training was cancelled.')
    expect([...fit()]).toEqual(expected)
  }
})

it('asks before every column that it codes, and before every other product of a linear fit', () => {
  const { columns, labels, trainRows } = data(500, 9)
  let questions = 0
  const ask = () => ++questions < 0
  codeColumns(columns, trainRows, ask)
  expect(questions).toBe(9)
  fitLinear(columns, labels, trainRows, ask)
  expect(questions).toBeGreaterThan(9 + (9 * 10) / 4)
  expect(() => codeColumns(columns, trainRows, () => true)).toThrow('Training was cancelled.')
  expect(() => fitLinear(columns, labels, trainRows, () => true)).toThrow('Training was cancelled.')
})

it('a flag that one thread sets is seen by all', () => {
  const flag = newCancelFlag()
  const elsewhere = structuredClone(flag)
  expect(isCancelled(elsewhere)).toBe(false)
  cancel(flag)
  expect(isCancelled(elsewhere)).toBe(true)
})
