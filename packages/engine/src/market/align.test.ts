import { dateOf, dayStamp, epochDayOf, formatDate, HOUR } from '@tradewright/core/time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readSharedCsv } from '../../../../scripts/shared-data.ts'
import { asOf, atStamps, rowsKnownAt, simulationCalendar } from './align.ts'
import { barStamps, crypto, nyse } from './trading-calendar.ts'
import { inferFrequency, knownAtOf, publishedAt } from './known-at.ts'
import type { SeriesTable } from './series.ts'

function tableOf(
  ticker: string,
  type: SeriesTable['type'],
  timestamps: ArrayLike<number>,
  more: Partial<SeriesTable> = {},
): SeriesTable {
  const stamps = Float64Array.from(timestamps)
  const values = stamps.map((_, i) => 100 + i)
  return {
    ticker,
    type,
    granularity: '1d',
    currency: 'USD',
    timestamps: stamps,
    columns: type === 'economic' ? { value: values } : { close: values },
    sources: [],
    ...more,
  }
}

const dates = (stamps: ArrayLike<number>) => Array.from(stamps, (stamp) => formatDate(epochDayOf(stamp)))
const sessions = (from: string, to: string) =>
  Float64Array.from(nyse.sessionsBetween(dateOf(from), dateOf(to)), dayStamp)
const utcDays = (from: string, to: string) =>
  Float64Array.from(crypto.sessionsBetween(dateOf(from), dateOf(to)), dayStamp)

describe('simulationCalendar', () => {
  it('is the sessions in which every traded ticker has a price, and says who came last', () => {
    const stocks = tableOf('SPY', 'security', sessions('2024-01-01', '2024-01-20'))
    const coin = tableOf('BTC-USD', 'crypto', utcDays('2024-01-05', '2024-01-20'))
    const { timestamps, limitingTicker } = simulationCalendar([stocks, coin])
    expect(dates(timestamps)).toEqual(dates(sessions('2024-01-05', '2024-01-20')))
    expect(dates(timestamps)).not.toContain('2024-01-15')
    expect(limitingTicker).toBe('BTC-USD')
  })

  it('leaves out a session in which a price is missing', () => {
    const stamps = sessions('2024-01-02', '2024-01-06')
    const holed = tableOf('B', 'security', stamps, { columns: { close: Float64Array.of(1, Number.NaN, 3, 4) } })
    expect(simulationCalendar([tableOf('A', 'security', stamps), holed]).timestamps).toHaveLength(3)
  })

  it('decides at the close of the market that closes first', () => {
    const stocks = tableOf('SPY', 'security', sessions('2024-07-02', '2024-07-06'))
    const coin = tableOf('BTC-USD', 'crypto', utcDays('2024-07-02', '2024-07-06'))
    expect([...simulationCalendar([coin, stocks]).decisionAt].map((at) => new Date(at).toISOString())).toEqual([
      '2024-07-02T20:00:00.000Z',
      '2024-07-03T17:00:00.000Z',
      '2024-07-05T20:00:00.000Z',
    ])
    expect(simulationCalendar([coin]).decisionAt[0]).toBe(dayStamp(dateOf('2024-07-03')))
  })

  it('follows the exchange within the day, whose bars open at half past', () => {
    const day = dateOf('2024-03-05')
    const stocks = tableOf('SPY', 'security', barStamps(nyse, day, '1h'), { granularity: '1h' })
    const coin = tableOf('BTC-USD', 'crypto', barStamps(crypto, day, '1h'), { granularity: '1h' })
    const { timestamps, decisionAt } = simulationCalendar([coin, stocks])
    expect(timestamps).toEqual(stocks.timestamps)
    const prices = asOf(coin, coin.columns['close']!, decisionAt)
    // At 10:30 in New York, 15:30 UTC, the last finished hour of the coin began at 14:00 UTC.
    expect(decisionAt[0]).toBe(day * 24 * HOUR + 15.5 * HOUR)
    expect(prices[0]).toBe(114)
  })

  it('says so when there is nothing in common', () => {
    const early = tableOf('OLD', 'security', sessions('2020-01-01', '2020-02-01'))
    const late = tableOf('NEW', 'security', sessions('2024-01-01', '2024-02-01'))
    expect(() => simulationCalendar([early, late])).toThrow('no session in which all of OLD, NEW have a price')
  })
})

describe('asOf', () => {
  it("does not know today's coin bar at today's stock close", () => {
    const coin = tableOf('BTC-USD', 'crypto', utcDays('2024-01-01', '2024-01-10'))
    const close = Float64Array.of(nyse.closeOf(dateOf('2024-01-05')))
    expect(asOf(coin, coin.columns['close']!, close)).toEqual(Float64Array.of(100 + 3))
  })

  it('knows an observation from its publication, never from the month it describes', () => {
    const months = ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'].map((date) => dayStamp(dateOf(date)))
    const series = tableOf('UNRATE', 'economic', months)
    const instants = Float64Array.from(['2024-02-01', '2024-02-15', '2024-04-14', '2024-04-15'], (d) =>
      dayStamp(dateOf(d)),
    )
    expect(asOf(series, series.columns['value']!, instants)).toEqual(Float64Array.of(Number.NaN, 100, 101, 102))
  })

  it('takes a known publication date instead of the rule', () => {
    const stamps = [dayStamp(dateOf('2024-01-01')), dayStamp(dateOf('2024-02-01'))]
    const knownAt = Float64Array.of(dayStamp(dateOf('2024-02-02')), Number.NaN)
    const series = tableOf('UNRATE', 'economic', stamps, { knownAt })
    expect(dates(knownAtOf(series))).toEqual(['2024-02-02', '2024-03-17'])
  })

  it('equals a search through all rows, whatever order they were published in', () => {
    const instants = fc.array(fc.integer({ min: 0, max: 30 })).map((values) => Float64Array.from(values).sort())
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 })), instants, (published, times) => {
        const knownAt = Float64Array.from(published)
        const expected = times.map((time) => knownAt.findLastIndex((instant) => instant <= time))
        expect(rowsKnownAt(knownAt, times)).toEqual(expected)
      }),
    )
  })

  it('never changes the past when later rows arrive', () => {
    const stamps = utcDays('2024-01-01', '2024-03-01')
    const whole = tableOf('DGS10', 'economic', stamps)
    const cut = tableOf('DGS10', 'economic', stamps.slice(0, 30))
    const instants = stamps.slice(0, 30)
    expect(asOf(cut, cut.columns['value']!, instants)).toEqual(asOf(whole, whole.columns['value']!, instants))
  })
})

describe('publication lags', () => {
  it.each([
    ['2024-01-05', 'daily', '2024-01-08'],
    ['2024-01-04', 'daily', '2024-01-05'],
    ['2024-01-06', 'weekly', '2024-01-13'],
    ['2024-01-01', 'monthly', '2024-02-15'],
    ['2024-01-01', 'quarterly', '2024-07-01'],
  ] as const)('make an observation of %s, %s, known on %s', (date, frequency, known) => {
    expect(formatDate(epochDayOf(publishedAt(dayStamp(dateOf(date)), frequency)))).toBe(known)
  })

  for (const [id, frequency] of [
    ['CPIAUCNS', 'monthly'],
    ['DGS10', 'daily'],
    ['GDP', 'quarterly'],
  ] as const) {
    const path = `data/macro/${id}.csv`
    it.skipIf(!hasShared(path))(claim(`find out that ${id} is ${frequency}`, path), () => {
      const csv = readSharedCsv(path)
      expect(numbers(csv['value']).length).toBeGreaterThan(100)
      expect(inferFrequency(Float64Array.from(csv['date']!, (date) => dayStamp(dateOf(date))))).toBe(frequency)
    })
  }
})

it('takes values at their own stamps only', () => {
  const table = tableOf('A', 'security', [10, 20, 30])
  expect(atStamps(table, table.columns['close']!, Float64Array.of(5, 10, 25, 30))).toEqual(
    Float64Array.of(Number.NaN, 100, Number.NaN, 102),
  )
})
