import { dateOf, dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readSharedCsv, readSharedJson } from '../../../../scripts/shared-data.ts'
import { cagr, simpleReturns } from '../performance/returns.ts'
import { maxDrawdown } from '../performance/drawdown.ts'
import { valueOf } from '../performance/figure.ts'
import { mean } from '../performance/statistics.ts'
import { downsideDeviation } from '../performance/risk-adjusted-return.ts'
import { freeOfCosts } from './costs.ts'
import { noSlippage, perShare } from './test-support/costs.ts'
import type { PriceTable } from './price-table.ts'
import { roundTrips, winRate } from '../performance/trading-activity.ts'
import { simulate } from './simulation.ts'

function readBars(path: string, ticker: string): PriceTable {
  const csv = readSharedCsv(path)
  const days = Int32Array.from(csv['date']!, dateOf)
  return {
    tickers: [ticker],
    days,
    timestamps: Float64Array.from(days, dayStamp),
    open: [numbers(csv['open'])],
    close: [numbers(csv['close'])],
    dividends: [undefined],
  }
}

const averageOfLast = (values: Float64Array, end: number, count: number): number =>
  mean(values.subarray(end - count + 1, end + 1))

const smaCross = 'data/reference/backtest_goog_sma_cross.json'

describe.skipIf(!hasShared(smaCross))(claim('the moving-average cross of backtesting.py', smaCross), () => {
  it('is reproduced to 1e-9', () => {
    const { expected } = readSharedJson<{ expected: Record<string, number> }>(smaCross)
    const table = readBars('data/equities/panels/GOOG_2004_2013_backtesting_py.csv', 'GOOG')
    const close = table.close[0]!
    const isAbove = (bar: number) => averageOfLast(close, bar, 10) - averageOfLast(close, bar, 30)
    const lastBar = close.length - 1
    const decide = (bar: number) => {
      // The open position is closed at the open of the last bar.
      if (bar === lastBar - 1) return Float64Array.of(0)
      if (bar < 30 || bar === lastBar) return undefined
      const [before, now] = [isAbove(bar - 1), isAbove(bar)]
      if (before < 0 && now > 0) return Float64Array.of(1)
      if (before > 0 && now < 0) return Float64Array.of(-1)
      return undefined
    }
    const { values, trades } = simulate(table, {
      startValue: 10_000,
      decide,
      fillTiming: 'next_open',
      costs: freeOfCosts,
      wholeShares: true,
    })
    const trips = roundTrips(trades)
    const growth = values.at(-1)! / 10_000
    const returns = simpleReturns(values)
    const yearly = growth ** (252 / returns.length) - 1
    const close9 = (ours: number, name: string) => expect(Math.abs(ours / expected[name]! - 1), name).toBeLessThan(1e-9)

    close9(values.at(-1)!, 'equity_final')
    close9(Math.max(...values), 'equity_peak')
    close9((growth - 1) * 100, 'return_pct')
    close9(maxDrawdown(values).depth * 100, 'max_drawdown_pct')
    close9(valueOf(cagr(growth, table.days[lastBar]! - table.days[0]!)) * 100, 'cagr_pct')
    close9(yearly * 100, 'return_ann_pct')
    close9(yearly / (downsideDeviation(returns) * Math.sqrt(252)), 'sortino')
    expect(trips).toHaveLength(expected['trades']!)
    close9(valueOf(winRate(trips)) * 100, 'win_rate_pct')
    close9(Math.max(...trips.map((trip) => trip.return)) * 100, 'best_trade_pct')
    close9(Math.min(...trips.map((trip) => trip.return)) * 100, 'worst_trade_pct')
  })
})

const dividends = 'data/reference/dividend_cash_lean_spy.json'

describe.skipIf(!hasShared(dividends))(claim("Lean's dividends paid in cash", dividends), () => {
  it('end at the same account value', () => {
    const { expected } = readSharedJson<{ expected: Record<string, number> }>(dividends)
    const bars = readBars('data/equities/raw_with_actions/SPY.csv', 'SPY')
    const actions = readSharedCsv('data/equities/raw_with_actions/SPY_actions.csv')
    const paid = new Map(actions['ex_date']!.map((date, i) => [dateOf(date), Number(actions['dividend']![i])]))
    const end = bars.days.indexOf(dateOf('2005-12-30')) + 1
    const table: PriceTable = {
      ...bars,
      days: bars.days.subarray(0, end),
      timestamps: bars.timestamps.subarray(0, end),
      dividends: [Float64Array.from(bars.days, (day) => paid.get(day) ?? 0)],
    }
    // Sized at the close before the fill, as the algorithm orders it: 512 shares, which is half at the next open.
    const weight = (512.5 * 97.84) / 100_000
    const { values, trades } = simulate(table, {
      startValue: 100_000,
      decide: (bar) => (bar === 0 ? Float64Array.of(weight) : undefined),
      fillTiming: 'next_open',
      costs: { fee: perShare(0.005), slippage: noSlippage },
      wholeShares: true,
    })
    expect(trades).toMatchObject([{ bar: 1, quantity: 512, price: 97.84, fee: 2.56 }])
    expect(Math.abs(values.at(-1)! - expected['end_equity']!)).toBeLessThan(0.5)
    expect(maxDrawdown(values).depth * -100).toBeCloseTo(expected['drawdown_pct']!, 1)
  })
})
