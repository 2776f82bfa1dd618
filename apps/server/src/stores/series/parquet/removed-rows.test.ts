import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SeriesKey } from '../runs.ts'
import { joinRemoved, packRuns, removedBy, type RemovedRun, unpackRuns } from './removed-rows.ts'

const words: SeriesKey = {
  ticker: 'A',
  granularity: '1d',
  category: 'close',
  provider: 'yahoo',
  type: 'security',
  currency: 'USD',
}
const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -1e9, max: 1e9 }),
  fc.integer({ min: 0, max: 1e7 }).map((cents) => cents / 100),
  fc.constantFrom(0, -0, 1e300, 5e-324, 2 ** 53, -(2 ** 53), 86_400_000, Number.NaN),
)
const run = fc
  .tuple(fc.string(), fc.array(fc.array(number, { minLength: 6, maxLength: 6 }), { maxLength: 20 }))
  .map(([ticker, rows]): RemovedRun => {
    const column = (at: number) => Float64Array.from(rows, (row) => row[at]!)
    return {
      words: { ...words, ticker },
      column: {
        timestamps: column(0),
        values: column(1),
        knownAt: column(2),
        collectedAt: column(3),
        storedVersions: column(4),
      },
      removedVersions: column(5),
    }
  })

describe('packed records of the past', () => {
  it('come back to the last bit', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 4 }), (runs) => {
        expect(unpackRuns(packRuns(runs))).toEqual(runs)
      }),
    )
  })

  it('are joined series by series in the order of their changes', () => {
    const days = (...stamps: number[]) => Float64Array.from(stamps)
    const removed = (version: number, stamp: number, value: number) =>
      removedBy(
        [
          {
            words,
            column: {
              timestamps: days(stamp),
              values: days(value),
              knownAt: days(Number.NaN),
              collectedAt: days(stamp),
              storedVersions: days(version - 1),
            },
          },
        ],
        version,
      )
    const [joined, ...others] = joinRemoved([removed(4, 10, 1.5), removed(7, 10, 1.25), removed(9, 5, 3)])
    expect(others).toEqual([])
    expect([...joined!.removedVersions]).toEqual([4, 7, 9])
    expect([...joined!.column.values]).toEqual([1.5, 1.25, 3])
  })
})
