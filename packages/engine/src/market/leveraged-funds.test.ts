import { lastAtOrBefore } from '@tradewright/core/column'
import { parseTicker } from '@tradewright/core/ticker'
import { dateOf, dayStamp } from '@tradewright/core/time'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readSharedCsv } from '../../../../scripts/shared-data.ts'
import { cagr } from '../performance/returns.ts'
import { valueOf } from '../performance/figure.ts'
import { dailyLeverageCost, leverBars } from './derived-series.ts'

const leverageOf = (text: string) => parseTicker(text).leverage!

const FROM = dateOf('2010-03-01')
const TO = dateOf('2025-09-29')

/** Yearly return in percent of what grew so many times over the period. */
const yearly = (growth: number): number => valueOf(cagr(growth, TO - FROM)) * 100

/**
 * Real funds and the tickers that imitate them, 1 March 2010 to 29 September 2025. `grew` is the fund's adjusted close of the
 * last day by that of the first (Yahoo Finance), where the data folder has no file of it. `off` is what the imitation
 * made more a year than the fund, in percentage points: the figures of docs/method.md.
 */
const funds = [
  { fund: 'SSO', ticker: 'SPY?L=2', grew: undefined, off: 0.37 },
  { fund: 'UPRO', ticker: 'SPY?L=3', grew: 110.32 / 1.9711203575134277, off: -0.15 },
  { fund: 'TQQQ', ticker: 'QQQ?L=3', grew: undefined, off: -0.4 },
  { fund: 'UBT', ticker: 'TLT?L=2', grew: 17.3799991607666 / 14.683866500854492, off: -0.48 },
  { fund: 'TMF', ticker: 'TLT?L=3', grew: 40.540000915527344 / 64.90235900878906, off: -0.75 },
  { fund: 'SPXU', ticker: 'SPY?L=-3', grew: 13.65999984741211 / 56669.16015625, off: -0.56 },
]

/** Rows of the table in docs/method.md. */
function documentedFunds() {
  const rows = readFileSync('docs/method.md', 'utf8').matchAll(/^\| \w+ \(.*\?L=.*\|$/gm)
  return [...rows].map(([row]) => {
    const [ticker, , , , moreExpense, moreSpread] = row
      .replaceAll('−', '-')
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.replaceAll('`', '').trim())
    return { ticker: ticker!, moreExpense: moreExpense!, moreSpread: moreSpread! }
  })
}

describe('a leveraged ticker', () => {
  const path = 'data/equities/daily/SSO.csv'
  it.skipIf(!hasShared(path)).each(funds)(
    claim('$ticker earns what $fund did, as far as docs/method.md says', path),
    ({ fund, ticker, grew, off }) => {
      const real = yearly(grew ?? growthOf(closesOf(fund).close))
      const ours = yearly(imitation(ticker))
      expect(ours - real).toBeCloseTo(off, 2)
    },
  )

  it.skipIf(!hasShared(path)).each(documentedFunds())(
    claim('$ticker is as sensitive to expense and spread as docs/method.md says', path),
    ({ ticker, moreExpense, moreSpread }) => {
      const { factor } = leverageOf(ticker)
      const usualExpense = factor < 0 ? -factor * 0.333 : (factor - 1) * 0.5
      const changed = (setting: string) => yearly(imitation(`${ticker}&${setting}`)) - yearly(imitation(ticker))
      expect(changed(`E=${usualExpense + 0.1}`).toFixed(2)).toBe(moreExpense)
      expect(changed('SP=0.5').toFixed(2)).toBe(moreSpread)
    },
  )

  it('pays the spread for every factor but one and zero, whichever side it is on', () => {
    const cost = (factor: number, spread: number) =>
      dailyLeverageCost(leverageOf(`SPY?L=${factor}&E=0&SP=${spread}`), 2) * 252 * 100
    for (const [factor, paid] of [
      [-3, 3],
      [-1, 1],
      [0.5, 0.5],
      // Borrowed money is counted 1.1 times.
      [2, 1.1],
      [3, 2.2],
    ] as const) {
      expect(cost(factor, 1) - cost(factor, 0), `L=${factor}`).toBeCloseTo(paid, 9)
    }
    expect(cost(0, 1)).toBe(cost(0, 0))
    expect(cost(1, 1)).toBe(cost(1, 0))
  })

  it('earns or pays, in a year in which nothing moves at a rate of 2 %, what the formula says by hand', () => {
    const timestamps = Float64Array.from({ length: 253 }, (_, day) => dayStamp(day))
    const close = new Float64Array(253).fill(100)
    const year = (ticker: string) =>
      growthOf(
        leverBars(
          { timestamps, columns: { close } },
          leverageOf(ticker),
          close.map(() => 2),
        ).columns['close']!,
      )
    const compounded = (pct: number) => (1 + pct / 100 / 252) ** 252
    // 3x: 1.1 x 2 x (2 + 0.4) + 1 = 6.28 paid. -3x: 4 x 2 earned, 3 x 0.4 and 0.999 paid. Half: 0.5 x 2 - 0.5 x 0.4.
    expect(year('SPY?L=3')).toBeCloseTo(compounded(-6.28), 9)
    expect(year('SPY?L=-3')).toBeCloseTo(compounded(8 - 1.2 - 0.999), 9)
    expect(year('SPY?L=0.5')).toBeCloseTo(compounded(0.8), 9)
    expect(year('SPY?L=0')).toBeCloseTo(compounded(2), 9)
  })
})

const growthOf = (close: Float64Array): number => close.at(-1)! / close[0]!

function closesOf(ticker: string) {
  const csv = readSharedCsv(`data/equities/daily/${ticker}.csv`)
  const days = csv['date']!.map(dateOf)
  const rows = [...days.keys()].filter((row) => days[row]! >= FROM && days[row]! <= TO)
  const adjusted = numbers(csv['adj_close'])
  return {
    timestamps: Float64Array.from(rows, (row) => dayStamp(days[row]!)),
    close: Float64Array.from(rows, (row) => adjusted[row]!),
  }
}

/** What one dollar in the ticker became, at the federal funds rate of the time. */
function imitation(ticker: string): number {
  const { symbol, leverage } = parseTicker(ticker)
  const { timestamps, close } = closesOf(symbol)
  const csv = readSharedCsv('data/macro/FEDFUNDS.csv')
  const months = Float64Array.from(csv['date']!, (date) => dayStamp(dateOf(date)))
  const values = numbers(csv['value'])
  const rates = timestamps.map((stamp) => values[lastAtOrBefore(months, stamp)]!)
  return growthOf(leverBars({ timestamps, columns: { close } }, leverage!, rates).columns['close']!)
}
