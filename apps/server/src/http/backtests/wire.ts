import { strategyTypeOf, isFixed } from '@tradewright/core/strategy-kinds'
import type { BacktestResult as WireResult } from '@tradewright/contract/backtest-result'
import { toStudioGranularity } from '@tradewright/core/granularity'
import { settingsToResult } from '@tradewright/core/settings-codec'
import { formatDate } from '@tradewright/core/time'
import type { RevisedValues } from '@tradewright/engine/backtest/revised-values'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pValueOf } from '../../backtests/saved-accuracy.ts'
import type { BacktestReport } from '../../backtests/report.ts'
import { analysisToWire, annualNotes } from './wire/analysis-wire.ts'
import { curveToWire, tradesToWire } from './wire/curve-wire.ts'
import { mlToWire, percentByTicker, settingsNotes } from './wire/ml-wire.ts'
import { rulesToWire } from './wire/rules-wire.ts'
import { referenceToWire } from './wire/reference-wire.ts'
import { type Bars, barDates } from '../answer/bar-dates.ts'
import { lastOf } from '../answer/column-wire.ts'
import { dataSourcesToWire } from './wire/data-sources-wire.ts'
import { figureNotes, figureToWire } from '../answer/figure-wire.ts'
import { metricNotes, runMetricsToWire } from './wire/metrics-wire.ts'
import { dataProblemToWire, provenanceToWire, splicedToWire } from './wire/provenance-wire.ts'

/**
 * Turns a report into the wire's form part by part: each takes some milliseconds of a long run, and other calls have
 * their turn between them.
 */
export async function toWire(report: BacktestReport): Promise<WireResult> {
  const { run, result } = report
  const { settings, metrics, wipedOut } = result
  const { strategy } = run.request
  const bars: Bars = { granularity: settings.granularity, timestamps: result.curve.timestamps }
  const dates = barDates(bars)
  await nextTurn()
  const curve = curveToWire(result, dates)
  await nextTurn()
  const ml = await mlToWire(report)
  const trades = await tradesToWire(result.trades, bars)
  return {
    strategy: run.strategyName,
    strategy_name: run.strategyName,
    strategy_type: strategyTypeOf(run.request.strategy.kind),
    start_date: formatDate(settings.from),
    end_date: formatDate(settings.to),
    actual_start_date: formatDate(result.actualStart),
    actual_end_date: formatDate(result.curve.days[result.curve.days.length - 1]!),
    limiting_ticker: result.limitingTicker ?? null,
    data_provider: run.provider,
    data_at: report.dataAt === undefined ? null : new Date(report.dataAt).toISOString(),
    is_as_of: run.asOf !== undefined,
    data_granularity: toStudioGranularity(settings.granularity) ?? settings.granularity,
    cagr: figureToWire(metrics.cagr),
    sharpe: figureToWire(metrics.sharpe),
    metrics: metricsToWire(report),
    figure_notes: notesOf(report),
    risk_free: result.riskFree,
    ...curve,
    trades,
    analysis: analysisToWire(report),
    data_sources: {
      features: dataSourcesToWire(result.sources.features),
      simulation: dataSourcesToWire(result.sources.simulation),
    },
    revised_values: revisedToWire(result.revisedValues),
    ...provenanceToWire(report),
    spliced_tickers: splicedToWire(result.spliced),
    ended_tickers: result.ended.map(({ ticker, lastDay }) => ({ ticker, last_date: formatDate(lastDay) })),
    data_problems: (report.dataProblems ?? []).map(dataProblemToWire),
    notes: [...result.notes, ...settingsNotes(report)],
    wiped_out: wipedOut ? { date: formatDate(wipedOut.day), by: wipedOut.by } : null,
    settings: settingsOverview(report),
    seed: settings.seed,
    fingerprint: result.fingerprint,
    ...referenceToWire(report),
    ...ml,
    rules: rulesToWire(report, bars.granularity),
    allocation: isFixed(strategy) ? percentByTicker(strategy.allocation) : null,
  }
}

const revisedToWire = (counts: readonly RevisedValues[]): WireResult['revised_values'] =>
  counts.map(({ ticker, values, revisedLater, ofUnknownRelease }) => ({
    ticker,
    values,
    revised_later: revisedLater,
    of_unknown_release: ofUnknownRelease,
  }))

/** Metrics of the run, and those that are read from its account. */
const allMetricsOf = ({ result, comparison }: BacktestReport) => ({
  ...result.metrics,
  // The engine does not know a saved backtest that is the reference.
  ...comparison?.relative,
  moneyWeightedReturn: result.moneyWeightedReturn,
  endValue: lastOf(result.curve.values),
})

const metricsToWire = (report: BacktestReport): WireResult['metrics'] => ({
  ...runMetricsToWire(allMetricsOf(report)),
  traded_value: report.result.metrics.tradedValue,
  nominal_end_value: lastOf(report.result.curve.nominalValues),
})

function notesOf(report: BacktestReport): Record<string, string> {
  const { result } = report
  const { cagr, sharpe } = result.metrics
  return {
    ...figureNotes({ cagr, sharpe }),
    ...metricNotes(allMetricsOf(report), ['curve', 'account', 'run'], 'metrics.'),
    ...annualNotes(report),
    ...(result.ml && figureNotes({ target_accuracy: result.ml.accuracy.accuracy })),
    ...(result.ml && figureNotes({ p_value: pValueOf(result.ml.accuracy) }, 'accuracy_details.')),
  }
}

const settingsOverview = ({ run, result: { settings } }: BacktestReport): WireResult['settings'] => ({
  ...settingsToResult(settings),
  reference_backtest_id: run.referenceBacktestId ?? null,
})
