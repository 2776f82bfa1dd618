import { dateOf, dayStamp, formatDate, epochDayOf } from '@tradewright/core/time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readSharedCsv } from '../../../../scripts/shared-data.ts'
import { adjustPrices, undoDividendSplits, undoSplits, noActions } from './corporate-actions.ts'
import type { Rows } from './layers/rows.ts'
import { findMissedSplits } from './quality/series-quality.ts'

const DAY_ONE = dateOf('2024-01-01')

const rowsOf = (close: readonly number[], more: Rows['columns'] = {}): Rows => ({
  timestamps: Float64Array.from(close, (_, i) => dayStamp(DAY_ONE + i)),
  columns: { close: Float64Array.from(close), ...more },
})

describe('adjustPrices', () => {
  it('multiplies earlier prices by 1 - D / previous close', () => {
    // I3E.L, reported by users of yfinance.
    const raw = rowsOf([24.6, 24.5, 23.549_999, 23.2])
    const actions = { ...noActions, dividends: [{ exDay: DAY_ONE + 3, amount: 0.1425 }] }
    const adjusted = adjustPrices(raw, actions, 'total-return').columns['close']!
    const expected = [24.451_146, 24.351_752, 23.407_499, 23.2]
    expected.forEach((price, row) => expect(adjusted[row]).toBeCloseTo(price, 6))
  })

  it('leaves the total return of a share that falls by its dividend at zero', () => {
    const actions = { ...noActions, dividends: [{ exDay: DAY_ONE + 1, amount: 2 }] }
    const { columns } = adjustPrices(rowsOf([100, 98]), actions, 'total-return')
    expect(columns['close']![1]! / columns['close']![0]!).toBeCloseTo(1, 15)
  })

  it('takes two dividends of one day for one payment, and those of a gap between rows one after the other', () => {
    const [one, two] = [
      { exDay: DAY_ONE + 1, amount: 2 },
      { exDay: DAY_ONE + 1, amount: 1 },
    ]
    const { columns } = adjustPrices(rowsOf([100, 97]), { ...noActions, dividends: [one, two] }, 'total-return')
    expect(columns['close']![0]).toBeCloseTo(97, 12)
    const gap = {
      timestamps: Float64Array.of(dayStamp(DAY_ONE), dayStamp(DAY_ONE + 9)),
      columns: { close: Float64Array.of(100, 97) },
    }
    const later = [
      { exDay: DAY_ONE + 3, amount: 2 },
      { exDay: DAY_ONE + 6, amount: 1 },
    ]
    const adjusted = adjustPrices(gap, { ...noActions, dividends: later }, 'total-return')
    expect(adjusted.columns['close']![0]).toBeCloseTo(100 * 0.98 * 0.99, 12)
  })

  it('divides earlier prices by the ratio, pays dividends in cash and counts volume in new shares', () => {
    const raw = rowsOf([100, 26, 27], { volume: Float64Array.of(10, 40, 40) })
    const actions = {
      splits: [{ exDay: DAY_ONE + 1, ratio: 4 }],
      dividends: [
        { exDay: DAY_ONE, amount: 2 },
        { exDay: DAY_ONE + 2, amount: 0.5 },
      ],
    }
    const { columns, dividends } = adjustPrices(raw, actions, 'split')
    expect(columns).toEqual({ close: Float64Array.of(25, 26, 27), volume: Float64Array.of(40, 40, 40) })
    expect(dividends.map(({ amount }) => amount)).toEqual([0.5, 0.5])
    expect(adjustPrices(raw, actions, 'total-return').dividends).toEqual([])
  })

  it('understands a dividend and a split on the same day, paid on new shares', () => {
    const actions = { splits: [{ exDay: DAY_ONE + 1, ratio: 2 }], dividends: [{ exDay: DAY_ONE + 1, amount: 1 }] }
    const close = adjustPrices(rowsOf([100, 49]), actions, 'total-return').columns['close']!
    expect(close[1]! / close[0]!).toBeCloseTo(1, 15)
  })

  it('is undone by undoSplits', () => {
    const anySplits = fc.uniqueArray(
      fc.record({
        exDay: fc.integer({ min: DAY_ONE - 2, max: DAY_ONE + 8 }),
        ratio: fc.constantFrom(0.1, 1.5, 2, 4, 20),
      }),
      { selector: ({ exDay }) => exDay },
    )
    fc.assert(
      fc.property(anySplits, (splits) => {
        const raw = rowsOf([8, 7, 6, 5, 4, 3])
        const again = undoSplits(adjustPrices(raw, { splits, dividends: [] }, 'split'), splits)
        again.columns['close']!.forEach((price, row) => expect(price).toBeCloseTo(raw.columns['close']![row]!, 9))
      }),
    )
    const splits = [{ exDay: DAY_ONE + 1, ratio: 4 }]
    expect(undoDividendSplits([{ exDay: DAY_ONE, amount: 0.5 }], splits)).toEqual([{ exDay: DAY_ONE, amount: 2 }])
  })

  it('refuses a dividend above the price it is paid from', () => {
    const actions = { ...noActions, dividends: [{ exDay: DAY_ONE + 1, amount: 200 }] }
    expect(() => adjustPrices(rowsOf([100, 98]), actions, 'total-return')).toThrow(/dividend of 200 after 2024-01-01/)
  })

  for (const ticker of ['SPY', 'AAPL', 'IBM', 'TLT', 'BIL', 'TQQQ', 'GOOG']) {
    const path = `data/equities/daily/${ticker}.csv`
    it.skipIf(!hasShared(path))(claim(`gives the published adjusted close of ${ticker}`, path), () => {
      const csv = readSharedCsv(path)
      const days = csv['date']!.map(dateOf)
      const [dividend, split] = [numbers(csv['dividend']), numbers(csv['split'])]
      const splits = days.flatMap((exDay, i) => (split[i]! > 0 ? [{ exDay, ratio: split[i]! }] : []))
      const dividends = days.flatMap((exDay, i) => (dividend[i]! > 0 ? [{ exDay, amount: dividend[i]! }] : []))
      const published: Rows = {
        timestamps: Float64Array.from(days, dayStamp),
        columns: { close: numbers(csv['close']) },
      }
      // The file is split-adjusted; what we store is raw.
      const raw = undoSplits(published, splits)
      const actions = { splits, dividends: undoDividendSplits(dividends, splits) }
      const ours = adjustPrices(raw, actions, 'total-return').columns['close']!
      const theirs = numbers(csv['adj_close'])
      const scale = theirs.at(-1)! / ours.at(-1)!
      // Their factors were rounded to float32, some hundred times over; returns agree closely.
      for (let row = 1; row < ours.length; row++) {
        expect(Math.abs(ours[row]! / ours[row - 1]! - theirs[row]! / theirs[row - 1]!)).toBeLessThan(3e-4)
      }
      expect(Math.abs((ours[0]! * scale) / theirs[0]! - 1)).toBeLessThan(0.002)
    })
  }
})

describe('findMissedSplits', () => {
  const prices = 'data/equities/raw_with_actions/AAPL.csv'

  it.skipIf(!hasShared(prices))(
    claim("finds Apple's splits when no provider reported them, and its one crash", prices),
    () => {
      const csv = readSharedCsv(prices)
      const timestamps = Float64Array.from(csv['date']!, (date) => dayStamp(dateOf(date)))
      const actions = readSharedCsv('data/equities/raw_with_actions/AAPL_actions.csv')
      const splits = actions['ex_date']!.flatMap((date, i) => {
        const ratio = Number(actions['split']![i])
        return ratio > 0 && ratio !== 1 ? [{ exDay: dateOf(date), ratio }] : []
      })
      const find = (known: typeof splits) =>
        findMissedSplits(timestamps, numbers(csv['close']), known).map((s) => [
          formatDate(epochDayOf(s.timestamp)),
          s.ratio,
        ])
      expect(find([])).toEqual([
        ['2000-06-21', 2],
        ['2000-09-29', 2],
        ['2005-02-28', 2],
        ['2014-06-09', 7],
        ['2020-08-31', 4],
      ])
      expect(find(splits)).toEqual([['2000-09-29', 2]])
    },
  )
})
