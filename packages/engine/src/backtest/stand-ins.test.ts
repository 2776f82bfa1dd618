import { tickerKind } from '@tradewright/core/ticker-kind'
import { dateOf, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared } from '../../../../scripts/shared-data.ts'
import { allFeatures, planFeature } from '../features/catalogue.ts'
import type { Feature } from '../features/feature.ts'
import { DecisionRows, featureColumn } from '../features/feature-matrix.ts'
import { bondSeries } from '../market/derived-series.ts'
import { nyse } from '../market/trading-calendar.ts'
import type { SeriesTable } from '../market/series.ts'
import { knownDataAt } from '../live/known-data.ts'
import type { MarketData } from './market-data.ts'
import { planBacktest } from './plan.ts'
import { SeriesSet } from './priced-series.ts'
import { type BacktestRequest, defaultSettings } from './request.ts'
import { requiredSeries } from './required-series.ts'
import { runBacktest } from './run-backtest.ts'
import { realData } from './test-support/market-files.ts'

const [FROM, TO] = [dateOf('2024-01-02'), dateOf('2024-03-28')]
const DAYS = nyse.sessionsBetween(FROM, TO + 1)

/** Prices that grow by so many percent a session, from a day on. */
function table(
  ticker: string,
  start: string,
  price: number,
  pct: number,
  more: Partial<SeriesTable> = {},
): SeriesTable {
  const days = DAYS.filter((day) => day >= dateOf(start))
  const close = Float64Array.from(days, (_, row) => price * (1 + pct / 100) ** row)
  return {
    ticker,
    granularity: '1d',
    type: tickerKind(ticker),
    currency: 'USD',
    timestamps: Float64Array.from(days, dayStamp),
    columns: { open: close, close, volume: close.map(() => 1000) },
    sources: [],
    ...more,
  }
}

const dataOf = (...tables: SeriesTable[]): MarketData => ({ series: new Map(tables.map((one) => [one.ticker, one])) })
const settings = { ...defaultSettings, from: FROM, to: TO }
const setOf = (data: MarketData, more = {}) => new SeriesSet(data, { ...settings, ...more })
const own = table('NEW', '2024-02-01', 50, 1)
const old = table('OLD', '2024-01-02', 10, 2)
const closeOf = ({ columns }: SeriesTable) => columns['close']!
const returns = (prices: Float64Array) => Array.from(prices.subarray(1), (price, row) => price / prices[row]! - 1)
const joinRow = DAYS.findIndex((day) => day >= dateOf('2024-02-01'))

describe('a fallback', () => {
  it('gives its returns up to the first own price, whose level stays', () => {
    const { table: spliced } = setOf(dataOf(own, old)).priced('NEW?FB=OLD')
    const close = closeOf(spliced)
    expect(close[joinRow]).toBe(50)
    expect(close.at(-1)).toBe(closeOf(own).at(-1))
    for (const [row, change] of returns(close).entries()) expect(change).toBeCloseTo(row < joinRow ? 0.02 : 0.01, 10)
    expect(spliced.columns['volume']!.subarray(0, joinRow).every(Number.isNaN)).toBe(true)
  })

  it('is seen by features as it was known then: later rows, own ones too, change no digit', () => {
    const data = dataOf(own, old)
    const whole = closeOf(setOf(data).anchored('NEW?L=2&FB=OLD'))
    for (const cut of [joinRow - 3, joinRow - 1, joinRow, joinRow + 5]) {
      const known = knownDataAt(data, dayStamp(DAYS[cut]!) + 86_400_000)
      expect(Array.from(closeOf(setOf(known).anchored('NEW?L=2&FB=OLD')))).toEqual(
        Array.from(whole.subarray(0, cut + 1)),
      )
    }
  })

  it('pays its dividends in cash, per share of the joined prices', () => {
    const dividend = (day: string, amount: number) => ({ exDay: dateOf(day), amount })
    const actions = new Map([
      ['OLD', { splits: [], dividends: [dividend('2024-01-10', 1), dividend('2024-02-20', 1)] }],
      ['NEW', { splits: [], dividends: [dividend('2024-02-01', 7), dividend('2024-02-20', 3)] }],
    ])
    const { dividends } = setOf({ ...dataOf(own, old), actions }, { reinvestDividends: false }).priced('NEW?FB=OLD')
    const scale = 50 / closeOf(old)[joinRow]!
    expect(dividends).toEqual([
      { exDay: dateOf('2024-01-10'), amount: scale },
      { exDay: dateOf('2024-02-20'), amount: 3 },
    ])
  })

  it('of a fund of coins is the coin as the exchange closed, not as the day ended', () => {
    const days = Array.from({ length: 87 }, (_, i) => FROM + i)
    const close = Float64Array.from(days, (_, row) => 100 + row)
    const coin = {
      ...table('BTC-USD', '2024-01-02', 1, 1),
      timestamps: Float64Array.from(days, dayStamp),
      columns: { close },
    }
    const { table: spliced } = setOf(dataOf(own, coin)).priced('NEW?FB=BTC-USD')
    expect(Array.from(spliced.timestamps, epochDayOf).slice(0, 8)).toEqual([...DAYS.subarray(1, 9)])
    // On Monday, 8 January, Sunday's price is the newest that is known: 105 of 2 January plus five days.
    const monday = spliced.timestamps.indexOf(dayStamp(dateOf('2024-01-08')))
    expect(closeOf(spliced)[monday]! / closeOf(spliced)[monday - 1]!).toBeCloseTo(105 / 102, 10)
  })

  it('is refused where it does not lead up to the ticker, or is quoted in another currency', () => {
    const ended = { ...old, timestamps: old.timestamps.subarray(0, 5), columns: { close: closeOf(old).subarray(0, 5) } }
    expect(() => setOf(dataOf(own, ended)).priced('NEW?FB=OLD')).toThrow(
      'OLD cannot stand in for NEW before 2024-02-01: it has no price from then',
    )
    expect(() => setOf(dataOf(own, { ...old, currency: 'EUR' })).priced('NEW?FB=OLD')).toThrow('quoted in EUR')
    expect(() => setOf(dataOf(old)).priced('NEW?FB=OLD')).toThrow('no data for NEW')
  })
})

const request: BacktestRequest = {
  ...settings,
  strategy: { kind: 'allocation', allocation: [{ ticker: 'NEW?FB=MID?FB=OLD', allocationPct: 100 }] },
}

describe('features of a history that has closes alone before the join', () => {
  const columns = (table: SeriesTable) => {
    const close = closeOf(table)
    const wave = (size: number) => close.map((price, row) => price * (1 + size * Math.sin(row)))
    return { open: wave(0.01), high: wave(0.02), low: wave(-0.02), close: wave(0.012), volume: wave(0.3) }
  }
  const shortest = ({ parameters }: Feature) =>
    Object.fromEntries(
      parameters.flatMap(({ name, min = 1 }) => (name === 'window' ? [[name, Math.max(min, 5)] as const] : [])),
    )
  const ofPrices = allFeatures.filter(({ parameters }) => parameters[0]!.default === 'SPY')
  const fund: SeriesTable = { ...own, columns: columns(own) }
  const closes: SeriesTable = { ...old, columns: { close: closeOf(old) } }

  it.each(ofPrices.map((feature) => [feature.name, feature] as const))('%s goes on after it', (_, feature) => {
    const params = { ...shortest(feature), ticker: 'NEW?FB=OLD', other_ticker: 'NEW' }
    const lastOf = (ticker: string) =>
      featureColumn(
        planFeature({ id: feature.id, params: { ...params, ticker } }),
        (asked) => setOf(dataOf(fund, closes)).anchored(asked),
        new DecisionRows(Float64Array.of(dayStamp(TO) + 86_400_000)),
      )[0]!
    expect(Number.isFinite(lastOf('NEW?FB=OLD'))).toBe(Number.isFinite(lastOf('NEW')))
  })
})

describe('a result', () => {
  it('begins with the fallbacks and says from when to when each of them stood in', async () => {
    const data = dataOf(own, table('MID', '2024-01-16', 3, 1), old)
    const { spliced, notes, actualStart, series } = await runBacktest(planBacktest(request), data)
    expect(formatDate(actualStart)).toBe('2024-01-02')
    const parts = spliced![0]!.standIns.map(({ ticker, from, to }) => [ticker, formatDate(from), formatDate(to)])
    expect(spliced![0]!.ticker).toBe('NEW?FB=MID?FB=OLD')
    expect(parts).toEqual([
      ['OLD', '2024-01-02', '2024-01-12'],
      ['MID', '2024-01-16', '2024-01-31'],
    ])
    expect(notes.join(' ')).toContain(
      'NEW has prices of its own only after 2024-01-31. Before that it is OLD from 2024-01-02 to 2024-01-12, MID from',
    )
    expect(series.map(({ ticker, use }) => [ticker, use])).toEqual([
      ['MID', 'traded'],
      ['NEW', 'traded'],
      ['OLD', 'traded'],
    ])
  })

  it('begins with the first own price where no fallback has any, and says so', async () => {
    const { spliced, notes, actualStart } = await runBacktest(planBacktest(request), dataOf(own))
    expect(formatDate(actualStart)).toBe('2024-02-01')
    expect(spliced).toBeUndefined()
    expect(notes.join(' ')).toContain('no prices for the fallback of NEW?FB=MID?FB=OLD')
  })

  it('asks for the fallbacks, without which it would only be shorter', () => {
    const asked = requiredSeries(planBacktest(request)).filter(({ purpose }) => purpose === 'simulation')
    expect(asked.map(({ symbol, isEssential }) => [symbol, isEssential])).toEqual([
      ['NEW', true],
      ['MID', false],
      ['OLD', false],
    ])
  })
})

describe('a bond made of its yield', () => {
  const year = [0, 365].map((days) => dayStamp(FROM + days))

  it('earns its coupon while the yield stays', () => {
    expect(bondSeries(Float64Array.from(year), Float64Array.of(4, 4), 10)[1]).toBeCloseTo(104, 10)
  })

  it('is worth the sum of its discounted payments when the yield rises', () => {
    // Nine years left, 2 twice a year and 100 at the end, at 2.5% for half a year.
    const payments = Array.from({ length: 18 }, (_, i) => 2 / 1.025 ** (i + 1))
    const worth = payments.reduce((sum, one) => sum + one, 100 / 1.025 ** 18)
    expect(bondSeries(Float64Array.from(year), Float64Array.of(4, 5), 10)[1]).toBeCloseTo(worth + 4, 10)
  })

  it('has a price at a yield of nothing and below', () => {
    const [, none] = bondSeries(Float64Array.from(year), Float64Array.of(1, 0), 10)
    expect(none).toBeCloseTo(100 + 1 * 9 + 1, 10)
    expect(bondSeries(Float64Array.from(year), Float64Array.of(1, 1e-9), 10)[1]).toBeCloseTo(none!, 5)
    expect(bondSeries(Float64Array.from(year), Float64Array.of(1, -0.5), 10)[1]).toBeGreaterThan(none!)
  })

  it('needs yields of each day', () => {
    const monthly = {
      ...table('DGS10', '2024-01-02', 4, 0),
      timestamps: Float64Array.of(...[0, 31, 60].map((day) => dayStamp(FROM + day))),
    }
    const data = dataOf({ ...monthly, columns: { value: Float64Array.of(4, 4, 4) } })
    expect(() => setOf(data).priced('DGS10?M=10')).toThrow('daily yields')
  })
})

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const off = (values: readonly number[], middle = mean(values)) => values.map((value) => value - middle)
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0)
  const [x, y] = [off(a), off(b)]
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y))
}

const REAL = 'data/macro/DGS10.csv'

describe.skipIf(!hasShared(REAL))(claim('bonds of real yields beside real funds', REAL), () => {
  const [from, to] = [dateOf('2003-01-02'), dateOf('2025-09-26')]
  const yearly = async (ticker: string) => {
    const data = realData(['IEF', 'SPY'], ['DGS10', 'TB3MS', 'FEDFUNDS'])
    const { curve } = await runBacktest(
      planBacktest({
        ...settings,
        from,
        to,
        tradingCostBps: 0,
        strategy: { kind: 'allocation', allocation: [{ ticker, allocationPct: 100 }] },
      }),
      data,
    )
    return {
      cagr: (curve.values.at(-1)! / curve.values[0]!) ** (365.25 / (curve.days.at(-1)! - curve.days[0]!)) - 1,
      returns: returns(curve.values),
    }
  }

  it('DGS10?M=8 moves as the fund IEF does, and earns half a point a year less: it never rolls down the curve', async () => {
    const [fund, made] = [await yearly('IEF'), await yearly('DGS10?M=8')]
    expect(made.returns).toHaveLength(fund.returns.length)
    expect(fund.cagr - made.cagr).toBeGreaterThan(0.004)
    expect(fund.cagr - made.cagr).toBeLessThan(0.006)
    expect(correlation(fund.returns, made.returns)).toBeGreaterThan(0.95)
    const { cagr } = await yearly('DGS10?M=8&E=0.15')
    expect(made.cagr - cagr).toBeCloseTo(0.0015, 4)
  })
})
