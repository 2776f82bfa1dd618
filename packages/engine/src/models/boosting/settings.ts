import { usualRounds } from '@tradewright/core/model-catalogue'
import { strategyLimits } from '@tradewright/core/strategy-limits'
import { checkBetween, checkWhole } from '../settings.ts'

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
