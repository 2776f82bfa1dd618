import { hasBlocks, isFixed, learns, receivesSignals } from '@tradewright/core/strategy-kinds'
import { Problem } from '@tradewright/core/problem'
import { parseTicker } from '@tradewright/core/ticker'
import { type EpochDay, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { allocationOf, type KnownSignal, signalKnownAt } from '../backtest/external-backtest.ts'
import { dataNotes } from '../backtest/data-notes.ts'
import { type Continuation, continuationNote, continueAllocation } from '../backtest/ended-tickers.ts'
import { featureRows } from '../backtest/learnable-rows.ts'
import { fingerprintOf } from '../backtest/fingerprint.ts'
import type { MarketData } from '../backtest/market-data.ts'
import { type BacktestPlan, featuresOf, type MlPlan, type RulesPlan } from '../backtest/plan.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import {
  helperNotes,
  provenanceOf,
  refuseMixedPrices,
  type SeriesProvenance,
  syntheticTickers,
  usesOf,
} from '../backtest/provenance.ts'
import { uncontrolled } from '../backtest/progress.ts'
import type { BacktestSettings } from '../backtest/request.ts'
import { currentRevisionNotes, revisedValues, tablesOf } from '../backtest/revised-values.ts'
import { type Signal, signalOf } from '../backtest/signals.ts'
import { type SimulationTable, simulationTable } from '../backtest/simulation-table.ts'
import type { Model } from '../models/model.ts'
import { rulesInputs } from '../rules/inputs.ts'
import type { Allocation } from '../trading/allocation.ts'
import { knownDataAt } from './known-data.ts'
import { type ModelVersion, versionAt } from './model-versions.ts'
import { RulesFollower, rulesKey, type RulesMemory } from './rules-follower.ts'
import { stalenessOf } from './stale-data.ts'

/** What a year ago was odd about a price moves no decision of today; the model tells of the data it learned from. */
const NOTED_DAYS = 365

interface Influence {
  readonly feature: string
  readonly value: number
  readonly contribution: number
}

/** A model's prediction, and why. */
export interface Prediction {
  readonly signal: Signal
  readonly probability: number
  readonly unit: 'probability' | 'log-odds'
  readonly base: number
  /** Strongest first. */
  readonly influences: readonly Influence[]
}

export interface LiveSignal {
  /** The stamp of the newest bar that was known. */
  readonly dataAsOf: UtcMillis
  /** Undefined for a strategy that predicts nothing. */
  readonly prediction: Prediction | undefined
  /** The model that predicted; undefined without one. */
  readonly modelVersion: number | undefined
  /** What the next decision of a rule strategy starts from; undefined for other strategies. */
  readonly rules: RulesMemory | undefined
  /** The signal from outside that counts; undefined for other strategies. */
  readonly external: KnownSignal | undefined
  /** Percentages by signal ticker. */
  readonly allocation: Allocation
  readonly fingerprint: string
  readonly series: readonly SeriesProvenance[]
  /** The traded tickers whose prices come from the sample market. */
  readonly synthetic: readonly string[]
  /**
   * What is odd about the newest prices, which series beside the traded ones are synthetic, and of which features the first
   * releases are not known, as sentences.
   */
  readonly notes: readonly string[]
}

/**
 * The weights that a strategy wants to hold at an instant, from what was known then. The same tables, features and
 * thresholds as the backtest: asked at the decision of any bar, it answers what the backtest decided there. Rules go on
 * from the memory of the decision before; without one they are followed from the start of the run, as the backtest does.
 */
export function signalNow(
  plan: BacktestPlan,
  all: MarketData,
  models: readonly ModelVersion[],
  at: UtcMillis,
  memory?: RulesMemory,
): LiveSignal {
  const settings = liveSettings(plan, Math.max(plan.settings.from, epochDayOf(at)))
  const known = knownDataAt(all, at)
  const seriesSet = new SeriesSet(known, settings)
  const table = simulationTable(seriesSet, plan.tradedTickers, settings)
  const { strategy } = plan
  const dataAsOf = table.prices.timestamps.at(-1)!
  const version = versionAt(models, dataAsOf)
  const prediction = learns(strategy) ? predict(strategy, seriesSet, table.decisionAt, version?.load()) : undefined
  const rules = hasBlocks(strategy) ? follow(strategy, plan, seriesSet, table, memory) : undefined
  const external = receivesSignals(strategy) ? signalKnownAt(strategy, at) : undefined
  refuseStale(seriesSet, at, plan, table.continuations)
  const series = provenanceOf(seriesSet.used.values(), usesOf(plan))
  refuseMixedPrices(series, settings.allowMixedPrices)
  return {
    dataAsOf,
    prediction,
    modelVersion: version?.version,
    rules,
    external,
    allocation: continueAllocation(heldBy(strategy, prediction, rules, external), table.continuations),
    fingerprint: fingerprintOf(seriesSet.used.values()),
    series,
    synthetic: syntheticTickers(series, 'traded'),
    notes: [
      ...table.continuations.map(continuationNote),
      ...dataNotes(seriesSet.used.values(), Math.max(settings.from, settings.to - NOTED_DAYS), settings.to),
      ...helperNotes(series),
      ...currentRevisionNotes(revisedValues(tablesOf(featuresOf(strategy), known), at)),
    ],
  }
}

/** The checks of all bars since the last decision, whether or not it ran meanwhile. */
function follow(
  strategy: RulesPlan,
  { settings }: BacktestPlan,
  seriesSet: SeriesSet,
  table: SimulationTable,
  memory: RulesMemory | undefined,
): RulesMemory {
  const { timestamps } = table.prices
  const bars = { ...table, timestamps, granularity: settings.granularity }
  const inputs = rulesInputs(strategy.program, bars, (ticker) => seriesSet.anchored(ticker))
  const follower = new RulesFollower(rulesKey(strategy, settings), strategy.program, inputs, timestamps, memory)
  follower.follow(timestamps.length - 1)
  return follower.memory()
}

function heldBy(
  strategy: BacktestPlan['strategy'],
  prediction: Prediction | undefined,
  rules: RulesMemory | undefined,
  external: KnownSignal | undefined,
): Allocation {
  if (receivesSignals(strategy)) return allocationOf(strategy, external!.target)
  if (hasBlocks(strategy)) {
    return new Map(
      Object.entries(rules!.weights).flatMap(([ticker, weight]) => (weight === 0 ? [] : [[ticker, weight * 100]])),
    )
  }
  if (isFixed(strategy)) return strategy.allocation
  return prediction?.signal === 1 ? strategy.buy : strategy.sell
}

/**
 * A single ticker that has ended looks like one whose data provider fell silent, so a deployment waits, as it does for
 * any stale data.
 */
function liveSettings({ settings, tradedTickers, replacementTicker }: BacktestPlan, to: EpochDay): BacktestSettings {
  const isAlone = tradedTickers.length < 2 && replacementTicker === undefined
  return { ...settings, to, ...(isAlone && { endedTicker: 'stop' as const }) }
}

function predict(plan: MlPlan, seriesSet: SeriesSet, decisionAt: Float64Array, model: Model | undefined): Prediction {
  if (!model) throw new Problem('conflict', 'deployment.model', 'The deployment has no trained model.')
  const { columns, labels } = featureRows(plan, seriesSet, decisionAt, uncontrolled)
  if (model.columnCount !== columns.length) {
    throw new Problem(
      'conflict',
      'deployment.model',
      `The model was trained on ${model.columnCount} features, but the strategy has ${columns.length}.`,
    )
  }
  const row = decisionAt.length - 1
  const missing = labels.filter((_, i) => Number.isNaN(columns[i]![row]!))
  if (missing.length > 0) {
    throw new Problem('conflict', 'deployment.data', `No value at the newest bar of ${missing.join(', ')}.`)
  }
  const probability = model.predict(columns, Int32Array.of(row))[0]!
  const { unit, base, contributions } = model.explain(columns, row)
  const influences = labels.map((feature, i) => ({
    feature,
    value: columns[i]![row]!,
    contribution: contributions[i]!,
  }))
  influences.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
  return { signal: signalOf(probability), probability, unit, base, influences }
}

/** Prices that stopped are no reason to trade, whatever a model makes of them. */
function refuseStale(
  { used }: SeriesSet,
  at: UtcMillis,
  { settings }: BacktestPlan,
  continuations: readonly Continuation[],
): void {
  const ended = new Set(continuations.map(({ ticker }) => parseTicker(ticker).symbol))
  const current = [...used.values()].filter(({ ticker }) => !ended.has(ticker))
  const stale = current.flatMap((table) => stalenessOf(table, at, settings.granularity) ?? [])
  if (stale.length > 0) throw new Problem('conflict', 'deployment.stale-data', stale.join(' '))
}
