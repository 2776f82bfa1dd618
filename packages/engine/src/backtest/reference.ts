import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { asOf } from '../market/align.ts'
import type { PriceTable } from '../trading/price-table.ts'
import { runAccount, type RunConditions } from './account-run.ts'
import { type AnnualReturns, annualReturns } from './analysis.ts'
import { dividendColumn } from './dividend-column.ts'
import { type CurveMetrics, curveMetrics, type Yardsticks } from './metrics.ts'
import type { SeriesSet } from './priced-series.ts'
import { rowsOnBars } from './rows-on-bars.ts'

/** The same money held in the reference ticker. */
export interface ReferenceResult {
  readonly ticker: string
  /** One value per bar; NaN before the reference had a price. */
  readonly values: Column
  readonly metrics: CurveMetrics
  /** What one dollar became, on the same bars and in the same dollars. */
  readonly growth: Column
  readonly annual: AnnualReturns
}

/** The reference's prices on the bars of the run; it never makes the run shorter. */
export function referencePrices(seriesSet: SeriesSet, ticker: string, { table }: RunConditions): PriceTable {
  const { timestamps, days } = table.prices
  const { table: series, dividends } = seriesSet.priced(ticker)
  const close = series.columns['close'] ?? series.columns['value']!
  const onBars = rowsOnBars(series, close, timestamps) ?? asOf(series, close, table.decisionAt)
  if (onBars.every(Number.isNaN)) {
    throw new Problem('invalid', 'backtest.reference', `The reference ${ticker} has no data in the period.`)
  }
  return {
    tickers: [ticker],
    timestamps,
    days,
    open: [onBars],
    close: [onBars],
    dividends: [dividendColumn(dividends, days)],
  }
}

/**
 * Bought at the first bar it has a price for, with the same flows and costs, and held. `lived`: bars of the run before everything
 * was withdrawn from it; the reference is measured up to there.
 */
export function runReference(
  conditions: RunConditions,
  prices: PriceTable,
  { from, to }: { from: number; to: number },
  yardsticks: Yardsticks,
  lived = to - from,
): ReferenceResult | undefined {
  const priced = prices.close[0]!.subarray(from, to).findIndex((price) => price > 0)
  if (priced < 0) return undefined
  const start = from + priced
  const run = runAccount(conditions, prices, { from: start, to }, buyAndHold)
  // Withdrawals that use up its account do not end the reference itself.
  const measured =
    run.result.wipedOutBy === 'withdrawal'
      ? runAccount(withoutFlows(conditions), prices, { from: start, to }, buyAndHold)
      : run
  const bars = Math.max(1, lived - priced)
  const days = run.prices.days.subarray(0, bars)
  const riskFree = yardsticks.riskFree?.subarray(start, start + bars - 1)
  return {
    ticker: prices.tickers[0]!,
    values: padded(run.values, to - from, priced),
    growth: padded(measured.growth, to - from, priced),
    annual: annualReturns(days, {
      nominal: measured.result.growth.subarray(0, bars),
      real: conditions.deflator ? measured.growth.subarray(0, bars) : undefined,
    }),
    metrics: curveMetrics(days, measured.growth.subarray(0, bars), { ...yardsticks, riskFree }),
  }
}

const withoutFlows = (conditions: RunConditions): RunConditions => ({
  ...conditions,
  settings: { ...conditions.settings, cashflow: 0 },
})

const buyAndHold = {
  decide: (bar: number) => (bar === 0 ? Float64Array.of(1) : undefined),
  fillTiming: 'same_close',
  rebalance: false,
  withoutStop: true,
} as const

function padded(values: Column, length: number, missing: number): Column {
  const column = new Float64Array(length).fill(Number.NaN)
  column.set(values, missing)
  return column
}
