import { Problem } from '@tradewright/core/problem'
import { usualRounds, type ModelKind, type ModelSettingsBy } from '@tradewright/core/model-catalogue'
import { strategyLimits } from '@tradewright/core/strategy-limits'

/** The type of each kind of settings; their seed comes from the run. */
export interface ModelSettings {
  readonly trees: Omit<ForestSettings, 'seed'>
  readonly rounds: Omit<BoostingSettings, 'seed'>
  readonly none: undefined
}

export type SettingsOf<Kind extends ModelKind> = ModelSettingsBy<ModelSettings>[Kind]

/** Which model a strategy asks for, with its settings where it has any. */
export type ModelChoice = {
  [Kind in ModelKind]: SettingsOf<Kind> extends undefined
    ? { readonly kind: Kind }
    : { readonly kind: Kind; readonly settings: SettingsOf<Kind> }
}[ModelKind]

/** Number of columns tried at a node: scikit-learn's names, a count, or a fraction of the columns below 1. */
export type MaxFeatures = 'sqrt' | 'log2' | 'auto' | number

export interface ForestSettings {
  readonly trees: number
  readonly maxFeatures: MaxFeatures
  /** Rows, not draws: as in scikit-learn a row drawn three times counts once, and a number below 1 is a share of the training rows. */
  readonly minSamplesLeaf: number
  readonly minSamplesSplit: number
  readonly bootstrap: boolean
  readonly seed: number
}

export const defaultForestSettings: ForestSettings = {
  trees: 100,
  maxFeatures: 'sqrt',
  minSamplesLeaf: 1,
  minSamplesSplit: 2,
  bootstrap: true,
  seed: 0,
}

export function checkForestSettings(settings: ForestSettings): void {
  checkWhole('The number of trees', settings.trees, 1)
  if (settings.minSamplesLeaf < 1) checkBetween('min_samples_leaf', settings.minSamplesLeaf, 1e-6, 0.5)
  else checkWhole('min_samples_leaf', settings.minSamplesLeaf, 1)
  checkWhole('min_samples_split', settings.minSamplesSplit, 2)
  if (!Number.isInteger(settings.seed)) throw new RangeError(`seed must be a whole number, was ${settings.seed}`)
}

/** Rows that a leaf has at least; a share is rounded up, as scikit-learn does. */
export const leafRows = (minSamplesLeaf: number, trainRows: number): number =>
  minSamplesLeaf < 1 ? Math.max(1, Math.ceil(minSamplesLeaf * trainRows)) : minSamplesLeaf

/** `auto` means sqrt, as it did for scikit-learn's classifiers. A number below 1 is a fraction, from 1 a count. */
export function candidateColumns(maxFeatures: MaxFeatures, columns: number): number {
  const wanted = wantedColumns(maxFeatures, columns)
  return Math.min(columns, Math.max(1, Math.floor(wanted)))
}

function wantedColumns(maxFeatures: MaxFeatures, columns: number): number {
  switch (maxFeatures) {
    case 'sqrt':
    case 'auto':
      return Math.sqrt(columns)
    case 'log2':
      return Math.log2(columns)
    default:
      if (!(maxFeatures > 0) || (maxFeatures > 1 && !Number.isInteger(maxFeatures))) {
        throw new Problem(
          'invalid',
          'model.settings',
          `max_features must be sqrt, log2, auto, a count or a fraction, was ${maxFeatures}.`,
        )
      }
      return maxFeatures < 1 ? maxFeatures * columns : maxFeatures
  }
}

/** XGBoost's names for the same things, in their order: num_boost_round, max_depth, eta, lambda, gamma … */
export interface BoostingSettings {
  readonly rounds: number
  readonly maxDepth: number
  readonly eta: number
  readonly lambda: number
  /** Least gain of a split. Tested while growing; XGBoost prunes afterwards, which can keep a poor split above a good one. */
  readonly gamma: number
  readonly minChildWeight: number
  /**
   * The share of the training rows that a leaf has at least (at even odds, where a row weighs a quarter); absent:
   * minChildWeight alone.
   */
  readonly minLeafShare?: number
  /** Fraction of the rows that each tree is trained on. */
  readonly subsample: number
  /** Fraction of the columns that each tree may use. */
  readonly colsample: number
  readonly seed: number
  /**
   * Stop when the loss of the validation rows has not improved for so many rounds, and keep the best round. Without validation rows the
   * training rows are divided into purged folds to find the number of rounds, and then all are learned from.
   */
  readonly earlyStoppingRounds: number | null
}

export const defaultBoostingSettings: BoostingSettings = {
  ...usualRounds,
  lambda: 1,
  gamma: 0,
  minChildWeight: 1,
  subsample: 1,
  colsample: 1,
  seed: 0,
  earlyStoppingRounds: null,
}

export function checkBoostingSettings(settings: BoostingSettings): void {
  checkWhole('The number of rounds', settings.rounds, 1)
  checkWhole('max_depth', settings.maxDepth, 1)
  checkBetween('max_depth', settings.maxDepth, 1, strategyLimits.boostingDepth)
  checkBetween('eta', settings.eta, 1e-6, 1)
  checkBetween('lambda', settings.lambda, 0, 1e6)
  checkBetween('gamma', settings.gamma, 0, 1e6)
  checkBetween('min_child_weight', settings.minChildWeight, 0, 1e6)
  if (settings.minLeafShare !== undefined) checkBetween('min_samples_leaf', settings.minLeafShare, 1e-6, 0.5)
  checkBetween('subsample', settings.subsample, 1e-6, 1)
  checkBetween('colsample', settings.colsample, 1e-6, 1)
  if (settings.earlyStoppingRounds !== null) checkWhole('early_stopping_rounds', settings.earlyStoppingRounds, 1)
  if (!Number.isInteger(settings.seed)) throw new RangeError(`seed must be a whole number, was ${settings.seed}`)
}

function checkWhole(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > 2 ** 30) {
    throw settingsProblem(`${name} must be a whole number of at least ${least}, was ${value}.`)
  }
}

/** Within [least, most]; NaN is within nothing. */
function checkBetween(name: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) {
    throw settingsProblem(`${name} must be between ${least} and ${most}, was ${value}.`)
  }
}

function settingsProblem(sentence: string): Problem {
  return new Problem('invalid', 'model.settings', sentence)
}
