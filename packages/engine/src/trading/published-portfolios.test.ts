import type { RebalanceFrequency } from '@tradewright/core/backtest-settings'
import { dateOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import {
  claim,
  hasShared,
  numbers,
  readSharedCsv,
  readSharedJson,
  sharedCases,
} from '../../../../scripts/shared-data.ts'
import { nyse } from '../market/trading-calendar.ts'
import { extremes, monthlyReturns, yearlyReturns, xirr } from '../performance/returns.ts'
import { maxDrawdown } from '../performance/drawdown.ts'
import { valueOf } from '../performance/figure.ts'
import { sharpe, sortino, volatility } from '../performance/risk-adjusted-return.ts'
import { readAllocation, targetWeights } from './allocation.ts'
import { freeOfCosts } from './costs.ts'
import { type PriceTable, sliceTable } from './price-table.ts'
import { periodEnds } from './rebalance-calendar.ts'
import { simulate } from './simulation.ts'

const tables = 'data/reference/portfolio_tables_published.json'

interface PublishedCase {
  id: string
  start: string
  end: string
  rebalancing: 'annual' | 'quarterly' | 'monthly' | 'none'
  initial_balance: number
  weights_pct: Record<string, number>
  contribution?: { amount: number; frequency: string; inflation_adjusted: boolean }
  published: Record<string, number>
}

const FREQUENCY: Record<PublishedCase['rebalancing'], RebalanceFrequency> = {
  annual: 'yearly',
  quarterly: 'quarterly',
  monthly: 'monthly',
  none: 'none',
}

const monthOf = (day: number): string => formatDate(day).slice(0, 7)

/** Their CASHX earns the 1-month bill, month by month; ours of that kind is TBILLX. */
function billCloses(days: Int32Array): Float64Array {
  const csv = readSharedCsv('data/long_history/fama_french_monthly.csv')
  const rate = new Map(csv['month']!.map((month, i) => [month, Number(csv['rf']![i])]))
  let value = 100
  return Float64Array.from(days, (day, i) => {
    const isMonthEnd = i > 0 && (i + 1 === days.length || monthOf(days[i + 1]!) !== monthOf(day))
    if (isMonthEnd) value *= 1 + rate.get(monthOf(day))!
    return value
  })
}

/** From the last session before the first month to the last one of the last month, on total-return closes. */
function priceTable(tickers: readonly string[], start: string, end: string): PriceTable {
  const from = nyse.previousSession(dateOf(`${start}-01`))
  const [year, month] = end.split('-').map(Number)
  const to = dateOf(month === 12 ? `${year! + 1}-01-01` : `${year}-${String(month! + 1).padStart(2, '0')}-01`)
  const days = nyse.sessionsBetween(from, to)
  const close = tickers.map((ticker) => {
    if (ticker === 'TBILLX') return billCloses(days)
    const csv = readSharedCsv(`data/equities/daily/${ticker}.csv`)
    const byDay = new Map(csv['date']!.map((date, i) => [dateOf(date), Number(csv['adj_close']![i])]))
    return Float64Array.from(days, (day) => byDay.get(day) ?? Number.NaN)
  })
  return {
    tickers,
    days,
    timestamps: Float64Array.from(days),
    close,
    open: close,
    dividends: tickers.map(() => undefined),
  }
}

/** Contributions in dollars of the month before the start, paid in dollars of their own month. */
function contributions({ contribution, start }: PublishedCase, days: Int32Array, sessionAfter: number): Float64Array {
  const flows = new Float64Array(days.length)
  if (!contribution) return flows
  const csv = readSharedCsv('data/macro/CPIAUCNS.csv')
  const level = new Map(csv['date']!.map((date, i) => [date.slice(0, 7), Number(csv['value']![i])]))
  const base = level.get(monthOf(dateOf(`${start}-01`) - 1))!
  periodEnds(days, 'yearly', sessionAfter).forEach((ends, bar) => {
    if (ends === 1) flows[bar] = (contribution.amount * level.get(monthOf(days[bar]!))!) / base
  })
  return flows
}

function run(published: PublishedCase) {
  const rows = Object.entries(published.weights_pct).map(([ticker, allocationPct]) => ({
    ticker: ticker === 'CASHX' ? 'TBILLX' : ticker,
    allocationPct,
  }))
  const allocation = readAllocation(rows)
  const table = priceTable([...allocation.keys()], published.start, published.end)
  const sessionAfter = nyse.nextSession(table.days.at(-1)!)
  const weights = targetWeights(allocation, table.tickers)
  const result = simulate(table, {
    startValue: published.initial_balance,
    decide: (bar) => (bar === 0 ? weights : undefined),
    fillTiming: 'same_close',
    costs: freeOfCosts,
    flows: contributions(published, table.days, sessionAfter),
    rebalances: periodEnds(table.days, FREQUENCY[published.rebalancing], sessionAfter),
  })
  return { table, result }
}

/** The page's own conventions: months, not days. */
function pageFigures(published: PublishedCase): Record<string, number> {
  const { table, result } = run(published)
  const months = monthlyReturns(table.days, result.growth)
  const returns = months.map((month) => month.return)
  const csv = readSharedCsv('data/long_history/fama_french_monthly.csv')
  const first = csv['month']!.indexOf(published.start)
  const riskFree = numbers(csv['rf']).subarray(first, first + months.length)
  const years = extremes(yearlyReturns(table.days, result.growth))!
  const monthEnds = [1, ...cumulative(returns)]
  const options = { periodsPerYear: 12, riskFree }
  const final = result.values.at(-1)!
  return {
    final_balance: final,
    cagr_pct: ((final / published.initial_balance) ** (12 / months.length) - 1) * 100,
    twrr_pct: (result.growth.at(-1)! ** (12 / months.length) - 1) * 100,
    mwrr_pct: moneyWeighted(table, result, published.initial_balance) * 100,
    stdev_pct: valueOf(volatility(returns, 12)) * 100,
    best_year_pct: years.best.return * 100,
    worst_year_pct: years.worst.return * 100,
    max_drawdown_pct: maxDrawdown(monthEnds).depth * 100,
    sharpe: valueOf(sharpe(returns, options)),
    sortino: valueOf(sortino(returns, options)),
  }
}

function cumulative(returns: readonly number[]): number[] {
  let value = 1
  return returns.map((earned) => (value *= 1 + earned))
}

function moneyWeighted(table: PriceTable, { values, flows }: ReturnType<typeof simulate>, initial: number): number {
  const last = table.days.length - 1
  const all = [
    { day: table.days[0]!, amount: -initial },
    ...[...flows].flatMap((flow, bar) => (flow === 0 ? [] : [{ day: table.days[bar]!, amount: -flow }])),
    { day: table.days[last]!, amount: values[last]! },
  ]
  return valueOf(xirr(all))
}

const known = sharedCases<PublishedCase>(tables)

describe.skipIf(!hasShared(tables))(claim('portfolios published by portfoliovisualizer.com', tables), () => {
  it.each(known)('$id is reproduced within a quarter of a percentage point', (published) => {
    const ours = pageFigures(published)
    for (const [name, theirs] of Object.entries(published.published)) {
      if (name === 'us_market_correlation') continue
      const difference = Math.abs(ours[name]! - theirs)
      const isPercent = name.endsWith('_pct')
      const tolerance = name === 'final_balance' ? 0.01 * theirs : isPercent ? 0.25 : 0.02
      expect(difference, `${name}: ours ${ours[name]}, theirs ${theirs}`).toBeLessThanOrEqual(tolerance)
    }
  })
})

const rotation = 'data/reference/momentum_rotation_published.json'

describe.skipIf(!hasShared(rotation))(claim('the momentum rotation published by the same page', rotation), () => {
  it('is reproduced: each month end the best of four over three months', () => {
    const { published } = readSharedJson<{ published: { momentum: Record<string, number> } }>(rotation)
    const tickers = ['EEM', 'QQQ', 'SPY', 'TLT']
    // Three months earlier, so that the first ranking has its look-back.
    const whole = priceTable(tickers, '2003-10', '2019-12')
    const monthEnds = [...whole.days.keys()].filter(
      (bar) => bar + 1 === whole.days.length || monthOf(whole.days[bar + 1]!) !== monthOf(whole.days[bar]!),
    )
    const best = (bar: number) => {
      const before = monthEnds[monthEnds.indexOf(bar) - 3]!
      const growth = whole.close.map((close) => close[bar]! / close[before]!)
      return Float64Array.from(growth, (own) => (own === Math.max(...growth) ? 1 : 0))
    }
    const first = monthEnds[3]!
    const table = sliceTable(whole, first, whole.days.length)
    const { growth } = simulate(table, {
      startValue: 10_000,
      decide: (bar) => (monthEnds.includes(first + bar) ? best(first + bar) : undefined),
      fillTiming: 'same_close',
      costs: freeOfCosts,
    })
    const months = monthlyReturns(table.days, growth)
    expect(months[0]).toMatchObject({ year: 2004, month: 1 })
    const { final_balance, cagr_pct, stdev_pct, max_drawdown_pct } = published.momentum
    const returns = months.map((month) => month.return)
    expect(Math.abs((10_000 * growth.at(-1)!) / final_balance! - 1)).toBeLessThan(0.01)
    expect(Math.abs((growth.at(-1)! ** (12 / months.length) - 1) * 100 - cagr_pct!)).toBeLessThan(0.25)
    expect(Math.abs(valueOf(volatility(returns, 12)) * 100 - stdev_pct!)).toBeLessThan(0.25)
    expect(Math.abs(maxDrawdown([1, ...cumulative(returns)]).depth * 100 - max_drawdown_pct!)).toBeLessThan(0.25)
  })
})

const bt = 'data/reference/portfolio_bt_docs.json'

describe.skipIf(!hasShared(bt))(claim("the portfolio of bt's documentation", bt), () => {
  it('is reproduced in the fields that do not depend on its unfinished last day', () => {
    const table = priceTable(['SPY', 'AGG'], '2010-01', '2022-06')
    // Their account is opened on the first bar of January, and traded on the first session of each month.
    const days = table.days.subarray(1)
    const close = table.close.map((column) => column.subarray(1))
    const firstOfMonth = Uint8Array.from(days, (day, i) => (i > 0 && monthOf(days[i - 1]!) !== monthOf(day) ? 1 : 0))
    const { growth } = simulate(
      { ...table, days, close, open: close, timestamps: table.timestamps.subarray(1) },
      {
        startValue: 1_000_000,
        decide: (bar) => (bar === 0 ? Float64Array.of(0.5, 0.5) : undefined),
        fillTiming: 'same_close',
        costs: freeOfCosts,
        rebalances: firstOfMonth,
        wholeShares: true,
      },
    )
    const { cases } = readSharedJson<{ cases: { published: Record<string, number> }[] }>(bt)
    const theirs = cases[0]!.published
    const returns = growth.slice(1).map((value, i) => value / growth[i]! - 1)
    expect(maxDrawdown(growth).depth * 100).toBeCloseTo(theirs['max_drawdown_pct']!, 1)
    expect(valueOf(volatility(returns, 252)) * 100).toBeCloseTo(theirs['daily_vol_ann_pct']!, 1)
    expect(Math.max(...returns) * 100).toBeCloseTo(theirs['best_day_pct']!, 1)
    expect(Math.min(...returns) * 100).toBeCloseTo(theirs['worst_day_pct']!, 1)
    expect(Math.abs(valueOf(sharpe(returns, { periodsPerYear: 252 })) - theirs['daily_sharpe']!)).toBeLessThan(0.01)
    const ended = growth.at(-1)! * (1 + theirs['mtd_pct']! / 100)
    expect((ended - 1) * 100).toBeCloseTo(theirs['total_return_pct']!, 0)
  })
})
