import type { TargetRows } from '../features/feature-matrix.ts'
import { isAvailable, notAvailable } from '../performance/figure.ts'
import { targetWeights } from '../trading/allocation.ts'
import type { PriceTable } from '../trading/price-table.ts'
import { type AccountRun, runAccount, type RunConditions } from './account-run.ts'
import { accuracyOf } from './accuracy.ts'
import { averagesByDate } from './accuracy-by-date.ts'
import { checkShuffledLabels } from './honesty/shuffled-labels.ts'
import { checkTruncation } from './honesty/truncation-check.ts'
import { learnableRows } from './learnable-rows.ts'
import type { Learner } from './learner.ts'
import { curveMetrics, type Yardsticks } from './metrics.ts'
import { overallSignals, planWindows, type TrainedWindow, trainWindows, type WindowPlan } from './ml-training.ts'
import type { MlPlan } from './plan.ts'
import type { SeriesSet } from './priced-series.ts'
import { type RunControl, stopIfCancelled } from './progress.ts'
import { runReference } from './reference.ts'
import type { MlResult, Period, WalkForwardSummary, WindowResult } from './result.ts'
import { decideBySignal, type SignalColumn } from './signals.ts'

export interface MlRun {
  readonly account: AccountRun
  /** The bars of the whole table that were traded. */
  readonly bars: { readonly from: number; readonly to: number }
  readonly ml: MlResult
}

interface MlInputs {
  readonly plan: MlPlan
  readonly conditions: RunConditions
  readonly seriesSet: SeriesSet
  readonly learn: Learner
  readonly control: RunControl
  readonly yardsticks: Yardsticks
  readonly reference: PriceTable | undefined
}

/** Features, labels, training, trading, checks. */
export async function runMl(inputs: MlInputs): Promise<MlRun> {
  const { plan, conditions, seriesSet, learn, control } = inputs
  const { matrix, target } = learnableRows(plan, seriesSet, conditions.table.decisionAt, control)
  const { labels } = target
  const windowPlan = planWindows(plan, matrix.usableRows.length)
  const training = { learn, matrix, labels, seed: conditions.settings.seed, control }
  const windows = await trainWindows(training, windowPlan.windows)
  const overall = overallSignals(windows, labels.length)

  stopIfCancelled(control)
  control.onProgress({ stage: 'simulation' })
  const bars = { from: windows[0]!.testRows[0]!, to: lastSignal(overall) + 1 }
  const account = trade(inputs, overall, bars)
  const predicted = matrix.usableRows.filter((row) => overall.signals[row] !== -1)
  const middle = windows[Math.floor(windows.length / 2)]!
  // The newest model is the one a deployment would start from.
  const newest = windows.at(-1)!
  const ml: MlResult = {
    accuracy: accuracyOf(predicted, overall.signals, target),
    train: periodOf(conditions, newest.job.trainRows),
    test: periodOf(conditions, predicted),
    signals: overall.signals.subarray(bars.from, bars.to),
    probabilities: overall.probabilities.subarray(bars.from, bars.to),
    featureLabels: matrix.labels,
    featureColumns: matrix.columns.map((column) => column.subarray(bars.from, bars.to)),
    importances: newest.importances && [...newest.importances],
    walkForward: plan.strategy.walkForward ? summarise(inputs, windows, windowPlan, target) : undefined,
    honesty: {
      truncation: checkTruncation(
        plan.features,
        matrix.columns,
        (ticker) => seriesSet.anchored(ticker),
        conditions.table.decisionAt,
      ),
      shuffledLabels: await checkShuffledLabels(learn, middle.job, middle.testRows, target),
      rowsPurged: windowPlan.purgedPerWindow * windows.length,
    },
    usableRows: matrix.usableRows.length,
  }
  return { account, bars, ml }
}

function trade(
  { plan, conditions }: MlInputs,
  { signals }: SignalColumn,
  bars: { from: number; to: number },
): AccountRun {
  const { prices } = conditions.table
  const weights = { 1: targetWeights(plan.buy, prices.tickers), 0: targetWeights(plan.sell, prices.tickers) }
  return runAccount(conditions, prices, bars, {
    decide: decideBySignal(signals.subarray(bars.from, bars.to), weights),
    fillTiming: conditions.settings.fillTiming,
    rebalance: true,
  })
}

const lastSignal = ({ signals }: SignalColumn): number => signals.findLastIndex((signal) => signal !== -1)

function periodOf({ table }: RunConditions, rows: Int32Array): Period {
  const { days } = table.prices
  return { from: days[rows[0]!]!, to: days[rows.at(-1)!]! }
}

function summarise(
  inputs: MlInputs,
  windows: readonly TrainedWindow[],
  { stepRows }: WindowPlan,
  target: TargetRows,
): WalkForwardSummary {
  const results = windows.map((window, i) => windowResult(inputs, window, i + 1, target))
  const accuracies = results.map(({ accuracy }) => accuracy.accuracy).filter(isAvailable)
  const missing = notAvailable('no label of the test rows is known yet')
  const isKnown = accuracies.length > 0
  return {
    windows: results,
    ...averagesByDate(windows, target.labels),
    lowestAccuracy: isKnown ? Math.min(...accuracies) : missing,
    highestAccuracy: isKnown ? Math.max(...accuracies) : missing,
    stepRows,
  }
}

function windowResult(inputs: MlInputs, window: TrainedWindow, number: number, target: TargetRows): WindowResult {
  const { conditions, yardsticks, reference } = inputs
  const { testRows, predictions, job } = window
  const bars = { from: testRows[0]!, to: testRows.at(-1)! + 1 }
  const account = trade(inputs, predictions, bars)
  const riskFree = yardsticks.riskFree?.subarray(bars.from, bars.to - 1)
  const signals = predictions.signals.subarray(bars.from, bars.to)
  const held = reference && runReference(conditions, reference, bars, yardsticks)
  return {
    number,
    train: periodOf(conditions, job.trainRows),
    test: periodOf(conditions, testRows),
    testRows: testRows.length,
    accuracy: accuracyOf(testRows, predictions.signals, target),
    metrics: curveMetrics(account.prices.days, account.growth, { ...yardsticks, riskFree }),
    buys: signals.filter((signal) => signal === 1).length,
    sells: signals.filter((signal) => signal === 0).length,
    timestamps: account.prices.timestamps,
    values: account.values,
    signals,
    referenceValues: held?.values,
    referenceMetrics: held?.metrics,
  }
}
