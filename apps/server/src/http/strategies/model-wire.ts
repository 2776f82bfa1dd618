import { modelOf, type ModelEntry } from '@tradewright/core/model-catalogue'
import { strategyLimits } from '@tradewright/core/strategy-limits'
import {
  defaultBoostingSettings,
  type ModelChoice,
  type ModelSettings,
  type MaxFeatures,
} from '@tradewright/engine/models/settings'

export const modelTypeOf = ({ kind }: ModelChoice) => modelOf(kind).label

const maxFeaturesToWire = (maxFeatures: MaxFeatures): string | number =>
  typeof maxFeatures === 'number' && maxFeatures >= strategyLimits.everyColumn ? 'all' : maxFeatures

/** The settings of each kind in scikit-learn's words. */
const PARAMS = {
  trees: (settings: ModelSettings['trees']) => ({
    n_estimators: settings.trees,
    max_features: maxFeaturesToWire(settings.maxFeatures),
    min_samples_leaf: settings.minSamplesLeaf,
    min_samples_split: settings.minSamplesSplit,
  }),
  rounds: ({ rounds, maxDepth, eta, minLeafShare, earlyStoppingRounds }: ModelSettings['rounds']) => ({
    n_estimators: rounds,
    max_depth: maxDepth,
    learning_rate: eta,
    ...(minLeafShare !== undefined && { min_leaf_share: minLeafShare }),
    ...(earlyStoppingRounds !== null && { find_rounds: 'yes' }),
  }),
  none: () => ({}),
} satisfies Record<ModelEntry['settings'], (settings: never) => Record<string, number | string>>

/** The settings that the model learned with. */
export function modelParams(model: ModelChoice): Record<string, number | string> {
  const toParams = PARAMS[modelOf(model.kind).settings] as (settings: unknown) => Record<string, number | string>
  return toParams('settings' in model ? model.settings : undefined)
}

/** Settings of boosting in the words of the forms, those that are not the default. */
export function boostingParams(model: ModelChoice) {
  if (model.kind !== 'boosting') return {}
  const { rounds, maxDepth, eta, minLeafShare, earlyStoppingRounds } = model.settings
  const usual = defaultBoostingSettings
  return {
    ...(rounds !== usual.rounds && { boosting_rounds: rounds }),
    ...(maxDepth !== usual.maxDepth && { max_depth: maxDepth }),
    ...(eta !== usual.eta && { learning_rate: eta }),
    ...(minLeafShare !== undefined && { min_leaf_share: minLeafShare }),
    ...(earlyStoppingRounds !== null && { find_rounds: true }),
  }
}

/** Settings of trees that the form asks for; undefined for models that have none of them. */
export function treeParams(model: ModelChoice): ReturnType<typeof PARAMS.trees> | undefined {
  return 'settings' in model && 'trees' in model.settings ? PARAMS.trees(model.settings) : undefined
}
