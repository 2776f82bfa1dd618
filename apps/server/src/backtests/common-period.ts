import { Problem } from '@tradewright/core/problem'
import { formatDate } from '@tradewright/core/time'
import { commonPeriod, curveWithin, type MeasurableCurve, metricsOfCurve } from '@tradewright/engine/backtest/compare'
import type { CurveMetrics } from '@tradewright/engine/backtest/metrics'
import type { Period } from '@tradewright/engine/backtest/result'
import { calendarOfCurve, hasRiskFree, measurableCurve, WITHOUT_RISK_FREE } from './measurable-curve.ts'
import type { BacktestReport } from './report.ts'

export const NO_COMMON_PERIOD = 'backtest.no-common-period'

export interface NamedResult {
  readonly name: string
  readonly result: BacktestReport['result']
}

interface OnCommonPeriod {
  /** The whole period of the run itself. */
  readonly ownPeriod: Period
  /** Within the common period. */
  readonly curve: MeasurableCurve
  readonly metrics: CurveMetrics
}

export interface BacktestComparison<Found extends NamedResult = NamedResult> {
  readonly period: Period
  /** The ticker whose first price the period begins with; undefined where it begins as a run was asked to. */
  readonly startTicker: string | undefined
  /** The ticker whose last price it ends with. */
  readonly endTicker: string | undefined
  readonly compared: readonly (Found & OnCommonPeriod)[]
}

export function compareOnCommonPeriod<Found extends NamedResult>(found: readonly Found[]): BacktestComparison<Found> {
  const curves = found.map((one) => ({ one, name: one.name, whole: measurableCurve(one.result) }))
  const period = commonPeriod(curves.map(({ whole }) => whole))
  if (!period) throw notComparable(curves)
  const compared = curves.map(({ one, whole }) => within(one, whole, period))
  const results = found.map(({ result }) => result)
  return { period, startTicker: startTickerOf(results, period), endTicker: endTickerOf(results, period), compared }
}

function within<Found extends NamedResult>(one: Found, whole: MeasurableCurve, period: Period): Found & OnCommonPeriod {
  const curve = curveWithin(whole, period)
  return { ...one, ownPeriod: periodOf(whole), curve, metrics: metricsWithin(one.result, curve) }
}

type Result = BacktestReport['result']

function startTickerOf(results: readonly Result[], { from }: Period): string | undefined {
  const limited = results.find((result) => result.actualStart === from && from > askedStart(result))
  return limited?.limitingTicker
}

/** The first session of the range that was asked for. */
function askedStart({ curve, settings }: Result): number {
  const calendar = calendarOfCurve(curve.days)
  return calendar.isSession(settings.from) ? settings.from : calendar.nextSession(settings.from)
}

const endTickerOf = (results: readonly Result[], { to }: Period): string | undefined =>
  results.flatMap(({ ended }) => ended).find(({ lastDay }) => lastDay === to)?.ticker

/** The figures of a part of a result, by the functions that computed those of the whole. */
function metricsWithin(result: BacktestReport['result'], curve: MeasurableCurve): CurveMetrics {
  const metrics = metricsOfCurve(curve)
  if (hasRiskFree(result)) return metrics
  return { ...metrics, sharpe: WITHOUT_RISK_FREE, sortino: WITHOUT_RISK_FREE, martin: WITHOUT_RISK_FREE }
}

const periodOf = ({ days }: MeasurableCurve): Period => ({ from: days[0]!, to: days.at(-1)! })

/** Names the one that ends first and the one that begins last. */
function notComparable(curves: readonly { name: string; whole: MeasurableCurve }[]): Problem {
  const dated = curves.map(({ name, whole }) => ({ name, ...periodOf(whole) }))
  const first = dated.toSorted((a, b) => a.to - b.to)[0]!
  const last = dated.toSorted((a, b) => b.from - a.from)[0]!
  const sentence =
    first.to < last.from
      ? `“${first.name}” ends on ${formatDate(first.to)}, before “${last.name}” begins on ${formatDate(last.from)}: they have no period in common to compare.`
      : `“${first.name}” and “${last.name}” have fewer than two days in common, which is too few to compare them.`
  return new Problem('invalid', NO_COMMON_PERIOD, sentence)
}

/** The figures of a result within a period that begins and ends on two of its days. */
export function figuresWithin(result: BacktestReport['result'], period: Period): CurveMetrics {
  return metricsWithin(result, curveWithin(measurableCurve(result), period))
}
