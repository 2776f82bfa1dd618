import type { RulesTree } from '@tradewright/core/rules/tree'
import { isObservation, tickerKind } from '@tradewright/core/ticker-kind'
import { dateOf, dayStamp, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { referenceMarket, referenceValues } from '../../../../reference/read.ts'
import { claim, hasShared, numbers, readSharedCsv, readSharedJson } from '../../../../scripts/shared-data.ts'
import { rowsInRange } from '../market/layers/rows.ts'
import type { SeriesTable } from '../market/series.ts'
import { freeOfCosts } from '../trading/costs.ts'
import { sliceTable } from '../trading/price-table.ts'
import { simulate } from '../trading/simulation.ts'
import type { MarketData } from './market-data.ts'
import { planBacktest } from './plan.ts'
import { defaultSettings } from './request.ts'
import { runBacktest } from './run-backtest.ts'
import { realData } from './test-support/market-files.ts'

const average = (ticker: string, window: number) =>
  ({ kind: 'feature', feature: 'sma', params: { ticker, window } }) as const

/** Long while the fast average is above the slow one, short while it is below. Turned at the next open, and left alone in between. */
const cross = (ticker: string): RulesTree => ({
  version: 1,
  check: 'bar',
  cash: 'CASHX',
  root: {
    kind: 'if',
    id: 'cross',
    condition: {
      kind: 'latch',
      id: 'position',
      enter: { kind: 'compare', id: 'above', left: average(ticker, 10), is: 'above', right: average(ticker, 30) },
      exit: { kind: 'compare', id: 'below', left: average(ticker, 10), is: 'below', right: average(ticker, 30) },
    },
    yes: { kind: 'hold', id: 'long', rows: [{ ticker, pct: 100 }], rebalance: { on: 'change' } },
    no: { kind: 'hold', id: 'short', rows: [{ ticker, pct: -100 }], rebalance: { on: 'change' } },
  },
})

const planOf = (ticker: string, from: number, to: number) =>
  planBacktest({
    ...defaultSettings,
    from,
    to,
    tradingCostBps: 0,
    shortBorrowPct: 0,
    reinvestDividends: false,
    strategy: { kind: 'rules', tree: cross(ticker) },
  })

/** Bars at whose close the averages have crossed, the reference's way. */
function crossings(close: Float64Array): number[] {
  const meanOf = (bar: number, count: number) =>
    close.subarray(bar - count + 1, bar + 1).reduce((sum, value) => sum + value, 0) / count
  const spread = Float64Array.from(close, (_, bar) => (bar < 29 ? Number.NaN : meanOf(bar, 10) - meanOf(bar, 30)))
  return [...spread.keys()].filter((bar) => bar > 29 && spread[bar - 1]! * spread[bar]! < 0)
}

const PUBLISHED = 'data/reference/backtest_goog_sma_cross.json'

describe.skipIf(!hasShared(PUBLISHED))(claim('the moving-average cross of backtesting.py as rules', PUBLISHED), () => {
  it('turns at every published trade and earns what is published, within 0.25 points a year', async () => {
    const { expected } = readSharedJson<{ expected: Record<string, number> }>(PUBLISHED)
    const csv = readSharedCsv('data/equities/panels/GOOG_2004_2013_backtesting_py.csv')
    const days = Int32Array.from(csv['date']!, dateOf)
    const table: SeriesTable = {
      ticker: 'GOOG',
      granularity: '1d',
      type: tickerKind('GOOG'),
      currency: 'USD',
      timestamps: Float64Array.from(days, dayStamp),
      columns: { open: numbers(csv['open']), close: numbers(csv['close']) },
      sources: [],
    }
    const turns = crossings(table.columns['close']!)
    // The published run waits for the first crossing, so the account begins with it.
    const first = turns[0]!
    const data: MarketData = { series: new Map([['GOOG', table]]) }
    const { rules, trades } = await runBacktest(planOf('GOOG', days[first]!, days.at(-1)!), data)
    expect(trades).toHaveLength(expected['trades']!)
    // The published account buys whole shares, which a backtest does not: its orders are filled by that account.
    const wanted = new Map(
      Array.from(rules!.timestamps, (stamp, i) => [stamp, rules!.trades[i] === 1 ? rules!.weights[0]![i]! : undefined]),
    )
    const bars = sliceTable(
      {
        tickers: ['GOOG'],
        days,
        timestamps: table.timestamps,
        open: [table.columns['open']!],
        close: [table.columns['close']!],
        dividends: [undefined],
      },
      first,
      days.length,
    )
    const { values } = simulate(bars, {
      startValue: 10_000,
      decide: (bar) => {
        const weight = wanted.get(bars.timestamps[bar]!)
        return weight === undefined ? undefined : Float64Array.of(weight)
      },
      fillTiming: 'next_open',
      costs: freeOfCosts,
      wholeShares: true,
    })
    const years = (days.at(-1)! - days[0]!) / 365.25
    const cagr = (values.at(-1)! / 10_000) ** (1 / years) - 1
    expect(Math.abs(cagr * 100 - expected['cagr_pct']!), String(cagr)).toBeLessThan(0.25)
  })
})

/** Computed with pandas as bt's page defines them, since it prints figures for shares that the data does not have: reference/bt.py. */
interface BtReference {
  from: string
  to: string
  cagr: number
  max_drawdown: number
  /** Closes at which the weights changed. */
  turns: number
}

const BT_SHARES = ['AAPL', 'MSFT', 'IBM', 'KO', 'AMZN']

/** Long while the average of 50 days is above that of 200, else short; brought back to that at every close. */
const btCross = (ticker: string): RulesTree => ({
  version: 1,
  check: 'bar',
  cash: 'CASHX',
  root: {
    kind: 'if',
    id: 'cross',
    condition: { kind: 'compare', id: 'above', left: average(ticker, 50), is: 'above', right: average(ticker, 200) },
    yes: { kind: 'hold', id: 'long', rows: [{ ticker, pct: 100 }] },
    no: { kind: 'hold', id: 'short', rows: [{ ticker, pct: -100 }] },
  },
})

/** A tree that holds the tickers above their average, in equal parts. */
const btAbove = (window: number): RulesTree => ({
  version: 1,
  check: 'bar',
  cash: 'CASHX',
  root: {
    kind: 'pick',
    id: 'above',
    tickers: BT_SHARES,
    weights: { kind: 'equal' },
    unfilled: 'spread',
    eligible: {
      kind: 'compare',
      id: 'rises',
      left: { kind: 'feature', feature: 'sma', params: { window: 1 } },
      is: 'above',
      right: { kind: 'feature', feature: 'sma', params: { window } },
    },
  },
})

function deepest(values: Float64Array): number {
  let [high, deep] = [0, 0]
  for (const value of values) {
    high = Math.max(high, value)
    deep = Math.min(deep, value / high - 1)
  }
  return deep
}

const BT_DATA = 'data/equities/daily/SPY.csv'

describe.skipIf(!hasShared(BT_DATA))(claim('the moving-average runs of bt’s documentation as rules', BT_DATA), () => {
  const all = referenceValues<Record<string, BtReference>>('bt-real')
  it.each(Object.entries(all))('%s earns what pandas computes, within 0.25 points a year', async (name, theirs) => {
    const [kind, what] = name.split(' ')
    const tree = kind === 'above' ? btAbove(Number(what)) : btCross(what!)
    const tickers = kind === 'above' ? BT_SHARES : [what!]
    // Like bt, nothing is known from before the first day.
    const range = { from: dayStamp(dateOf(theirs.from)), to: Number.POSITIVE_INFINITY }
    const { series, ...rest } = realData(tickers, ['TB3MS', 'FEDFUNDS'])
    const known = new Map(
      [...series].map(([symbol, one]) => [symbol, isObservation(one.type) ? one : rowsInRange(one, range)]),
    )
    const plan = planBacktest({
      ...defaultSettings,
      from: dateOf(theirs.from),
      to: dateOf(theirs.to),
      fillTiming: 'same_close',
      tradingCostBps: 0,
      shortBorrowPct: 0,
      strategy: { kind: 'rules', tree },
    })
    const { curve, rules } = await runBacktest(plan, { ...rest, series: known })
    const years = (curve.days.at(-1)! - curve.days[0]!) / 365.25
    const cagr = (curve.values.at(-1)! / curve.values[0]!) ** (1 / years) - 1
    expect(formatDate(curve.days[0]!)).toBe(theirs.from)
    expect(Math.abs(cagr - theirs.cagr) * 100, `ours ${cagr}, theirs ${theirs.cagr}`).toBeLessThan(0.25)
    expect(Math.abs(deepest(curve.values) - theirs.max_drawdown)).toBeLessThan(0.0005)
    expect(rules!.honesty.truncation.passed).toBe(true)
  })
})

it('the same cross on committed prices turns at each crossing, and is worth what its trades earned', async () => {
  const market = referenceMarket(['SPY', 'FEDFUNDS', 'TB3MS'])
  const { timestamps, columns } = market.series.get('SPY')!
  const close = columns['close']!
  const turns = crossings(close)
  const first = turns.find((bar) => timestamps[bar]! >= dayStamp(dateOf('2015-03-01')))!
  const to = Math.round(timestamps.at(-1)! / 86_400_000)
  const { curve, trades, rules, notes } = await runBacktest(
    planOf('SPY', Math.round(timestamps[first]! / 86_400_000), to),
    market,
  )
  const later = turns.filter((bar) => bar >= first && bar < close.length - 1)
  expect(trades.map(({ timestamp }) => formatDate(Math.round(timestamp / 86_400_000)))).toEqual(
    later.map((bar) => formatDate(Math.round(timestamps[bar + 1]! / 86_400_000))),
  )
  expect(new Set(trades.map(({ quantity }) => Math.sign(quantity)))).toEqual(new Set([1, -1]))
  const cash = trades.reduce((left, { quantity, price, fee }) => left - quantity * price - fee, 10_000)
  const held = trades.reduce((sum, { quantity }) => sum + quantity, 0)
  const dividends = curve.values.at(-1)! - cash - held * close.at(-1)!
  // A position that turns from long to short pays and collects dividends; they are a few percent here.
  expect(Math.abs(dividends)).toBeLessThan(1000)
  expect(rules!.honesty.truncation.passed).toBe(true)
  expect(notes.join(' ')).toContain('SPY may be sold short: borrowed shares cost 0 % a year')
})
