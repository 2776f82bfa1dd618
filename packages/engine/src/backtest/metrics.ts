import type { Column } from '@tradewright/core/column'
import type { EpochDay } from '@tradewright/core/time'
import { cagr } from '../performance/cagr.ts'
import {
  extremes,
  type MonthReturn,
  monthlyReturns,
  type YearReturn,
  yearlyReturns,
} from '../performance/calendar-returns.ts'
import { calmar } from '../performance/calmar.ts'
import { drawdownCurve, maxDrawdown } from '../performance/drawdown.ts'
import type { Figure } from '../performance/figure.ts'
import { mean } from '../performance/moments.ts'
import { type MonthEndFigures, monthEndFigures } from '../performance/month-end-figures.ts'
import { simpleReturns } from '../performance/returns.ts'
import { rollingSharpe } from '../performance/rolling-sharpe.ts'
import { sharpe } from '../performance/sharpe.ts'
import { sortino } from '../performance/sortino.ts'
import { volatility } from '../performance/volatility.ts'
import { roundTrips, winRate } from '../performance/round-trips.ts'
import type { SimulationResult } from '../trading/simulation.ts'
import { totalsOf } from '../trading/trade-log.ts'
import { turnover } from '../performance/turnover.ts'

/** Conventions for measuring a curve of growth. */
export interface Yardsticks {
  readonly barsPerYear: number
  /** Return of each step of the curve that was free of risk; undefined counts as none. */
  readonly riskFree: Column | undefined
}

export interface DrawdownDates {
  readonly depth: number
  readonly peak: EpochDay
  readonly trough: EpochDay
  readonly recovery: EpochDay | undefined
}

/** Figures of one curve; flows do not count in any of them. */
export interface CurveMetrics {
  readonly totalReturn: number
  readonly cagr: Figure
  readonly sharpe: Figure
  readonly sortino: Figure
  readonly volatility: Figure
  readonly calmar: Figure
  readonly maxDrawdown: DrawdownDates
}

/** `growth` is what one dollar became; the dollar itself, before the first costs, comes before its first entry. */
export function curveMetrics(days: Int32Array, growth: Column, { barsPerYear, riskFree }: Yardsticks): CurveMetrics {
  const returns = simpleReturns(growth)
  const options = { periodsPerYear: barsPerYear, ...(riskFree ? { riskFree } : {}) }
  const end = growth.at(-1) ?? 1
  const yearly = cagr(end, days.at(-1)! - days[0]!)
  const fall = maxDrawdown(withStart(growth))
  const dayOf = (position: number) => days[Math.max(0, position - 1)]!
  return {
    totalReturn: end - 1,
    cagr: yearly,
    sharpe: sharpe(returns, options),
    sortino: sortino(returns, options),
    volatility: volatility(returns, barsPerYear),
    calmar: calmar(yearly, fall.depth),
    maxDrawdown: {
      depth: fall.depth,
      peak: dayOf(fall.peak),
      trough: dayOf(fall.trough),
      recovery: fall.recovery === undefined ? undefined : dayOf(fall.recovery),
    },
  }
}

function withStart(growth: Column): Column {
  const values = new Float64Array(growth.length + 1)
  values[0] = 1
  values.set(growth, 1)
  return values
}

/** Figures and curves of a whole run. */
export interface BacktestMetrics extends CurveMetrics {
  readonly monthlyReturns: readonly MonthReturn[]
  readonly yearlyReturns: readonly YearReturn[]
  readonly bestMonth: MonthReturn | undefined
  readonly worstMonth: MonthReturn | undefined
  readonly bestYear: YearReturn | undefined
  readonly worstYear: YearReturn | undefined
  readonly monthEnd: MonthEndFigures
  /** One value per bar. */
  readonly drawdowns: Column
  readonly rollingSharpe: Column
  readonly turnover: Figure
  /** Mean share of the account that was invested; above 1 it was borrowed. */
  readonly exposure: number
  readonly tradeCount: number
  readonly winRate: Figure
  readonly fees: number
  readonly tradedValue: number
  readonly dividends: number
  readonly interest: number
}

/** The rolling Sharpe ratio looks back half a year. */
const ROLLING_SHARE_OF_YEAR = 0.5

export function backtestMetrics(
  days: Int32Array,
  growth: Column,
  result: SimulationResult,
  yardsticks: Yardsticks,
): BacktestMetrics {
  const months = monthlyReturns(days, growth)
  const years = yearlyReturns(days, growth)
  const monthExtremes = extremes(months)
  const yearExtremes = extremes(years)
  const totals = totalsOf(result.trades)
  return {
    ...curveMetrics(days, growth, yardsticks),
    monthlyReturns: months,
    yearlyReturns: years,
    bestMonth: monthExtremes?.best,
    worstMonth: monthExtremes?.worst,
    bestYear: yearExtremes?.best,
    worstYear: yearExtremes?.worst,
    monthEnd: monthEndFigures(days, growth, yardsticks.riskFree),
    drawdowns: drawdownCurve(withStart(growth)).subarray(1),
    rollingSharpe: rollingSharpeOnBars(growth, yardsticks),
    turnover: turnover(result.trades, result.values.subarray(0, days.length), days.at(-1)! - days[0]!),
    exposure: mean(result.exposure.subarray(0, days.length)),
    tradeCount: result.trades.length,
    winRate: winRate(roundTrips(result.trades)),
    fees: totals.fees,
    tradedValue: totals.tradedValue,
    dividends: result.dividends,
    interest: result.interest,
  }
}

/** One value per bar: the first bar has no return yet. */
function rollingSharpeOnBars(growth: Column, { barsPerYear, riskFree }: Yardsticks): Column {
  const window = Math.max(2, Math.round(barsPerYear * ROLLING_SHARE_OF_YEAR))
  const rolling = rollingSharpe(simpleReturns(growth), window, {
    periodsPerYear: barsPerYear,
    ...(riskFree ? { riskFree } : {}),
  })
  const onBars = new Float64Array(growth.length).fill(Number.NaN)
  onBars.set(rolling.subarray(0, Math.max(0, growth.length - 1)), 1)
  return onBars
}
