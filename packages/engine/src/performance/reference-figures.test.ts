import { lastAtOrBefore } from '@tradewright/core/column'
import { dateOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { expectColumn, expectNear } from '../../../../reference/expect-near.ts'
import { referencePrices, referenceValues } from '../../../../reference/read.ts'
import { accountPerformance } from './account-performance.ts'
import { cagr, simpleReturns, monthlyReturns, yearlyReturns, xirr } from './returns.ts'
import {
  calmar,
  sharpe,
  downsideDeviation,
  sortino,
  volatility,
  rollingSharpe,
  probabilisticSharpe,
  trackRecordOf,
  deflatedSharpe,
  luckySharpe,
  monthEndFigures,
} from './risk-adjusted-return.ts'
import { drawdownCurve, maxDrawdown } from './drawdown.ts'
import { type Figure, valueOf } from './figure.ts'
import { shape } from './statistics.ts'

/** Figures of the sample market by pandas, numpy and scipy: reference/figures.py. */
interface Reference extends Record<'SPY' | 'TLT' | 'GLD', CurveReference> {
  sharpe_confidence: Record<string, Record<'above_zero' | 'above_a_hundredth' | 'lucky_sharpe' | 'deflated', number>> &
    Record<string, { trials: { count: number; deviation: number } }>
  cash_flows: Record<string, { flows: [string, number][]; rate: number }>
  account: {
    dates: string[]
    values: number[]
    flows: number[]
    total_return: number
    yearly: number
    money_weighted: number
  }
}

interface CurveReference {
  total_return: number
  cagr: number
  volatility: number
  sharpe: number
  sharpe_over_nothing: number
  sortino: number
  sortino_over_nothing: number
  downside_deviation: number
  skewness: number
  kurtosis: number
  max_drawdown: { depth: number; peak: string; trough: string; recovery: string | null }
  calmar: number
  drawdowns: number[]
  rolling_sharpe: number[]
  monthly_returns: number[]
  yearly_returns: number[]
  month_end: Record<'volatility' | 'sharpe' | 'sortino' | 'max_drawdown', number>
}

const reference = referenceValues<Reference>('figures')
const DAYS_PER_YEAR = 252
/** Every 25th row of the long columns is committed as a reference. */
const STEP = 25

const every = (column: Float64Array, from: number): Float64Array =>
  column.filter((_, row) => row >= from && (row - from) % STEP === 0)
const near = (ours: Figure, theirs: number, name: string) => expectNear(valueOf(ours), theirs, name)

function curveOf(ticker: string) {
  const { days, columns } = referencePrices(ticker)
  const bill = referencePrices('TB3MS')
  const rate = Float64Array.from(
    days,
    (day) => bill.columns['value']![lastAtOrBefore(Float64Array.from(bill.days), day)]!,
  )
  const values = columns['close']!
  return {
    days,
    values,
    returns: simpleReturns(values),
    riskFree: rate.subarray(1).map((pct) => pct / 100 / DAYS_PER_YEAR),
    theirs: reference[ticker as 'SPY'],
  }
}

describe.each(['SPY', 'TLT', 'GLD'])('five years of %s', (ticker) => {
  const { days, values, returns, riskFree, theirs } = curveOf(ticker)
  const growth = values.at(-1)! / values[0]!
  const yearly = cagr(growth, days.at(-1)! - days[0]!)
  const fall = maxDrawdown(values)

  it('grow, vary and fall as pandas has it', () => {
    near(growth - 1, theirs.total_return, 'total return')
    near(yearly, theirs.cagr, 'cagr')
    near(volatility(returns, DAYS_PER_YEAR), theirs.volatility, 'volatility')
    near(fall.depth, theirs.max_drawdown.depth, 'max drawdown')
    near(calmar(yearly, fall.depth), theirs.calmar, 'calmar')
    const dateAt = (row: number | undefined) => (row === undefined ? null : formatDate(days[row]!))
    expect([fall.peak, fall.trough, fall.recovery].map(dateAt)).toEqual([
      theirs.max_drawdown.peak,
      theirs.max_drawdown.trough,
      theirs.max_drawdown.recovery,
    ])
    expectColumn(every(drawdownCurve(values), 0), theirs.drawdowns, 'drawdowns')
  })

  it('reward their risk as pandas has it', () => {
    const overBills = { periodsPerYear: DAYS_PER_YEAR, riskFree }
    const overNothing = { periodsPerYear: DAYS_PER_YEAR }
    near(sharpe(returns, overBills), theirs.sharpe, 'sharpe')
    near(sharpe(returns, overNothing), theirs.sharpe_over_nothing, 'sharpe over nothing')
    near(sortino(returns, overBills), theirs.sortino, 'sortino')
    near(sortino(returns, overNothing), theirs.sortino_over_nothing, 'sortino over nothing')
    near(downsideDeviation(returns), theirs.downside_deviation, 'downside deviation')
    const half = DAYS_PER_YEAR / 2
    expectColumn(
      every(rollingSharpe(returns, half, overBills), half - 1),
      theirs.rolling_sharpe,
      'rolling sharpe',
      1e-8,
    )
  })

  it('have the months and years of pandas', () => {
    const ours = (periods: readonly { return: number }[]) => periods.map((period) => period.return)
    expectColumn(ours(monthlyReturns(days, values)), theirs.monthly_returns, 'months')
    expectColumn(ours(yearlyReturns(days, values)), theirs.yearly_returns, 'years')
    const { maxDrawdown: depth, ...figures } = monthEndFigures(days, values, riskFree)
    near(depth, theirs.month_end.max_drawdown, 'month-end drawdown')
    for (const [name, figure] of Object.entries(figures)) {
      near(figure, theirs.month_end[name as 'sharpe'], `month-end ${name}`)
    }
  })

  it('have the moments of scipy, and the confidence in a Sharpe ratio that they give', () => {
    const { skewness, kurtosis } = shape(returns)
    near(skewness, theirs.skewness, 'skewness')
    near(kurtosis, theirs.kurtosis, 'kurtosis')
    const confidence = reference.sharpe_confidence[ticker]!
    const record = trackRecordOf(returns)!
    const trials = { count: confidence.trials.count, sharpeDeviation: confidence.trials.deviation }
    near(probabilisticSharpe(record), confidence.above_zero, 'above zero')
    near(probabilisticSharpe(record, 0.01), confidence.above_a_hundredth, 'above a hundredth')
    near(luckySharpe(trials), confidence.lucky_sharpe, 'lucky Sharpe ratio')
    near(deflatedSharpe(record, trials), confidence.deflated, 'deflated')
  })
})

it.each(Object.entries(reference.cash_flows))(
  "%s has the rate that scipy's root finder gives",
  (name, { flows, rate }) => {
    near(xirr(flows.map(([date, amount]) => ({ day: dateOf(date), amount }))), rate, name)
  },
)

it('an account with flows returns what pandas links, and to its owner what scipy finds', () => {
  const { dates, values, flows, ...theirs } = reference.account
  const ours = accountPerformance({
    values: values.map((value, i) => ({
      day: dateOf(dates[i]!),
      value,
      flow: flows[i]!,
      invested: 0,
      investedOtherwise: 0,
      isExact: true,
    })),
    beginsWithAccount: true,
    placement: 'exact',
    flowsAreExact: true,
  })
  expect(ours.method).toBe('true_time_weighted_return')
  near(ours.totalReturn, theirs.total_return, 'total return')
  near(ours.rate, theirs.yearly, 'yearly')
  near(ours.moneyWeighted, theirs.money_weighted, 'money-weighted')
})
