/**
 * The part of a call and of a saved strategy that each kind of strategy has of its own: what it is made of, read from the
 * text of a form and written as a saved strategy keeps it.
 */
import type { BacktestForm } from '@tradewright/contract/backtest-form'
import { SignalBounds } from '@tradewright/contract/external-signals'
import { RulesTree } from '@tradewright/contract/rules'
import type { SavedConfig } from '@tradewright/contract/strategies'
import { strategyFields } from '@tradewright/core/strategy-fields'
import { parseSignals } from '@tradewright/core/external-signal'
import { given, invalidField, numberField, wholeField } from '@tradewright/core/form-values'
import { defaultModel, modelLabelled } from '@tradewright/core/model-catalogue'
import type { RuleProblem } from '@tradewright/core/rules/problems'
import { ownValue, sizesRefused } from '@tradewright/core/settings-codec'
import { strategyLimits } from '@tradewright/core/strategy-limits'
import {
  defaultMl,
  type BacktestRequest,
  type ExternalStrategy,
  type MlStrategy,
  type RulesStrategy,
} from '@tradewright/engine/backtest/request'
import type { Selection } from '@tradewright/engine/features/catalogue'
import { choiceOf } from '@tradewright/engine/models/catalogue'
import {
  defaultBoostingSettings,
  type MaxFeatures,
  type ModelChoice,
  type ModelSettings,
} from '@tradewright/engine/models/settings'
import { defaultWindowPercentages } from '@tradewright/engine/models/splits'
import { rulesProblem } from '@tradewright/engine/rules/compile'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import { jsonField } from '../input/form-values.ts'
import { sentenceFor } from '../input/sentence.ts'
import { isStorable } from '../input/storable.ts'
import { boostingParams, modelTypeOf, treeParams } from './model-wire.ts'

type Strategy = BacktestRequest['strategy']
type StrategyOf<Kind extends Strategy['kind']> = Extract<Strategy, { kind: Kind }>

type StrategyForms = {
  readonly [Kind in Strategy['kind']]: {
    readonly read: (form: BacktestForm) => StrategyOf<Kind>
    /** The model of a strategy that learns. */
    readonly model?: (form: BacktestForm) => ModelChoice
    readonly save: (strategy: StrategyOf<Kind>, model: ModelChoice | undefined) => Partial<SavedConfig>
  }
}

export const strategyForms: StrategyForms = {
  allocation: {
    read: (form) => ({
      kind: 'allocation',
      allocation: allocationRows('The allocation', form['ticker[]'], form['allocation[]']),
    }),
    save: ({ allocation }) => ({ allocations: rowsToWire(allocation) }),
  },
  ml: {
    read: mlStrategy,
    model: modelChoice,
    save: (strategy, model) => ({ ...mlConfig(strategy), ...(model && modelConfig(model)) }),
  },
  rules: { read: ({ rules }) => rulesStrategy(rules), save: ({ tree }) => ({ rules: { ...tree } }) },
  external: {
    read: ({ external, signals }) => externalStrategy(external, signals),
    save: (strategy) => ({ external: { ...externalToWire(strategy) } }),
  },
}

/** What a strategy is made of, as a saved strategy keeps it. */
export const savedStrategy = <Kind extends Strategy['kind']>(
  strategy: StrategyOf<Kind>,
  model: ModelChoice | undefined,
): Partial<SavedConfig> => strategyForms[strategy.kind].save(strategy, model)

export const rowsToWire = (rows: readonly AllocationRow[]) =>
  rows.map(({ ticker, allocationPct }) => ({ ticker, allocation: allocationPct }))

function mlConfig({ trainPct, walkForward, features, target, buy, sell }: MlStrategy) {
  const windows = walkForward ?? defaultWindowPercentages
  return {
    trainSize: trainPct,
    testSize: 100 - trainPct,
    features: features.map(({ id, params }) => ({ id, params })),
    target: { id: target.id, params: target.params },
    targetParams: target.params,
    signal1Allocations: rowsToWire(buy),
    signal0Allocations: rowsToWire(sell),
    walkForwardEnabled: walkForward !== undefined,
    wfStepSizePct: windows.stepPct ?? null,
    wfTrainWindowPct: windows.trainPct,
    wfTestWindowPct: windows.testPct,
  }
}

const modelConfig = (model: ModelChoice) => ({
  mlModelType: modelTypeOf(model),
  ...treeParams(model),
  ...boostingParams(model),
})

/** Rows of an allocation form: tickers and percentages in the same order. A row without a ticker does not count. */
function allocationRows(
  what: string,
  tickers: readonly string[] = [],
  percentages: readonly string[] = [],
): AllocationRow[] {
  if (tickers.length !== percentages.length) {
    throw invalidField(`${what} has ${tickers.length} tickers but percentages for ${percentages.length}.`)
  }
  return tickers.flatMap((text, row) => {
    const ticker = given(text)
    if (ticker === undefined) return []
    const allocationPct = numberField(`${what} of ${ticker}`, percentages[row])
    if (allocationPct === undefined) throw invalidField(`${what} of ${ticker} is missing.`)
    return [{ ticker: ticker.toUpperCase(), allocationPct }]
  })
}

function mlStrategy(form: BacktestForm): MlStrategy {
  return {
    kind: 'ml',
    trainPct: trainPct(form),
    walkForward: walkForward(form),
    features: featureSelections(given(form.features)),
    target: targetSelection(form.target),
    buy: allocationRows('The Buy allocation', form['signal1_ticker[]'], form['signal1_allocation[]']),
    sell: allocationRows('The Sell allocation', form['signal0_ticker[]'], form['signal0_allocation[]']),
  }
}

export function trainPct(form: BacktestForm): number {
  const train = ownValue('trainSize', form)
  const test = ownValue('testSize', form)
  if (train !== undefined && test !== undefined && Math.abs(train + test - 100) > 1e-6) {
    throw invalidField(sizesRefused(train, test))
  }
  return train ?? (test === undefined ? defaultMl.trainPct : 100 - test)
}

export function walkForward(form: BacktestForm): MlStrategy['walkForward'] {
  if (!ownValue('walkForwardEnabled', form)) return undefined
  const { trainPct, testPct, stepPct } = defaultMl.defaultWindows
  return {
    trainPct: ownValue('wfTrainWindowPct', form) ?? trainPct,
    testPct: ownValue('wfTestWindowPct', form) ?? testPct,
    stepPct: ownValue('wfStepSizePct', form) ?? stepPct,
  }
}

/** The tree parameters of the form are those of models of trees; the other models have settings of their own. */
export function modelChoice(form: BacktestForm): ModelChoice {
  const label = ownValue('mlModelType', form) ?? defaultModel.label
  const { kind, settings } = modelLabelled(label)!
  const [ofTrees, ofRounds] = [forestSettings(form), boostingSettings(form)]
  return choiceOf(kind, settings === 'trees' ? ofTrees : settings === 'rounds' ? ofRounds : {})
}

/** Only what was asked for: the rest stays the default of the model. */
function boostingSettings(form: BacktestForm): Partial<ModelSettings['rounds']> {
  const { rounds: usualRounds } = defaultBoostingSettings
  const rounds = ownValue('boosting_rounds', form)
  const maxDepth = ownValue('max_depth', form)
  const eta = ownValue('learning_rate', form)
  const minLeafShare = ownValue('min_leaf_share', form)
  const findsRounds = ownValue('find_rounds', form) ?? false
  return {
    ...(rounds !== undefined && { rounds }),
    ...(maxDepth !== undefined && { maxDepth }),
    ...(eta !== undefined && { eta }),
    ...(minLeafShare !== undefined && { minLeafShare }),
    // Every round up to the last is tried.
    ...(findsRounds && { earlyStoppingRounds: rounds ?? usualRounds }),
  }
}

const forestSettings = (form: BacktestForm) => ({
  trees: ownValue('n_estimators', form) ?? strategyFields.n_estimators.default,
  maxFeatures: maxFeatures(form.max_features),
  minSamplesLeaf: leaf(form.min_samples_leaf) ?? strategyFields.min_samples_leaf.default,
  minSamplesSplit: atLeast('min_samples_split', form.min_samples_split, 2) ?? strategyFields.min_samples_split.default,
})

/** Rows, or as in scikit-learn a share of the training rows. */
function leaf(text: string | undefined): number | undefined {
  const value = numberField('min_samples_leaf', text)
  if (value === undefined || !(value > 0 && value < 1)) return atLeast('min_samples_leaf', text, 1)
  if (value >= 1e-6 && value <= 0.5) return value
  throw invalidField(`As a share, min_samples_leaf must be from 0.000001 to 0.5, was ${value}.`)
}

function atLeast(what: string, text: string | undefined, least: number): number | undefined {
  const value = wholeField(what, text)
  if (value !== undefined && !(value >= least && value <= strategyLimits.samples)) {
    throw invalidField(`${what} must be a whole number of at least ${least}, was ${value}.`)
  }
  return value
}

/** scikit-learn's words; a number up to 1 is a share of the columns, above it a count. */
function maxFeatures(text: string | undefined): MaxFeatures {
  const word = given(text)?.toLowerCase() ?? strategyFields.max_features.default
  if (word === 'sqrt' || word === 'log2' || word === 'auto') return word
  if (word === 'all' || word === 'none' || word === '1.0') return strategyLimits.everyColumn
  const value = Number(word)
  if (!(value > 0) || (value > 1 && !Number.isInteger(value)) || value > strategyLimits.everyColumn) {
    throw invalidField(`max_features must be sqrt, log2, auto, all, a share or a number of columns, was "${word}".`)
  }
  return value
}

/** The JSON list of features. Their parameters are validated by the catalogue. */
function featureSelections(text: string | undefined): Selection[] {
  const value = text === undefined ? [] : jsonField('The list of features', text)
  if (!Array.isArray(value)) throw invalidField('The features must be a JSON list.')
  return value.map((one: unknown, i) => selection(`Feature ${i + 1}`, one))
}

/** `{id, params}`, or the id alone, which then has its default parameters. */
function targetSelection(text: string | undefined): Selection {
  if (text === undefined || text.trim() === '') throw invalidField('Choose a target: what the model should predict.')
  const value = /^\s*[[{"]|^\s*\d+\s*$/.test(text) ? jsonField('The target', text) : text
  return selection('The target', isId(value) ? { id: value } : value)
}

const isId = (value: unknown): value is number | string => typeof value === 'number' || typeof value === 'string'

function selection(what: string, value: unknown): Selection {
  const { id, params = {} } = (value ?? {}) as { id?: unknown; params?: unknown }
  if (!isId(id)) throw invalidField(`${what} has no id.`)
  if (typeof params !== 'object' || params === null || Array.isArray(params) || !isStorable(params)) {
    throw invalidField(`The parameters of ${what.toLowerCase()} must be an object.`)
  }
  return { id, params: params as Selection['params'] }
}

/** The JSON of a tree. What is wrong with its shape is said at the block concerned; its meaning is checked by the plan. */
function rulesStrategy(text: string | undefined): RulesStrategy {
  if (text === undefined || text.trim() === '') throw invalidField('The strategy has no rules: add a block.')
  const value = jsonField('The rules', text)
  const parsed = RulesTree.safeParse(value)
  if (parsed.success) return { kind: 'rules', tree: parsed.data }
  throw rulesProblem(parsed.error.issues.map(({ path, message }) => problemAt(value, path, message)))
}

function problemAt(value: unknown, path: readonly PropertyKey[], sentence: string): RuleProblem {
  let block: string | undefined
  let part = value
  for (const key of path) {
    part = isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined
    if (isObject(part) && typeof part['id'] === 'string') block = part['id'].slice(0, MAX_SHOWN)
  }
  return { block, path: path.map(String).join('.'), sentence }
}

const MAX_SHOWN = 40

const isObject = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null

/** The JSON of a list of allocations, and the signals of a file. Their meaning is checked by the plan. */
function externalStrategy(bounds: string | undefined, signals: string | undefined): ExternalStrategy {
  if (bounds === undefined || bounds.trim() === '') throw invalidField('Add an allocation: a signal names one of them.')
  const parsed = SignalBounds.safeParse(jsonField('The external signal', bounds))
  if (!parsed.success) throw invalidField(sentenceFor(parsed.error))
  const { allocations, initial, max_weight_pct: maxWeightPct } = parsed.data
  return {
    kind: 'external',
    allocations: allocations.map(({ name, rows }) => ({
      name,
      rows: rows.map(({ ticker, allocation }) => ({ ticker, allocationPct: allocation })),
    })),
    initial,
    maxWeightPct,
    signals: signals === undefined || signals.trim() === '' ? [] : parseSignals(signals),
  }
}

const externalToWire = ({ allocations, initial, maxWeightPct }: ExternalStrategy): SignalBounds => ({
  allocations: allocations.map(({ name, rows }) => ({
    name,
    rows: rows.map(({ ticker, allocationPct }) => ({ ticker, allocation: allocationPct })),
  })),
  initial,
  max_weight_pct: maxWeightPct,
})
