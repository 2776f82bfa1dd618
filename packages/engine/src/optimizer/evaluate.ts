import { deriveSeed } from '@tradewright/core/random'
import { noSignals, type SignalColumn, enterPredictions } from '../backtest/signals.ts'
import type { ModelChoice } from '../models/settings.ts'
import { type BlockSums, blockSums, CSCV_BLOCKS } from '../performance/overfitting-probability.ts'
import { type SearchData, columnsOf, type SearchWindow, columnOf } from './search-data.ts'
import {
  type FitnessRules,
  fitnessOf,
  scoreSignals,
  type Scores,
  sharpePerBarOf,
  tradeSignals,
  type TradedSignals,
} from './score.ts'
import { activeReturns, timingReturns } from './holding.ts'
import type { Individual } from './request.ts'
import { definitionOf, settingsOf } from '../models/catalogue.ts'
import type { TrainingData } from '../models/model.ts'

/** How every individual of a run is evaluated. */
export interface EvaluationRules {
  readonly seed: number
  readonly model: ModelChoice
  readonly fitness: FitnessRules
  /** The sums of every how-many-th individual are kept: all in runs of usual size, few in huge ones. */
  readonly keepBlocksOf: number
}

/** The stored part of an individual that was trained and tested; plain numbers that survive as JSON to the last bit. */
export interface Evaluation extends Scores {
  readonly fitness: number
  /** Sums of the excess returns over equal parts of the test time, for the probability of overfitting. */
  readonly blocks: BlockSums | null
  /** Not yearly; null where the returns do not vary. */
  readonly sharpePerBar: number | null
  /** The Sharpe ratio of the returns minus those of holding the buy allocation; null where they never differ. */
  readonly activeSharpePerBar: number | null
  /** The Sharpe ratio of what the timing earned; null where the position never changed. */
  readonly timingSharpePerBar?: number | null
}

const never = () => false

/** Trains and tests one individual. The same wherever it is done. */
export function evaluate(
  searchData: SearchData,
  rules: EvaluationRules,
  { target, genes }: Individual,
  isCancelled: () => boolean = never,
): Evaluation {
  const columns = columnsOf(searchData, genes)
  const windows = searchData.windows.map((window, number) => {
    const probabilities = predictWindow(
      searchData,
      window,
      columns,
      rules.model,
      windowSeed(rules.seed, number),
      isCancelled,
    )
    return signalsOf(searchData, window.testRows, probabilities)
  })
  const overall = joined(searchData, windows)
  const traded = tradeSignals(searchData, overall)
  const scores = scoreSignals(searchData, overall, traded)
  return {
    ...scores,
    fitness: fitnessOf(windowValues(searchData, rules, windows, overall, scores), rules.fitness),
    // By its content, so that it does not matter who evaluates it when.
    blocks: deriveSeed(target, ...genes) % rules.keepBlocksOf === 0 ? blocksOf(traded) : null,
    sharpePerBar: traded.sharpePerBar,
    activeSharpePerBar: sharpePerBarOf(activeReturns(searchData, traded)),
    timingSharpePerBar: sharpePerBarOf(timingReturns(searchData, traded, overall)),
  }
}

function signalsOf({ usableRows, prices }: SearchData, rows: Int32Array, probabilities: Float64Array): SignalColumn {
  const signals = noSignals(prices.days.length)
  enterPredictions(
    signals,
    rows.map((row) => usableRows[row]!),
    probabilities,
  )
  return signals
}

/** Every date once, by the newest model trained before it: later windows overwrite earlier ones. */
export function joined({ prices }: SearchData, windows: readonly SignalColumn[]): SignalColumn {
  if (windows.length === 1) return windows[0]!
  const overall = noSignals(prices.days.length)
  for (const { signals, probabilities } of windows) {
    for (let bar = 0; bar < signals.length; bar++) {
      if (signals[bar] === -1) continue
      overall.signals[bar] = signals[bar]!
      overall.probabilities[bar] = probabilities[bar]!
    }
  }
  return overall
}

/** The metric in each test window. A window without a known label has no accuracy and does not count. */
function windowValues(
  searchData: SearchData,
  { fitness }: EvaluationRules,
  windows: readonly SignalColumn[],
  overall: SignalColumn,
  scores: Scores,
): number[] {
  return windows.flatMap((window) => {
    const value = window === overall ? scores[fitness.metric] : windowValue(searchData, fitness.metric, window)
    // Returns that do not vary earn nothing beyond cash.
    return value === null && fitness.metric === 'accuracy' ? [] : [value ?? 0]
  })
}

/** An account is simulated only where its result counts. */
function windowValue(searchData: SearchData, metric: FitnessRules['metric'], window: SignalColumn): number | null {
  return scoreSignals(searchData, window, metric === 'accuracy' ? undefined : tradeSignals(searchData, window))[metric]
}

function blocksOf({ excess }: TradedSignals): Evaluation['blocks'] {
  const sums = blockSums(excess, CSCV_BLOCKS)
  if (!sums) return null
  return { count: Array.from(sums.count), sum: Array.from(sums.sum), squares: Array.from(sums.squares) }
}

/** Every individual's model of a window has the same seed, so that individuals differ by their features alone. */
export const windowSeed = (seed: number, window: number): number => deriveSeed(seed, window)

/** Probabilities of the window's test rows from columns that were coded for all individuals together. */
function predictWindow(
  searchData: SearchData,
  { trainRows, testRows, codes }: SearchWindow,
  columns: Int32Array,
  model: ModelChoice,
  seed: number,
  isCancelled: () => boolean,
): Float64Array {
  const data: TrainingData = {
    columns: () => Array.from(columns, (column) => columnOf(searchData, column)),
    // No row of an searchData misses a value, and trees are not kept here, so edges and gaps are not asked for.
    matrix: () => ({ ...codes!, columnCount: searchData.genes.length, edges: [], hasMissing: [] }),
    matrixColumns: columns,
    labels: searchData.searchLabels,
    trainRows,
    seed,
    isCancelled,
  }
  return definitionOf(model.kind).predict(data, settingsOf(model), testRows)
}
