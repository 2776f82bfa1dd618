import type { MODEL_TYPES } from '@tradewright/contract/backtests'
import type { ForestSettings, MaxFeatures } from '@tradewright/engine/models/forest/settings'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'

const TYPES = {
  forest: 'Random Forest',
  linear: 'Linear Regression',
  boosting: 'XGBoost',
} as const satisfies Record<ModelChoice['kind'], (typeof MODEL_TYPES)[number]>

export const modelTypeOf = ({ kind }: ModelChoice) => TYPES[kind]

/** A count that no matrix exceeds is every column. */
export const EVERY_COLUMN = 1_000_000

const maxFeaturesToWire = (maxFeatures: MaxFeatures): string | number =>
  typeof maxFeatures === 'number' && maxFeatures >= EVERY_COLUMN ? 'all' : maxFeatures

export const forestParams = (settings: Omit<ForestSettings, 'seed'>) => ({
  n_estimators: settings.trees,
  max_features: maxFeaturesToWire(settings.maxFeatures),
  min_samples_leaf: settings.minSamplesLeaf,
  min_samples_split: settings.minSamplesSplit,
})

/** The settings that the model learned with. */
export function modelParams(model: ModelChoice): Record<string, number | string> {
  if (model.kind === 'linear') return {}
  if (model.kind === 'forest') return forestParams(model.settings)
  const { rounds, maxDepth, eta } = model.settings
  return { n_estimators: rounds, max_depth: maxDepth, learning_rate: eta }
}
