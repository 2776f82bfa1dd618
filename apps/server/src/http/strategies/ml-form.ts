import type { BacktestForm } from '@tradewright/contract/backtest-form'
import { defaultModel, modelLabelled, modelLabels } from '@tradewright/core/model-catalogue'
import { strategyLimits } from '@tradewright/core/strategy-limits'
import { defaultMl, type MlStrategy } from '@tradewright/engine/backtest/request'
import { choiceOf } from '@tradewright/engine/models/catalogue'
import {
  type MaxFeatures,
  defaultBoostingSettings,
  type ModelChoice,
  type ModelSettings,
} from '@tradewright/engine/models/settings'
import type { Selection } from '@tradewright/engine/features/catalogue'
import { allocationRows } from './allocation-form.ts'
import {
  choiceField,
  flagField,
  given,
  invalidField,
  numberField,
  wholeField,
  jsonField,
} from '../input/form-values.ts'
import { isStorable } from '../input/storable.ts'

const forestDefaults = { trees: 3000, maxFeatures: 'sqrt', minSamplesLeaf: 3, minSamplesSplit: 3 } as const

export function mlStrategy(form: BacktestForm): MlStrategy {
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
  const train = numberField('The train size', form.trainSize)
  const test = numberField('The test size', form.testSize)
  if (train !== undefined && test !== undefined && Math.abs(train + test - 100) > 1e-6) {
    throw invalidField(`Train size and test size must add up to 100%, but are ${train}% and ${test}%.`)
  }
  return train ?? (test === undefined ? defaultMl.trainPct : 100 - test)
}

export function walkForward(form: BacktestForm): MlStrategy['walkForward'] {
  if (!(flagField('Walk-forward', form.walkForwardEnabled) ?? false)) return undefined
  const { trainPct, testPct, stepPct } = defaultMl.defaultWindows
  return {
    trainPct: numberField('The train window', form.wfTrainWindowPct) ?? trainPct,
    testPct: numberField('The test window', form.wfTestWindowPct) ?? testPct,
    stepPct: numberField('The step size', form.wfStepSizePct) ?? stepPct,
  }
}

/** The tree parameters of the form are those of models of trees; the other models have settings of their own. */
export function modelChoice(form: BacktestForm): ModelChoice {
  const label = choiceField('The model type', modelLabels, form.mlModelType) ?? defaultModel.label
  const { kind, settings } = modelLabelled(label)!
  const [ofTrees, ofRounds] = [forestSettings(form), boostingSettings(form)]
  return choiceOf(kind, settings === 'trees' ? ofTrees : settings === 'rounds' ? ofRounds : {})
}

/** Only what was asked for: the rest stays the default of the model. */
function boostingSettings(form: BacktestForm): Partial<ModelSettings['rounds']> {
  const { rounds: usualRounds } = defaultBoostingSettings
  const rounds = within(
    'boosting_rounds',
    wholeField('boosting_rounds', form.boosting_rounds),
    1,
    strategyLimits.boostingRounds,
  )
  const maxDepth = within('max_depth', wholeField('max_depth', form.max_depth), 1, strategyLimits.boostingDepth)
  const eta = within('learning_rate', numberField('learning_rate', form.learning_rate), 1e-6, 1)
  const minLeafShare = within('min_leaf_share', numberField('min_leaf_share', form.min_leaf_share), 1e-6, 0.5)
  const findsRounds = flagField('find_rounds', form.find_rounds) ?? false
  return {
    ...(rounds !== undefined && { rounds }),
    ...(maxDepth !== undefined && { maxDepth }),
    ...(eta !== undefined && { eta }),
    ...(minLeafShare !== undefined && { minLeafShare }),
    // Every round up to the last is tried.
    ...(findsRounds && { earlyStoppingRounds: rounds ?? usualRounds }),
  }
}

function within(what: string, value: number | undefined, least: number, most: number): number | undefined {
  if (value !== undefined && !(value >= least && value <= most)) {
    throw invalidField(`${what} must be from ${least} to ${most}, was ${value}.`)
  }
  return value
}

function forestSettings(form: BacktestForm) {
  const trees = wholeField('n_estimators', form.n_estimators) ?? forestDefaults.trees
  if (trees < 1 || trees > strategyLimits.trees) {
    throw invalidField(`n_estimators must be from 1 to ${strategyLimits.trees}, was ${trees}.`)
  }
  return {
    trees,
    maxFeatures: maxFeatures(form.max_features),
    minSamplesLeaf: leaf(form.min_samples_leaf) ?? forestDefaults.minSamplesLeaf,
    minSamplesSplit: atLeast('min_samples_split', form.min_samples_split, 2) ?? forestDefaults.minSamplesSplit,
  }
}

/** Rows, or as in scikit-learn a share of the training rows. */
function leaf(text: string | undefined): number | undefined {
  const value = numberField('min_samples_leaf', text)
  if (value === undefined || !(value > 0 && value < 1)) return atLeast('min_samples_leaf', text, 1)
  return within('As a share, min_samples_leaf', value, 1e-6, 0.5)
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
  const word = given(text)?.toLowerCase() ?? forestDefaults.maxFeatures
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
