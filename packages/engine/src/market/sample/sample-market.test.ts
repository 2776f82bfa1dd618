import { createHash } from 'node:crypto'
import { granularities } from '@tradewright/core/granularity'
import { isObservation, tickerKind } from '@tradewright/core/ticker-kind'
import { DAY, dateOf, dayStamp, HOUR, type TimeRange } from '@tradewright/core/time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustPrices } from '../corporate-actions.ts'
import { findImpossibleRows, type Rows } from '../layers/rows.ts'
import { inspectSeries } from '../quality/series-quality.ts'
import { SAMPLE_END, SAMPLE_START } from './economy.ts'
import { type SampleMarket, sampleMarket, sampleTickers } from './sample-market.ts'

const market = sampleMarket()
const everything: TimeRange = { from: dayStamp(SAMPLE_START), to: dayStamp(SAMPLE_END) }
const between = (from: string, to: string): TimeRange => ({ from: dayStamp(dateOf(from)), to: dayStamp(dateOf(to)) })
const daily = (ticker: string, range = everything, from: SampleMarket = market) => from.series(ticker, '1d', range)!
const columnsOf = ({ timestamps, columns, knownAt }: Rows) => [
  timestamps,
  ...Object.values(columns),
  ...(knownAt ? [knownAt] : []),
]

function digestOf(columns: readonly Float64Array[]): string {
  const digest = createHash('sha256')
  for (const column of columns) digest.update(`${column.length} `).update(column)
  return digest.digest('hex')
}

const withBars = sampleTickers.filter((ticker) => !isObservation(tickerKind(ticker)))

describe('the sample market', () => {
  it('is the same on every machine', () => {
    const prints = sampleTickers.map((ticker) => digestOf(columnsOf(daily(ticker))))
    const minutes = ['SPY', 'BTC-USD', 'ETH-LIQ'].map((ticker) =>
      digestOf(columnsOf(market.series(ticker, '1m', between('2024-03-04', '2024-03-09'))!)),
    )
    expect({ daily: createHash('sha256').update(prints.join()).digest('hex'), minutes }).toMatchInlineSnapshot(`
      {
        "daily": "994ee606c1151503acaf8bf9cfc755616dd262f0b60fe05825ccc4afbf78d4b4",
        "minutes": [
          "fc5423524ff51abe4423ee22fef91c3a4502d032a35ed5552a325e54bd07a153",
          "4cdd58798e7ccdaac20fc087e8763cf96d43e8931d6bfd92f5ce3210dfa7e210",
          "5ffbb394afb950890be365995d5bb036d7ee04dc1e6c4c1479ecfda922583f19",
        ],
      }
    `)
  })

  it('has about forty tickers of every kind', () => {
    expect(sampleTickers.length).toBeGreaterThanOrEqual(40)
    expect(new Set(sampleTickers).size).toBe(sampleTickers.length)
    for (const ticker of [
      'SPY',
      'TLT',
      'GLD',
      'AAPL',
      'BTC-USD',
      'ETH-USD',
      'BTC-FR',
      'ETH-LIQ',
      'CPIAUCSL',
      'DTB3',
      'UNRATE',
    ]) {
      expect(sampleTickers).toContain(ticker)
    }
    expect(market.series('NOPE', '1d', everything)).toBeUndefined()
  })

  it('reads the other spellings of a derivative and of a FRED id', () => {
    expect(daily('BTC-USD-FR')).toEqual(daily('BTC-FR'))
    expect(daily('FRED:UNRATE')).toEqual(daily('UNRATE'))
  })

  it('gives a range asked for alone as the slice of the whole, at every granularity', () => {
    const anyTicker = fc.constantFrom(...sampleTickers)
    const anyGranularity = fc.constantFrom(...granularities)
    const anyDay = fc.integer({ min: dateOf('2019-01-01'), max: dateOf('2019-01-20') })
    const whole = between('2019-01-01', '2019-02-01')
    fc.assert(
      fc.property(
        anyTicker,
        anyGranularity,
        anyDay,
        fc.integer({ min: 1, max: 9 }),
        (ticker, granularity, from, length) => {
          const range = { from: from * DAY + 5 * HOUR, to: (from + length) * DAY }
          const all = market.series(ticker, granularity, whole)
          const part = sampleMarket().series(ticker, granularity, range)
          expect(part === undefined).toBe(all === undefined)
          if (!all || !part) return
          const rows = [...all.timestamps.keys()].filter(
            (row) => all.timestamps[row]! >= range.from && all.timestamps[row]! < range.to,
          )
          expect([...part.timestamps]).toEqual(rows.map((row) => all.timestamps[row]))
          for (const [category, column] of Object.entries(part.columns)) {
            expect([...column]).toEqual(rows.map((row) => all.columns[category]![row]))
          }
        },
      ),
      { numRuns: 15 },
    )
  })

  it('holds nothing impossible, no gap and no unreported split', () => {
    for (const ticker of sampleTickers) {
      const { actions, ...rows } = daily(ticker)
      const type = tickerKind(ticker)
      const block = {
        ...rows,
        ticker,
        type,
        granularity: '1d',
        provider: 'sample',
        currency: 'USD',
        collectedAt: 0,
      } as const
      expect(findImpossibleRows(block)).toEqual([])
      const { missingRows, contradictions } = inspectSeries({ ...block, sources: [] }, rows.timestamps.at(-1)!)
      expect([ticker, missingRows, contradictions]).toEqual([ticker, 0, 0])
      expect(actions.splits.every(({ ratio }) => ratio >= 2)).toBe(true)
    }
  })
})

describe('minutes', () => {
  const days = ['2018-01-02', '2019-07-03', '2020-03-13', '2021-11-26', '2023-05-17', '2024-11-03']

  it.each(['1m', '5m', '15m', '30m', '1h'] as const)('in bars of %s add up to the daily bar', (granularity) => {
    for (const ticker of withBars) {
      for (const date of days) {
        const range = { from: dayStamp(dateOf(date)), to: dayStamp(dateOf(date) + 1) }
        const [day, bars] = [daily(ticker, range).columns, market.series(ticker, granularity, range)!.columns]
        if (day['close']!.length === 0) continue
        expect({
          open: bars['open']![0],
          high: Math.max(...bars['high']!),
          low: Math.min(...bars['low']!),
          close: bars['close']!.at(-1),
          volume: bars['volume']!.reduce((sum, volume) => sum + volume, 0),
        }).toEqual(Object.fromEntries(Object.entries(day).map(([name, column]) => [name, column[0]])))
      }
    }
  })

  it('have consistent bars that follow one another', () => {
    const { open, high, low, close } = market.series('AAPL', '1m', between('2023-05-17', '2023-05-18'))!.columns
    close!.forEach((price, row) => {
      expect(high![row]).toBeGreaterThanOrEqual(Math.max(price, open![row]!))
      expect(low![row]).toBeLessThanOrEqual(Math.min(price, open![row]!))
      if (row > 0) expect(open![row]).toBe(close![row - 1])
    })
    expect(close).toHaveLength(390)
  })

  it('of a level end at its daily value, and of a flow add up to it', () => {
    const range = between('2023-05-17', '2023-05-18')
    for (const ticker of ['BTC-FR', 'ETH-OI', 'BTC-LS']) {
      expect(market.series(ticker, '1h', range)!.columns['value']!.at(-1)).toBe(
        daily(ticker, range).columns['value']![0],
      )
    }
    const hours = market.series('BTC-LIQ', '1h', range)!.columns['value']!
    expect(hours).toHaveLength(24)
    expect(hours.reduce((sum, value) => sum + value, 0)).toBe(daily('BTC-LIQ', range).columns['value']![0])
  })

  it('do not exist for economic series', () => {
    expect(market.series('UNRATE', '1m', everything)).toBeUndefined()
  })
})

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const moment = (values: readonly number[], power: number) => {
  const middle = mean(values)
  return mean(values.map((value) => (value - middle) ** power))
}
const correlation = (a: readonly number[], b: readonly number[]) =>
  (mean(a.map((value, i) => value * b[i]!)) - mean(a) * mean(b)) / Math.sqrt(moment(a, 2) * moment(b, 2))

describe('its traits', () => {
  const range = between('2005-01-01', '2025-01-01')
  const returnsOf = (ticker: string) => {
    const { actions, ...rows } = daily(ticker)
    const close = adjustPrices(rows, actions, 'total-return').columns['close']!
    const inRange = [...rows.timestamps.keys()]
      .slice(1)
      .filter((row) => rows.timestamps[row]! >= range.from && rows.timestamps[row]! < range.to)
    return new Map(inRange.map((row) => [rows.timestamps[row]!, close[row]! / close[row - 1]! - 1]))
  }
  const correlationOf = (one: string, other: string) => {
    const [a, b] = [returnsOf(one), returnsOf(other)]
    const shared = [...a.keys()].filter((stamp) => b.has(stamp))
    return correlation(
      shared.map((stamp) => a.get(stamp)!),
      shared.map((stamp) => b.get(stamp)!),
    )
  }

  it.each([
    ['SPY', 252, 0.13, 0.22],
    ['TLT', 252, 0.1, 0.18],
    ['BIL', 252, 0, 0.005],
    ['TSLA', 252, 0.35, 0.65],
    ['BTC-USD', 365, 0.45, 0.85],
  ] as const)('give %s a believable volatility', (ticker, perYear, low, high) => {
    const volatility = Math.sqrt(moment([...returnsOf(ticker).values()], 2) * perYear)
    expect(volatility).toBeGreaterThan(low)
    expect(volatility).toBeLessThan(high)
  })

  it('include fat tails and calm days that follow calm days', () => {
    for (const ticker of ['SPY', 'AAPL', 'BTC-USD']) {
      const returns = [...returnsOf(ticker).values()]
      expect(moment(returns, 4) / moment(returns, 2) ** 2).toBeGreaterThan(4)
      const sizes = returns.map(Math.abs)
      expect(correlation(sizes.slice(5), sizes.slice(0, -5))).toBeGreaterThan(0.05)
      expect(Math.abs(correlation(returns.slice(1), returns.slice(0, -1)))).toBeLessThan(0.05)
    }
  })

  it('include who moves with whom', () => {
    expect(correlationOf('SPY', 'QQQ')).toBeGreaterThan(0.8)
    expect(correlationOf('SPY', 'TLT')).toBeLessThan(0)
    expect(correlationOf('TLT', 'IEF')).toBeGreaterThan(0.9)
    expect(Math.abs(correlationOf('SPY', 'GLD'))).toBeLessThan(0.15)
    expect(correlationOf('BTC-USD', 'ETH-USD')).toBeGreaterThan(0.6)
    expect(correlationOf('SPY', 'BTC-USD')).toBeGreaterThan(0.1)
  })

  it('include dividends near their yield and splits of what has grown dear', () => {
    const { actions, timestamps, columns } = daily('KO')
    const inRange = actions.dividends.filter(({ exDay }) => dayStamp(exDay) >= range.from && dayStamp(exDay) < range.to)
    expect(inRange).toHaveLength(80)
    const yields = inRange.map(
      ({ exDay, amount }) => (4 * amount) / columns['close']![timestamps.indexOf(dayStamp(exDay))]!,
    )
    expect(mean(yields)).toBeCloseTo(0.029, 3)
    expect(daily('AAPL').actions.splits.length).toBeGreaterThan(1)
    expect(daily('TLT').actions.dividends.length).toBeGreaterThan(200)
    expect(daily('GLD').actions.dividends).toEqual([])
  })

  it('include an economy that is published after the fact', () => {
    for (const ticker of ['CPIAUCSL', 'UNRATE', 'TB3MS', 'FEDFUNDS']) {
      const { timestamps, knownAt } = daily(ticker)
      timestamps.forEach((stamp, row) => expect(knownAt![row]! - stamp).toBeGreaterThan(28 * DAY))
    }
    const { columns } = daily('UNRATE')
    for (const value of columns['value']!) expect(value).toBeLessThan(20)
  })
})
