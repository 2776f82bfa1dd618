import { choicesOf } from '@tradewright/core/backtest-settings'
import { formatDate, epochDayOf } from '@tradewright/core/time'
import { z } from 'zod'
import { strategyTypeOf, hasBlocks } from '@tradewright/core/strategy-kinds'
import { describeRules } from '@tradewright/core/rules/describe'
import type { CurveMetrics } from '@tradewright/engine/backtest/metrics'
import { fixedRows } from '@tradewright/engine/backtest/request'
import { tradedChecks } from '@tradewright/engine/backtest/rules-result'
import { type SplicedTicker, splicedSince } from '@tradewright/engine/backtest/stand-ins'
import { featureName } from '@tradewright/engine/features/catalogue'
import { type Figure, isAvailable } from '@tradewright/engine/performance/figure'
import { compareBacktests } from '../../backtests/compare-backtests.ts'
import { startBacktest, type BacktestRunDeps } from '../../backtests/start-backtest.ts'
import type { BacktestRun } from '../../backtests/backtest-run.ts'
import { findBacktest } from '../../backtests/saved-backtests.ts'
import { type Caller, defineTool } from '../action.ts'
import { IsoDate } from '../words.ts'
import type { Read } from '../../backtests/read-stored.ts'
import type { BacktestReport } from '../../backtests/report.ts'
import { pValueOf } from '../../backtests/saved-accuracy.ts'

const MAX_LISTED = 50

/** A backtest form's fields, as the Studio sends them. */
export type FormFields = Readonly<Record<string, string | readonly string[] | undefined>>

export interface BacktestToolDeps extends BacktestRunDeps {
  /** Reads the fields of a form; a Problem says which one is wrong. */
  readonly runOf: (fields: FormFields) => BacktestRun
}

const percentError = 'must be a percentage'
export const Allocation = z
  .array(z.object({ ticker: z.string().trim().min(1).max(60), percent: z.number(percentError) }))
  .min(1)
  .max(30)
export type Allocation = z.infer<typeof Allocation>

export const AllocationRun = z.object({
  allocation: Allocation,
  start_date: IsoDate,
  end_date: IsoDate,
  rebalance: z.enum(choicesOf('rebalanceFrequency')).default('yearly'),
})
export type AllocationRun = z.infer<typeof AllocationRun>

export const allocationFields = (run: AllocationRun): FormFields => ({
  strategyType: 'Asset Allocation',
  startDate: run.start_date,
  endDate: run.end_date,
  rebalanceFrequency: run.rebalance,
  'ticker[]': run.allocation.map(({ ticker }) => ticker),
  'allocation[]': run.allocation.map(({ percent }) => String(percent)),
})

/** Runs what the form says; when the caller is gone, a run that is not saved ends. */
export const runForm = (deps: BacktestToolDeps, { userId, signal }: Caller, fields: FormFields) =>
  startBacktest(deps, { userId, run: deps.runOf(fields), runId: undefined, left: signal })

export const backtestTools = (deps: BacktestToolDeps) => ({
  listBacktests: defineTool({
    name: 'list_backtests',
    description: "The user's saved backtests, newest first.",
    note: 'Looking at your backtests',
    input: z.object({}),
    async run({ userId }) {
      const items = await deps.backtests.list(userId)
      const backtests = items.slice(0, MAX_LISTED).map(({ id, name, strategyId, strategyName, createdAt }) => ({
        backtest_id: id,
        name,
        strategy_id: strategyId,
        strategy: strategyName,
        created: createdAt.toISOString().slice(0, 10),
      }))
      return { total: items.length, backtests }
    },
  }),

  getBacktest: defineTool({
    name: 'get_backtest',
    description: 'The figures, checks and curve of one saved backtest, over its own period.',
    note: 'Reading a backtest',
    input: z.object({ backtest_id: z.int() }),
    async run({ userId }, { backtest_id }) {
      const { id, name, report } = await findBacktest(deps, userId, backtest_id)
      return { backtest_id: id, name, ...backtestFacts(report) }
    },
  }),

  compareBacktests: defineTool({
    name: 'get_backtest_comparison',
    description:
      'Two to five saved backtests side by side, every figure recomputed over the period that they have in common. ' +
      'Compare with this alone: figures of different periods do not compare.',
    note: 'Comparing backtests',
    input: z.object({ backtest_ids: z.array(z.int()).min(2).max(5) }),
    async run({ userId }, { backtest_ids }) {
      const references = backtest_ids.map((id) => ({ id }))
      const { period, compared } = await compareBacktests(deps, userId, references)
      return {
        from: formatDate(period.from),
        to: formatDate(period.to),
        backtests: compared.map(comparedFacts),
      }
    },
  }),

  runBacktest: defineTool({
    name: 'run_backtest',
    description:
      'Compute a backtest of fixed percentages of tickers (the rest is cash). Nothing is saved: to keep one, offer the action run_backtest.',
    note: 'Running a backtest',
    input: AllocationRun,
    async run(caller, input) {
      const { report } = await runForm(deps, caller, allocationFields(input))
      return backtestFacts(report)
    },
  }),
})

export type BacktestTools = ReturnType<typeof backtestTools>

type Compared = Awaited<ReturnType<typeof compareBacktests>>['compared'][number]

const comparedFacts = ({ name, result, ownPeriod, curve, metrics }: Compared) => ({
  name,
  own_from: formatDate(ownPeriod.from),
  own_to: formatDate(ownPeriod.to),
  ...curveFacts(metrics),
  synthetic: result.synthetic,
  fallback_prices: fallbackPrices(result.spliced, curve.days[0]),
})

const MAX_POINTS = 48
const MAX_FEATURES = 8

const known = (figure: Figure): number | null => (isAvailable(figure) ? rounded(figure) : null)

/** As many digits as a sentence that rounds them again may need to say the same as the screen, without the noise behind them. */
export const rounded = (value: number): number => Number(value.toPrecision(12))

/** Rounds money, prices and counts of shares to the cent; what is below 1 keeps its digits. */
export const amount = (value: number): number => (Math.abs(value) < 1 ? rounded(value) : Number(value.toFixed(2)))

export type BacktestFacts = ReturnType<typeof backtestFacts>

/** `GLD is SPY until 2004-11-17`, one for each ticker with prices of others on a day from `first` on. */
export const fallbackPrices = (spliced: readonly SplicedTicker[] | null | undefined, first = -Infinity): string[] =>
  splicedSince(spliced ?? [], first).map(({ ticker, standIns }) => {
    const parts = standIns.map((one) => `${one.ticker} until ${formatDate(one.to)}`)
    return `${ticker.split('?')[0]!} is ${parts.join(', then ')}`
  })

/** Figures of a run, in few enough words for a conversation. Fractions; null is a figure that does not exist. */
export function backtestFacts({ run, result, features, target }: BacktestReport) {
  const { metrics, curve } = result
  return {
    strategy: run.strategyName,
    strategy_type: strategyTypeOf(run.request.strategy.kind),
    start_date: formatDate(run.request.from),
    end_date: formatDate(run.request.to),
    actual_start_date: formatDate(result.actualStart),
    limiting_ticker: result.limitingTicker ?? null,
    // An ML strategy is tested on the windows after its training windows.
    tested_from: dateAt(curve.timestamps, 0),
    tested_to: dateAt(curve.timestamps, curve.timestamps.length - 1),
    allocation: allocationOf(run.request.strategy),
    ...curveFacts(metrics),
    best_month: metrics.bestMonth ?? null,
    worst_month: metrics.worstMonth ?? null,
    end_value: amount(curve.values[curve.values.length - 1] ?? 0),
    start_value: run.request.startValue,
    cashflow: run.request.cashflow,
    cashflow_frequency: run.request.cashflowFrequency,
    cashflow_kind: run.request.cashflowKind ?? 'dollars',
    number_of_trades: metrics.tradeCount,
    win_rate: known(metrics.holdingWinRate),
    turnover_per_year: known(metrics.turnover),
    exposure: rounded(metrics.exposure),
    fees: amount(metrics.fees),
    risk_free: result.riskFree,
    yearly_returns: metrics.yearlyReturns.map(({ year, return: earned }) => ({ year, return: rounded(earned) })),
    reference: result.reference ? { ticker: result.reference.ticker, ...curveFacts(result.reference.metrics) } : null,
    ml: result.ml ? mlFacts(result.ml, features, target) : null,
    rules: rulesFacts(run.request.strategy, result),
    curve: downsampled(curve.timestamps, curve.values),
    data_providers: result.sources.simulation.providers.map(({ provider }) => provider),
    synthetic: result.synthetic,
    fallback_prices: fallbackPrices(result.spliced, curve.days[0] ?? result.actualStart),
    notes: result.notes,
  }
}

const dateAt = (timestamps: ArrayLike<number | null>, row: number): string | null => {
  const stamp = timestamps[row] ?? null
  return stamp === null ? null : formatDate(epochDayOf(stamp))
}

function allocationOf(strategy: BacktestReport['run']['request']['strategy']) {
  const [rows = []] = fixedRows(strategy)
  return rows.map(({ ticker, allocationPct }) => ({ ticker, percent: allocationPct }))
}

function curveFacts(metrics: Read<CurveMetrics>) {
  const { depth, peak, trough, recovery } = metrics.maxDrawdown
  return {
    total_return: rounded(metrics.totalReturn),
    cagr: known(metrics.cagr),
    sharpe: known(metrics.sharpe),
    sortino: known(metrics.sortino),
    volatility: known(metrics.volatility),
    max_drawdown: {
      depth: rounded(depth),
      from: formatDate(peak),
      lowest: formatDate(trough),
      recovered: recovery === undefined ? null : formatDate(recovery),
    },
  }
}

/** The rules in plain English, and what the last check decided. */
function rulesFacts(strategy: BacktestReport['run']['request']['strategy'], result: BacktestReport['result']) {
  const { rules } = result
  if (!hasBlocks(strategy) || !rules) return null
  const last = rules.timestamps.length - 1
  const held = rules.tickers.map((ticker, i) => ({ ticker, weight: rounded(rules.weights[i]?.[last] ?? 0) }))
  return {
    reading: describeRules(strategy.tree, featureName),
    checks: rules.timestamps.length,
    checks_with_trades: tradedChecks(rules, result).filter(Boolean).length,
    last_check: dateAt(rules.timestamps, last),
    held_after_it: held.filter(({ weight }) => weight > 0),
    no_decision_sees_the_future: rules.honesty.truncation.passed,
  }
}

type Ml = NonNullable<BacktestReport['result']['ml']>

function mlFacts(ml: Ml, features: BacktestReport['features'], target: BacktestReport['target']) {
  const importances = ml.importances ?? []
  const ranked = ml.featureLabels
    .map((feature, index) => ({ feature, importance: importances[index] }))
    .sort((a, b) => (b.importance ?? 0) - (a.importance ?? 0))
  return {
    target: target?.label ?? null,
    feature_count: features.length,
    features: ranked.slice(0, MAX_FEATURES).map(({ feature, importance }) => ({
      feature,
      importance: importance === undefined ? null : rounded(importance),
    })),
    accuracy: known(ml.accuracy.accuracy),
    base_rate: known(ml.accuracy.baseRate),
    p_value: known(pValueOf(ml.accuracy)),
    label_overlap_bars: ml.accuracy.labelOverlap ?? null,
    naive_accuracy: ml.accuracy.naive ? rounded(ml.accuracy.naive.accuracy) : null,
    walk_forward_windows: ml.walkForward?.windows.length ?? 0,
    honesty: {
      no_feature_sees_the_future: ml.honesty.truncation.passed,
      shuffled_labels_lose_their_accuracy: ml.honesty.shuffledLabels.passed,
      rows_purged: ml.honesty.rowsPurged,
    },
  }
}

/** Evenly spread points of a curve, its first and last ones among them. */
export function downsampled(
  timestamps: ArrayLike<number | null>,
  values: ArrayLike<number | null>,
  most = MAX_POINTS,
): [string, number][] {
  const points: [string, number][] = []
  const step = Math.max(1, (values.length - 1) / (most - 1))
  for (let at = 0; Math.round(at) < values.length; at += step) {
    const [stamp, value] = [timestamps[Math.round(at)], values[Math.round(at)]]
    if (typeof stamp === 'number' && typeof value === 'number' && Number.isFinite(value)) {
      points.push([formatDate(epochDayOf(stamp)), amount(value)])
    }
  }
  return points
}
