import { DAY } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { dailyBlock } from '../test-support/series-store-suite.ts'
import { assertPossible, findImpossibleRows, refuseImpossibleRows } from './rows.ts'

const reasons = (block: Parameters<typeof findImpossibleRows>[0]) =>
  findImpossibleRows(block).map(({ row, reason, category }) => [row, reason, category])

describe('row validation of the silver layer', () => {
  it('lets good bars through without copying them', () => {
    const block = dailyBlock('AAPL', [1, 2, 3])
    expect(refuseImpossibleRows(block)).toEqual({ accepted: block, refused: [] })
    expect(refuseImpossibleRows(block).accepted).toBe(block)
  })

  it.each([
    [Number.NaN, 'not-a-number'],
    [Number.POSITIVE_INFINITY, 'not-a-number'],
    [0, 'zero-or-negative'],
    [-36.98, 'zero-or-negative'],
  ])('refuses a close of %d', (close, reason) => {
    expect(reasons(dailyBlock('AAPL', [1, close, 3]))).toEqual([[1, reason, 'close']])
  })

  it('lets an observation be negative, since oil and funding rates have been', () => {
    const columns = { value: Float64Array.of(20.1, -36.98) }
    expect(reasons(dailyBlock('DCOILWTICO', [1, 1], { type: 'economic', columns }))).toEqual([])
  })

  it('lets a future cost less than nothing', () => {
    const columns = {
      high: Float64Array.of(20, -37),
      low: Float64Array.of(18, -37),
      close: Float64Array.of(18.27, -37),
    }
    expect(reasons(dailyBlock('CL=F', [1, 1], { type: 'future', columns }))).toEqual([])
    expect(reasons(dailyBlock('AAPL', [1, 1], { columns }))).toMatchObject([[1, 'zero-or-negative', 'high']])
  })

  it('lets a share be worth nothing at its end, and nowhere else', () => {
    const old = { collectedAt: 100 * DAY, timestamps: Float64Array.of(1, 2, 3, 4).map((day) => day * DAY) }
    expect(reasons(dailyBlock('LEHMQ', [2, 0.1, 0, 0], old))).toEqual([])
    expect(reasons(dailyBlock('LEHMQ', [2, 0, 0.1, 0], old))).toEqual([[1, 'zero-or-negative', 'close']])
    // A zero of this week may be a row that was cut short.
    expect(reasons(dailyBlock('LEHMQ', [2, 1, 1, 0], { ...old, collectedAt: 8 * DAY }))).toEqual([
      [3, 'zero-or-negative', 'close'],
    ])
  })

  it('refuses a stamp that repeats or runs backwards, and goes on from the last good one', () => {
    const timestamps = Float64Array.of(1, 3, 3, 2, 4).map((day) => day * DAY)
    expect(reasons(dailyBlock('AAPL', [1, 2, 3, 4, 5], { timestamps }))).toEqual([
      [2, 'duplicate-timestamp', undefined],
      [3, 'time-runs-backwards', undefined],
    ])
  })

  it('refuses a negative volume, an empty row and a high below the low', () => {
    const columns = {
      high: Float64Array.of(2, 1, 2, 2),
      low: Float64Array.of(1, 2, 1, 1),
      close: Float64Array.of(1, 1, 1, Number.NaN),
      volume: Float64Array.of(-1, 1, 0, 1),
    }
    expect(reasons(dailyBlock('AAPL', [1, 1, 1, 1], { columns }))).toEqual([
      [0, 'negative', 'volume'],
      [1, 'bar-contradicts-itself', 'high'],
      [3, 'not-a-number', 'close'],
    ])
  })

  it('takes a missing open as a gap', () => {
    const columns = { open: Float64Array.of(Number.NaN, 2), close: Float64Array.of(1, 2) }
    expect(reasons(dailyBlock('AAPL', [1, 2], { columns }))).toEqual([])
  })

  it('keeps the good rows and names provider, ticker and row of the others', () => {
    const { accepted, refused } = refuseImpossibleRows(dailyBlock('AAPL', [1, -2, 3]))
    expect(accepted.columns['close']).toEqual(Float64Array.of(1, 3))
    expect(refused).toMatchObject([{ provider: 'yahoo', ticker: 'AAPL', row: 1, value: -2 }])
    expect(() => assertPossible(dailyBlock('AAPL', [1, -2]))).toThrow(
      'Impossible data from yahoo for AAPL, row 1: close -2 is zero or negative.',
    )
  })
})
