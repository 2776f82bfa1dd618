import { learns } from '@tradewright/core/strategy-kinds'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import type { BacktestResult as WireResult } from '@tradewright/contract/backtest-result'
import { SMALL_LEAF_SHARE } from '@tradewright/core/model-catalogue'
import { parseTicker } from '@tradewright/core/ticker'
import { formatDate } from '@tradewright/core/time'
import type { MlStrategy } from '@tradewright/engine/backtest/request'
import type { Period } from '@tradewright/engine/backtest/result'
import type { RevisedValues } from '@tradewright/engine/backtest/revised-values'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { BacktestReport, UsedSelection } from '../../../backtests/report.ts'
import { walkForwardToWire } from './windows-wire.ts'
import { columnToWire, signalsToWire } from '../../answer/column-wire.ts'
import { accuracyToWire, figureToWire } from '../../answer/figure-wire.ts'
import { modelParams, modelTypeOf } from '../../strategies/model-wire.ts'
import { rowsToWire } from '../../strategies/strategy-forms.ts'

const NO_ML = {
  target_accuracy: null,
  ml_model_type: null,
  train_size: null,
  test_size: null,
  ml_params: null,
  ml_config: null,
  signal1_allocation: null,
  signal0_allocation: null,
  train_period: null,
  test_period: null,
  features: null,
  target: null,
  feature_importances: null,
  test_predictions: null,
  test_probabilities: null,
  test_feature_values: null,
  accuracy_details: null,
  honesty: null,
  walk_forward_enabled: false,
  walk_forward_windows: null,
  walk_forward_summary: null,
} satisfies Partial<WireResult>

type MlKeys = Pick<WireResult, keyof typeof NO_ML>

export async function mlToWire(report: BacktestReport): Promise<MlKeys> {
  const { run, result, features, target } = report
  const { strategy } = run.request
  if (!learns(strategy) || !result.ml || !run.model) return NO_ML
  const { ml } = result
  return {
    target_accuracy: figureToWire(ml.accuracy.accuracy),
    ...modelToWire(strategy, run.model),
    train_period: periodToWire(ml.train),
    test_period: periodToWire(ml.test),
    features: features.map((feature) => selectionToWire(feature, result.revisedValues)),
    target: target && selectionToWire(target, result.revisedValues),
    feature_importances: importances(ml),
    test_predictions: signalsToWire(ml.signals),
    test_probabilities: columnToWire(ml.probabilities),
    test_feature_values: Object.fromEntries(
      ml.featureLabels.map((label, i) => [label, columnToWire(ml.featureColumns[i]!)]),
    ),
    accuracy_details: { ...accuracyToWire(ml.accuracy), rows: ml.accuracy.rows },
    honesty: honestyToWire(ml),
    ...(await walkForwardToWire(report)),
  }
}

function modelToWire(strategy: MlStrategy, model: ModelChoice) {
  const { trainPct, buy, sell, walkForward } = strategy
  const sizes = { train_size: trainPct, test_size: 100 - trainPct }
  return {
    ml_model_type: modelTypeOf(model),
    ...sizes,
    ml_params: modelParams(model),
    ml_config: {
      model_type: modelTypeOf(model),
      ...sizes,
      signal1_allocations: rowsToWire(buy),
      signal0_allocations: rowsToWire(sell),
      walk_forward: walkForward
        ? {
            train_window_pct: walkForward.trainPct,
            test_window_pct: walkForward.testPct,
            step_size_pct: walkForward.stepPct ?? null,
          }
        : null,
    },
    signal1_allocation: percentByTicker(buy),
    signal0_allocation: percentByTicker(sell),
  }
}

/** Beyond it the model knows something. */
const SIGNIFICANT = 0.05

/** Where leaves were so small that they learn noise, and nothing was learned beyond it: that the recommended settings would likely have done better. */
export function settingsNotes({ run, result }: BacktestReport): string[] {
  const { strategy } = run.request
  if (!learns(strategy) || !result.ml || !run.model) return []
  const { p_value } = accuracyToWire(result.ml.accuracy)
  if (p_value === null || p_value < SIGNIFICANT) return []
  const { trainPct, testPct } = strategy.walkForward ?? {
    trainPct: strategy.trainPct,
    testPct: 100 - strategy.trainPct,
  }
  const tested = result.ml.walkForward?.windows[0]?.testRows ?? result.ml.signals.length
  const trainRows = tested * (trainPct / testPct)
  const what = smallLeaves(run.model, trainRows)
  if (what === undefined) return []
  return [
    `${what} learn noise from about ${Math.round(trainRows).toLocaleString('en-US')} training rows, and nothing was found beyond it. The recommended settings of the form ` +
      'would likely have done better if there is something to find: where 55% can be right, they were in 54% and these in 51%.',
  ]
}

function smallLeaves(model: ModelChoice, trainRows: number): string | undefined {
  if (model.kind === 'boosting') {
    const { minLeafShare = 0 } = model.settings
    return minLeafShare < SMALL_LEAF_SHARE && trainRows > 1 / SMALL_LEAF_SHARE
      ? 'Boosted trees with leaves of any size'
      : undefined
  }
  if (!('settings' in model)) return undefined
  const { minSamplesLeaf } = model.settings
  const rows = minSamplesLeaf < 1 ? minSamplesLeaf * trainRows : minSamplesLeaf
  if (rows >= SMALL_LEAF_SHARE * trainRows) return undefined
  return `Trees with leaves of ${Math.max(1, Math.round(rows))} ${Math.round(rows) > 1 ? 'rows' : 'row'}`
}

const periodToWire = ({ from, to }: Period) => ({ start_date: formatDate(from), end_date: formatDate(to) })

/** `revised` is missing in results of earlier versions. */
function selectionToWire({ id, name, label, params }: UsedSelection, revised: readonly RevisedValues[] | undefined) {
  const tickers = [params['ticker'], params['other_ticker']].filter((ticker) => typeof ticker === 'string')
  const symbols = new Set(tickers.map((ticker) => parseTicker(ticker).symbol))
  const isRevised = ({ ticker, ofUnknownRelease }: RevisedValues) => ofUnknownRelease > 0 && symbols.has(ticker)
  return {
    id,
    name: label,
    original_name: name,
    params: { ...params },
    uses_revised_values: revised?.some(isRevised) ?? false,
  }
}

type Ml = NonNullable<BacktestReport['result']['ml']>

const importances = ({ featureLabels, importances: shares }: Ml) =>
  (shares ?? [])
    .map((importance, i) => ({ feature: featureLabels[i]!, importance }))
    .toSorted((a, b) => b.importance - a.importance)

function honestyToWire({ honesty, usableRows }: Ml): WireResult['honesty'] {
  const { truncation, shuffledLabels, rowsPurged } = honesty
  return {
    truncation: {
      passed: truncation.passed,
      checked_instants: truncation.checkedInstants,
      failed_features: truncation.failedFeatures,
    },
    shuffled_labels: { ...accuracyToWire(shuffledLabels), passed: shuffledLabels.passed },
    rows_purged: rowsPurged,
    usable_rows: usableRows,
  }
}

/** Rows of one ticker added up. */
export function percentByTicker(rows: readonly AllocationRow[]): Record<string, number> {
  const percentages = new Map<string, number>()
  for (const { ticker, allocationPct } of rows) percentages.set(ticker, (percentages.get(ticker) ?? 0) + allocationPct)
  return Object.fromEntries(percentages)
}
