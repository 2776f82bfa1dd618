import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trainTestSplit, type RowSpan, walkForwardWindows, type WindowSizes, windowSizes } from './splits.ts'

const rows = ({ from, to }: RowSpan) => Array.from({ length: to - from }, (_, i) => from + i)
const windowsOf = (rowCount: number, sizes: WindowSizes) =>
  walkForwardWindows(rowCount, sizes).map(({ train, test }) => [rows(train), rows(test)])

describe('walkForwardWindows', () => {
  it('rolls forward', () => {
    expect(windowsOf(6, { train: 2, gap: 0, test: 1, step: 1 })).toEqual([
      [[0, 1], [2]],
      [[1, 2], [3]],
      [[2, 3], [4]],
      [[3, 4], [5]],
    ])
  })

  it('leaves out rows whose labels reach into the test', () => {
    expect(windowsOf(6, { train: 2, gap: 1, test: 1, step: 1 })).toEqual([
      [[0, 1], [3]],
      [[1, 2], [4]],
      [[2, 3], [5]],
    ])
  })

  it('can grow from the first row and end with a shorter test', () => {
    expect(windowsOf(6, { train: 3, gap: 0, test: 2, step: 2, anchored: true, partial: true })).toEqual([
      [
        [0, 1, 2],
        [3, 4],
      ],
      [[0, 1, 2, 3, 4], [5]],
    ])
  })

  it('makes as many models as FreqAI from 30 days of training and weekly tests over two months', () => {
    // 2021-05-01 to 07-01 is 61 days of test, with the training days before them.
    expect(windowsOf(30 + 61, { train: 30, gap: 0, test: 7, step: 7 })).toHaveLength(8)
  })

  it('never lets a window see its test rows, whatever its sizes', () => {
    const size = fc.integer({ min: 1, max: 40 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), size, size, size, fc.nat(20), (n, train, test, step, gap) => {
        for (const window of walkForwardWindows(n, { train, gap, test, step })) {
          expect(window.train.from).toBeGreaterThanOrEqual(0)
          expect(window.train.to + gap).toBe(window.test.from)
          expect(window.test.to).toBeLessThanOrEqual(n)
        }
      }),
    )
  })

  it('refuses a step of no rows', () => {
    expect(() => walkForwardWindows(10, { train: 2, gap: 0, test: 1, step: 0 })).toThrow(RangeError)
  })
})

describe('windowSizes', () => {
  it('takes percentages of the rows and a quarter of the test as the step [BT-168]', () => {
    expect(windowSizes(1000, { trainPct: 50, testPct: 10, stepPct: undefined }, 5)).toEqual({
      train: 495,
      gap: 5,
      test: 100,
      step: 25,
    })
  })

  it('steps by at least 1 %, and by at least one row', () => {
    expect(windowSizes(1000, { trainPct: 50, testPct: 2, stepPct: undefined }, 1).step).toBe(10)
    expect(windowSizes(50, { trainPct: 50, testPct: 4, stepPct: undefined }, 1).step).toBe(1)
  })

  it.each([
    [{ trainPct: 0, testPct: 10 }, 'The train window must be above 0% and below 100%, was 0%.'],
    [{ trainPct: 50, testPct: 100 }, 'The test window must be above 0% and below 100%, was 100%.'],
    [{ trainPct: 95, testPct: 10 }, 'Train and test window together are 105% of the data: at most 100% are allowed.'],
    [{ trainPct: 50, testPct: 10, stepPct: 0 }, 'The step size must be from 1% to 100%, was 0%.'],
    [{ trainPct: 50, testPct: 10, stepPct: 0.5 }, 'The step size must be from 1% to 100%, was 0.5%.'],
    [{ trainPct: 50, testPct: 10, stepPct: 150 }, 'The step size must be from 1% to 100%, was 150%.'],
  ])('refuses %j', (percentages, message) => {
    expect(() => windowSizes(1000, { stepPct: undefined, ...percentages }, 1)).toThrow(message)
  })

  it('refuses windows that the data cannot fill', () => {
    expect(() => windowSizes(8, { trainPct: 50, testPct: 10, stepPct: undefined }, 5)).toThrow(
      'A train window of 50% and a test window of 10% are too small for 8 rows of data.',
    )
  })
})

it('splits rows into two parts, without those whose labels reach into the second', () => {
  expect(trainTestSplit(100, 70, 5)).toEqual({ train: { from: 0, to: 65 }, test: { from: 70, to: 100 } })
})

it.each([
  [100, 0, 'The train size must be above 0% and below 100%, was 0%.'],
  [100, 100, 'The train size must be above 0% and below 100%, was 100%.'],
  [10, 50, '10 rows of data are too few for a train size of 50%.'],
])('refuses to split %i rows at %i %%', (rowCount, trainPct, message) => {
  expect(() => trainTestSplit(rowCount, trainPct, 5)).toThrow(message)
})
