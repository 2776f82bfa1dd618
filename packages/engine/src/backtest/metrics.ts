import type { Column } from '@tradewright/core/column'
import type { MetricsBy } from '@tradewright/core/metric-catalogue'
import type { EpochDay } from '@tradewright/core/time'
import {
  cagr,
  growthOf,
  simpleReturns,
  dailyReturns,
  type DayReturn,
  extremes,
  type MonthReturn,
  monthlyReturns,
  type YearReturn,
  yearlyReturns,
} from '../performance/returns.ts'
import {
  calmar,
  sharpe,
  sortino,
  volatility,
  rollingSharpe,
  type MonthEndFigures,
  monthEndFigures,
} from '../performance/risk-adjusted-return.ts'
import {
  type Drawdown,
  drawdownCurve,
  drawdownEpisodes,
  longestDrawdown,
  maxDrawdown,
  gainToPain,
  omega,
  shapeFigures,
  tailFigures,
  type TailFigures,
} from '../performance/drawdown.ts'
import { type Figure, finiteOr, mapFigure, notAvailable } from '../performance/figure.ts'
import { mean } from '../performance/statistics.ts'
import { noRelativeFigures, type RelativeFigures, relativeFigures } from '../performance/relative-figures.ts'
import { holdingPeriods, roundTrips, winRate, turnover } from '../performance/trading-activity.ts'
import type { SimulationResult } from '../trading/simulation-rules.ts'
import { totalsOf, type TradeTotals } from '../trading/trade-log.ts'

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

/** The type of each kind of value that a metric may have. */
export interface MetricValues {
  readonly figure: Figure
  readonly number: number
  readonly count: number
  readonly drawdown: DrawdownDates
  readonly day: DayReturn | undefined
  readonly month: MonthReturn | undefined
  readonly year: YearReturn | undefined
  readonly 'month ends': MonthEndFigures
}

/** Figures of one curve; flows do not count in any of them. */
export type CurveMetrics = MetricsBy<'curve', MetricValues>

type Compute<Metrics, Input> = { readonly [Key in keyof Metrics]: (input: Input) => Metrics[Key] }

/** What the metrics of a curve are computed from. */
interface MeasuredCurve extends Yardsticks {
  readonly days: Int32Array
  /** What one dollar became; the dollar itself, before the first costs, comes before its first entry. */
  readonly growth: Column
  /** The dollar and what it became. */
  readonly path: Column
  readonly returns: Column
  readonly cagr: Figure
  readonly deepest: Drawdown
  readonly ulcerIndex: number
  readonly tails: TailFigures
  readonly shape: { readonly skewness: Figure; readonly kurtosis: Figure }
}

const CURVE_METRICS: Compute<CurveMetrics, MeasuredCurve> = {
  cagr: (curve) => curve.cagr,
  sharpe: (curve) => sharpe(curve.returns, riskOptions(curve)),
  totalReturn: ({ growth }) => (growth.at(-1) ?? 1) - 1,
  volatility: ({ returns, barsPerYear }) => volatility(returns, barsPerYear),
  sortino: (curve) => sortino(curve.returns, riskOptions(curve)),
  calmar: (curve) => calmar(curve.cagr, curve.deepest.depth),
  maxDrawdown: datedDrawdown,
  ulcerIndex: (curve) => curve.ulcerIndex,
  martin: martinRatio,
  painIndex: ({ path }) => finiteOr(Math.abs(mean(drawdownCurve(path).subarray(1))), 'the period has no bars'),
  longestDrawdown: ({ days, path }) =>
    longestDrawdown(drawdownEpisodes(path), (index) => days[Math.max(0, index - 1)]!, path.length - 1),
  valueAtRisk: ({ tails }) => tails.valueAtRisk,
  conditionalValueAtRisk: ({ tails }) => tails.conditionalValueAtRisk,
  skewness: (curve) => curve.shape.skewness,
  kurtosis: (curve) => curve.shape.kurtosis,
  tailRatio: ({ tails }) => tails.tailRatio,
  omega: ({ returns }) => omega(returns),
  gainToPain: ({ days, growth }) => gainToPain(monthlyReturns(days, growth).map((month) => month.return)),
}

export function curveMetrics(days: Int32Array, growth: Column, yardsticks: Yardsticks): CurveMetrics {
  const path = withStart(growth)
  const returns = simpleReturns(growth)
  return computed(CURVE_METRICS, {
    ...yardsticks,
    days,
    growth,
    path,
    returns,
    cagr: cagr(growth.at(-1) ?? 1, days.at(-1)! - days[0]!),
    deepest: maxDrawdown(path),
    ulcerIndex: ulcerIndex(path),
    tails: tailFigures(returns),
    shape: shapeFigures(returns),
  })
}

/** Takes the bars alone: the dollar before them is a high, not a bar. */
const ulcerIndex = (path: Column): number =>
  Math.sqrt(
    mean(
      drawdownCurve(path)
        .subarray(1)
        .map((depth) => depth * depth),
    ),
  )

function martinRatio({ cagr: yearly, days, riskFree, ulcerIndex: ulcer }: MeasuredCurve): Figure {
  if (ulcer === 0) return notAvailable('there was no drawdown')
  const free = riskFree ? cagr(growthOf(riskFree).at(-1)!, days.at(-1)! - days[0]!) : 0
  return mapFigure(yearly, (own) => mapFigure(free, (riskless) => (own - riskless) / ulcer))
}

function computed<Metrics, Input>(table: Compute<Metrics, Input>, input: Input): Metrics {
  const entries = Object.entries<(input: Input) => unknown>(table)
  return Object.fromEntries(entries.map(([key, compute]) => [key, compute(input)])) as Metrics
}

const riskOptions = ({ barsPerYear, riskFree }: Yardsticks) => ({
  periodsPerYear: barsPerYear,
  ...(riskFree ? { riskFree } : {}),
})

function datedDrawdown({ days, deepest }: MeasuredCurve): DrawdownDates {
  const dayOf = (index: number) => days[Math.max(0, index - 1)]!
  return {
    depth: deepest.depth,
    peak: dayOf(deepest.peak),
    trough: dayOf(deepest.trough),
    recovery: deepest.recovery === undefined ? undefined : dayOf(deepest.recovery),
  }
}

/** The dollar and what it became. */
export function withStart(growth: Column): Column {
  const values = new Float64Array(growth.length + 1)
  values[0] = 1
  values.set(growth, 1)
  return values
}

/** Metrics and curves of a whole run. */
export interface BacktestMetrics extends CurveMetrics, MetricsBy<'run', MetricValues> {
  readonly monthlyReturns: readonly MonthReturn[]
  readonly yearlyReturns: readonly YearReturn[]
  /** One value per bar. */
  readonly drawdowns: Column
  readonly rollingSharpe: Column
  readonly tradedValue: number
}

/** What the metrics of a whole run are computed from. */
interface MeasuredRun {
  readonly days: Int32Array
  readonly growth: Column
  readonly result: SimulationResult
  readonly yardsticks: Yardsticks
  readonly relative: RelativeFigures
  readonly dates: { readonly best: DayReturn; readonly worst: DayReturn } | undefined
  readonly months: { readonly best: MonthReturn; readonly worst: MonthReturn } | undefined
  readonly years: { readonly best: YearReturn; readonly worst: YearReturn } | undefined
  readonly totals: TradeTotals
}

const RUN_METRICS: Compute<MetricsBy<'run', MetricValues>, MeasuredRun> = {
  bestDay: ({ dates }) => dates?.best,
  worstDay: ({ dates }) => dates?.worst,
  bestMonth: ({ months }) => months?.best,
  worstMonth: ({ months }) => months?.worst,
  bestYear: ({ years }) => years?.best,
  worstYear: ({ years }) => years?.worst,
  monthEnd: ({ days, growth, yardsticks }) => monthEndFigures(days, growth, yardsticks.riskFree),
  alpha: ({ relative }) => relative.alpha,
  beta: ({ relative }) => relative.beta,
  correlation: ({ relative }) => relative.correlation,
  rSquared: ({ relative }) => relative.rSquared,
  trackingError: ({ relative }) => relative.trackingError,
  informationRatio: ({ relative }) => relative.informationRatio,
  upCapture: ({ relative }) => relative.upCapture,
  downCapture: ({ relative }) => relative.downCapture,
  turnover: ({ days, result }) =>
    turnover(result.trades, result.values.subarray(0, days.length), days.at(-1)! - days[0]!),
  /** Mean share of the account that was invested; above 1 it was borrowed. */
  exposure: ({ days, result }) => mean(result.exposure.subarray(0, days.length)),
  tradeCount: ({ result }) => result.trades.length,
  holdingWinRate: ({ result }) => winRate(holdingPeriods(result.trades), 'no position was sold in full'),
  winRate: ({ result }) => winRate(roundTrips(result.trades)),
  fees: ({ totals }) => totals.fees,
  dividends: ({ result }) => result.dividends,
  interest: ({ result }) => result.interest,
}

/** The rolling Sharpe ratio looks back half a year. */
const ROLLING_SHARE_OF_YEAR = 0.5

export function backtestMetrics(
  days: Int32Array,
  growth: Column,
  result: SimulationResult,
  yardsticks: Yardsticks,
  /** Growth of the reference on the same bars, NaN where it has none. */
  reference?: Column,
): BacktestMetrics {
  const months = monthlyReturns(days, growth)
  const years = yearlyReturns(days, growth)
  const totals = totalsOf(result.trades)
  const run = {
    days,
    growth,
    result,
    yardsticks,
    relative: reference
      ? relativeFigures({ days, growth, reference, ...yardsticks })
      : noRelativeFigures('no reference was chosen'),
    dates: extremes(dailyReturns(days, growth)),
    months: extremes(months),
    years: extremes(years),
    totals,
  }
  return {
    ...curveMetrics(days, growth, yardsticks),
    ...computed(RUN_METRICS, run),
    monthlyReturns: months,
    yearlyReturns: years,
    drawdowns: drawdownCurve(withStart(growth)).subarray(1),
    rollingSharpe: rollingSharpeOnBars(growth, yardsticks),
    tradedValue: totals.tradedValue,
  }
}

/** One value per bar: the first bar has no return yet. */
function rollingSharpeOnBars(growth: Column, { barsPerYear, riskFree }: Yardsticks): Column {
  const window = Math.max(2, Math.round(barsPerYear * ROLLING_SHARE_OF_YEAR))
  const rolling = rollingSharpe(simpleReturns(growth), window, riskOptions({ barsPerYear, riskFree }))
  const onBars = new Float64Array(growth.length).fill(Number.NaN)
  onBars.set(rolling.subarray(0, Math.max(0, growth.length - 1)), 1)
  return onBars
}
