import type { BacktestForm } from '@tradewright/contract/backtest-form'
import { defaultModel, modelLabelled, modelLabels } from '@tradewright/core/model-catalogue'
import { defaultMl, type MlStrategy } from '@tradewright/engine/backtest/request'
import { choiceOf } from '@tradewright/engine/models/catalogue'
import type { MaxFeatures } from '@tradewright/engine/models/forest/settings'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'
import { allocationRows } from './allocation-form.ts'
import { choiceField, flagField, given, invalidField, numberField, wholeField } from '../input/form-values.ts'
import { EVERY_COLUMN } from './model-wire.ts'
import { featureSelections, targetSelection } from './selection-form.ts'

const MAX_ESTIMATORS = 5000
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
    throw invalidField(`Train size and test size must add up to 100 %, but are ${train} % and ${test} %.`)
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
  const ofForm = forestSettings(form)
  return choiceOf(kind, settings === 'trees' ? ofForm : {})
}

function forestSettings(form: BacktestForm) {
  const trees = wholeField('n_estimators', form.n_estimators) ?? forestDefaults.trees
  if (trees < 1 || trees > MAX_ESTIMATORS) {
    throw invalidField(`n_estimators must be from 1 to ${MAX_ESTIMATORS}, was ${trees}.`)
  }
  return {
    trees,
    maxFeatures: maxFeatures(form.max_features),
    minSamplesLeaf: atLeast('min_samples_leaf', form.min_samples_leaf, 1) ?? forestDefaults.minSamplesLeaf,
    minSamplesSplit: atLeast('min_samples_split', form.min_samples_split, 2) ?? forestDefaults.minSamplesSplit,
  }
}

/** No row count comes near it. */
const MAX_SAMPLES = 1_000_000_000

function atLeast(what: string, text: string | undefined, least: number): number | undefined {
  const value = wholeField(what, text)
  if (value !== undefined && !(value >= least && value <= MAX_SAMPLES)) {
    throw invalidField(`${what} must be a whole number of at least ${least}, was ${value}.`)
  }
  return value
}

/** scikit-learn's words; a number up to 1 is a share of the columns, above it a count. */
function maxFeatures(text: string | undefined): MaxFeatures {
  const word = given(text)?.toLowerCase() ?? forestDefaults.maxFeatures
  if (word === 'sqrt' || word === 'log2' || word === 'auto') return word
  if (word === 'all' || word === 'none' || word === '1.0') return EVERY_COLUMN
  const value = Number(word)
  if (!(value > 0) || (value > 1 && !Number.isInteger(value)) || value > EVERY_COLUMN) {
    throw invalidField(`max_features must be sqrt, log2, auto, all, a share or a number of columns, was "${word}".`)
  }
  return value
}
