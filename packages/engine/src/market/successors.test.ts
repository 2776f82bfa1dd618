import { dateOf, dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { adjustPrices, actionsOf } from './corporate-actions.ts'
import type { SeriesTable } from './series.ts'
import { continuedSeries, namesOf, type TickerSuccessor, withSuccessor } from './successors.ts'

const START = dateOf('2026-03-02')

/** Closes from a day of March on, every day. */
const table = (ticker: string, firstDay: number, closes: readonly number[], more = {}): SeriesTable => ({
  ticker,
  granularity: '1d',
  type: 'security',
  currency: 'USD',
  timestamps: Float64Array.from(closes, (_, i) => dayStamp(START + firstDay + i)),
  columns: { close: Float64Array.from(closes), ...more },
  sources: [{ provider: ticker.toLowerCase(), rows: closes.length, from: 0, last: 0, collectedAt: 0 }],
})

const change = (more: Partial<TickerSuccessor> = {}): TickerSuccessor => ({
  from: 'FB',
  to: 'META',
  day: START + 3,
  perShare: 1,
  cashPerShare: 0,
  isRename: true,
  ...more,
})

function continued(successors: readonly TickerSuccessor[], ...tables: readonly SeriesTable[]) {
  const series = new Map(tables.map((one) => [one.ticker, one]))
  return continuedSeries('FB', successors, { series, actions: new Map() }).table
}
const closes = (found: SeriesTable | undefined) => [...(found?.columns['close'] ?? [])]

describe('a ticker whose symbol changed', () => {
  it('has its own prices until the change, and those of its new name since then', () => {
    const found = continued([change()], table('FB', 0, [10, 11, 12]), table('META', 3, [13, 14]))
    expect(closes(found)).toEqual([10, 11, 12, 13, 14])
    expect(found).toMatchObject({ ticker: 'FB', sources: [{ provider: 'fb' }, { provider: 'meta' }] })
  })

  it('keeps its own where the provider gives the new name all of the history, and takes what is missing from it', () => {
    const meta = table('META', 0, [20, 21, 22, 13, 14])
    expect(closes(continued([change()], table('FB', 0, [10, 11]), meta))).toEqual([10, 11, 22, 13, 14])
  })

  it('has the history of the new name where the provider no longer has the old one', () => {
    const found = continued([change()], table('META', 0, [10, 11, 12, 13]))
    expect(closes(found)).toEqual([10, 11, 12, 13])
    expect(found?.ticker).toBe('FB')
  })

  it('does not take what another company trades under the old name since then', () => {
    const reused = table('FB', 0, [10, 11, 12, 99, 98])
    expect(closes(continued([change()], reused, table('META', 3, [13, 14])))).toEqual([10, 11, 12, 13, 14])
  })

  it('keeps the days that the broker was early by', () => {
    const found = continued([change({ day: START + 2 })], table('FB', 0, [10, 11, 12]), table('META', 3, [13]))
    expect(closes(found)).toEqual([10, 11, 12, 13])
  })

  it('goes on alone while there are no prices of the new name', () => {
    expect(closes(continued([change()], table('FB', 0, [10, 11, 12])))).toEqual([10, 11, 12])
  })

  it('goes on under each name that follows, and under its own again', () => {
    const again = change({ from: 'META', to: 'FB', day: START + 4 })
    const found = continued([change(), again], table('FB', 0, [10, 11, 12, 0, 14]), table('META', 3, [13]))
    expect(closes(found)).toEqual([10, 11, 12, 13, 14])
    expect(namesOf('FB', [change(), again])).toEqual(['FB', 'META', 'FB'])
  })
})

describe('a ticker that was merged into another one', () => {
  // Half a share of BIG at 20 and 2 dollars for each one that stood at 12.
  const merger = change({ to: 'BIG', perShare: 0.5, cashPerShare: 2, isRename: false })
  const big = table('BIG', 0, [18, 19, 20, 20, 22])

  it('makes no return of the exchange itself', () => {
    const found = continued([merger], table('FB', 0, [10, 11, 12]), big)!
    const { columns } = adjustPrices(found, actionsOf(found), 'total-return')
    const close = columns['close']!
    expect(close[3]! / close[2]! - 1).toBeCloseTo(0, 12)
    expect(close[4]! / close[3]! - 1).toBeCloseTo(0.1, 12)
  })

  it('has nothing of the other one from before', () => {
    expect(closes(continued([merger], table('FB', 0, [10]), big))).toEqual([10, 20, 22])
    expect(continued([merger], big)).toBeUndefined()
  })
})

it('a change that the broker took back counts no longer', () => {
  const back = change({ from: 'META', to: 'FB', isTakenBack: true })
  expect(withSuccessor([change()], back)).toEqual([])
  expect(withSuccessor([change()], { ...back, isTakenBack: false })).toHaveLength(2)
})
