import { parseTicker } from '@tradewright/core/ticker'
import { dateOf, dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { lastAtOrBefore } from '@tradewright/core/column'
import { claim, hasShared, numbers, readSharedCsv } from '../../../../scripts/shared-data.ts'
import { barStamps, nyse } from './trading-calendar.ts'
import { cashSeries, dailyLeverageCost, leverBars, treasuryBillSeries } from './derived-series.ts'

const leverageOf = (text: string) => parseTicker(text).leverage!

/** Closes that start at 100 and follow the given returns, day by day. */
function daily(returns: readonly number[]) {
  const close = [100]
  for (const r of returns) close.push(close.at(-1)! * (1 + r))
  const timestamps = Float64Array.from(close, (_, i) => dayStamp(20_000 + i))
  return { timestamps, columns: { close: Float64Array.from(close) } }
}

const growth = (values: Float64Array) => values.at(-1)! / values[0]! - 1

function lever(returns: readonly number[], text: string, ratePct: number): number {
  const bars = daily(returns)
  const rate = bars.timestamps.map(() => ratePct)
  return growth(leverBars(bars, leverageOf(text), rate).columns['close']!)
}

describe('leverage', () => {
  it('costs 12.88 % a year at L=3 and 6.44 % at L=2 when the rate is 5 %', () => {
    expect(dailyLeverageCost(leverageOf('SPY?L=3'), 5) * 252).toBeCloseTo(0.1288, 12)
    expect(dailyLeverageCost(leverageOf('SPY?L=2'), 5) * 252).toBeCloseTo(0.0644, 12)
  })

  it('turns a day of +1 % into 2.9488889 % and 1.9744444 %', () => {
    expect(lever([0.01], 'SPY?L=3', 5)).toBeCloseTo(0.029_488_888_9, 9)
    expect(lever([0.01], 'SPY?L=2', 5)).toBeCloseTo(0.019_744_444_4, 9)
  })

  it('decays along +2, -3, +1 % to -0.799133 %, and to -0.6462 % without cost', () => {
    expect(lever([0.02, -0.03, 0.01], 'SPY?L=3', 5)).toBeCloseTo(-0.007_991_33, 7)
    expect(lever([0.02, -0.03, 0.01], 'SPY?L=3&E=0&SP=0&SW=0', 5)).toBeCloseTo(-0.006_462, 6)
  })

  it('decays over ten pairs of +1 %, -1 %', () => {
    const pairs = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.01 : -0.01))
    expect(lever(pairs, 'SPY?L=2&E=0&SW=0', 0)).toBeCloseTo(-0.003_992_8, 7)
    expect(lever(pairs, 'SPY?L=3&E=0&SW=0', 0)).toBeCloseTo(-0.008_963_6, 7)
  })

  it('takes the expense of a third of a percent for each point below zero', () => {
    expect(dailyLeverageCost(leverageOf('SPY?L=-1&SP=0'), 0) * 252).toBeCloseTo(0.003_33, 12)
  })

  it('pays the spread below one as well, and earns the rate on the cash', () => {
    // -3 x: four times the account in cash at 5 %, less three times 0.4 % and an expense of 0.999 %.
    expect(dailyLeverageCost(leverageOf('SPY?L=-3'), 5) * 252).toBeCloseTo(-(0.2 - 0.012 - 0.009_99), 12)
    expect(dailyLeverageCost(leverageOf('SPY?L=0.5'), 5) * 252).toBeCloseTo(-(0.025 - 0.002), 12)
  })

  it('is cash at the rate at L=0', () => {
    expect(dailyLeverageCost(leverageOf('SPY?L=0'), 5) * 252).toBeCloseTo(-0.05, 12)
    expect(lever([0.1, -0.2], 'SPY?L=0', 0)).toBe(0)
  })

  it('never goes below zero, and stays there', () => {
    const bars = daily([-0.4, 0.5])
    const { close } = leverBars(
      bars,
      leverageOf('SPY?L=3'),
      bars.timestamps.map(() => 5),
    ).columns
    expect([...close!]).toEqual([100, 0, 0])
  })

  it('levers all prices of a bar, and turns high and low over when it is short', () => {
    const timestamps = Float64Array.of(dayStamp(1), dayStamp(2))
    const columns = {
      open: Float64Array.of(100, 101),
      high: Float64Array.of(100, 104),
      low: Float64Array.of(100, 99),
      close: Float64Array.of(100, 102),
      volume: Float64Array.of(5, 6),
    }
    const short = leverBars({ timestamps, columns }, leverageOf('SPY?L=-2&E=0&SP=0'), Float64Array.of(0, 0)).columns
    const second = Object.fromEntries(Object.entries(short).map(([name, column]) => [name, column[1]]))
    expect(second['open']).toBeCloseTo(98, 12)
    expect(second['high']).toBeCloseTo(102, 12)
    expect(second['low']).toBeCloseTo(92, 12)
    expect(second['close']).toBeCloseTo(96, 12)
    expect(second['volume']).toBe(6)
  })

  it('resets once a day, so hours give the same day as the daily bar', () => {
    const days = nyse.sessionsBetween(dateOf('2024-03-04'), dateOf('2024-03-07'))
    const timestamps = Float64Array.from([...days].flatMap((day) => Array.from(barStamps(nyse, day, '1h'))))
    const close = timestamps.map((_, i) => 100 + 3 * Math.sin(i))
    const hourly = leverBars(
      { timestamps, columns: { close } },
      leverageOf('SPY?L=3'),
      close.map(() => 5),
    ).columns['close']!
    const lastBars = [6, 13, 20]
    const daily = leverBars(
      {
        timestamps: Float64Array.from(days, dayStamp),
        columns: { close: Float64Array.from(lastBars, (row) => close[row]!) },
      },
      leverageOf('SPY?L=3'),
      Float64Array.of(5, 5, 5),
    ).columns['close']!
    expect(lastBars.map((row) => hourly[row])).toEqual([...daily])
  })

  const path = 'data/equities/daily/SSO.csv'
  it.skipIf(!hasShared(path))(claim('comes near a real fund: SPY?L=2 against SSO, 2007 to 2024', path), () => {
    const spy = adjustedCloses('SPY')
    const sso = adjustedCloses('SSO')
    const rate = readSharedCsv('data/macro/FEDFUNDS.csv')
    const rateStamps = Float64Array.from(rate['date']!, (date) => dayStamp(dateOf(date)))
    const rateValues = numbers(rate['value'])
    const from = dayStamp(dateOf('2007-01-03'))
    const to = dayStamp(dateOf('2025-01-01'))
    const rows = [...spy.timestamps.keys()].filter((row) => spy.timestamps[row]! >= from && spy.timestamps[row]! < to)
    const timestamps = Float64Array.from(rows, (row) => spy.timestamps[row]!)
    const close = Float64Array.from(rows, (row) => spy.close[row]!)
    const rates = timestamps.map((stamp) => rateValues[lastAtOrBefore(rateStamps, stamp)]!)
    const ours =
      growth(leverBars({ timestamps, columns: { close } }, leverageOf('SPY?L=2'), rates).columns['close']!) + 1
    const fund = sso.close[lastAtOrBefore(sso.timestamps, to - 1)]! / sso.close[lastAtOrBefore(sso.timestamps, from)]!
    // 18 years: half a percent a year would be 9 %.
    expect(Math.abs((ours / fund) ** (1 / 18) - 1)).toBeLessThan(0.005)
  })
})

function adjustedCloses(ticker: string) {
  const csv = readSharedCsv(`data/equities/daily/${ticker}.csv`)
  const timestamps = Float64Array.from(csv['date']!, (date) => dayStamp(dateOf(date)))
  return { timestamps, close: numbers(csv['adj_close']) }
}

it('keeps CASHX at $100 [BT-147]', () => {
  expect(cashSeries(Float64Array.of(1, 2, 3))).toEqual(Float64Array.of(100, 100, 100))
})

describe('TBILLX', () => {
  it('accrues the bond-equivalent yield over calendar days', () => {
    const timestamps = Float64Array.of(0, 1, 4).map(dayStamp)
    const values = treasuryBillSeries(timestamps, Float64Array.of(5, 5, 5))
    const yearly = (365 * 0.05) / (360 - 91 * 0.05)
    expect(values[1]).toBeCloseTo(100 * (1 + yearly / 365), 10)
    expect(values[2]! / values[1]!).toBeCloseTo(1 + (3 * yearly) / 365, 12)
  })

  const path = 'data/equities/daily/BIL.csv'
  it.skipIf(!hasShared(path))(claim('comes near the T-bill fund BIL, which charges 0.14 % a year', path), () => {
    const fund = adjustedCloses('BIL')
    const csv = readSharedCsv('data/macro/TB3MS.csv')
    const stamps = Float64Array.from(csv['date']!, (date) => dayStamp(dateOf(date)))
    const rate = numbers(csv['value'])
    const values = treasuryBillSeries(
      fund.timestamps,
      fund.timestamps.map((stamp) => rate[lastAtOrBefore(stamps, stamp)]!),
    )
    const years = (fund.timestamps.at(-1)! - fund.timestamps[0]!) / (365.25 * dayStamp(1))
    const lead = (growth(values) + 1) ** (1 / years) - (growth(fund.close) + 1) ** (1 / years)
    expect(lead).toBeGreaterThan(0.001)
    expect(lead).toBeLessThan(0.003)
  })
})
