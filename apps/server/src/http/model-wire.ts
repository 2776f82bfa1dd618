import type { MODEL_TYPES } from '@tradewright/contract/backtests'
import type { ModelChoice } from '../backtests/model-choice.ts'

const TYPES = {
  forest: 'Random Forest',
  linear: 'Linear Regression',
  boosting: 'XGBoost',
} as const satisfies Record<ModelChoice['kind'], (typeof MODEL_TYPES)[number]>

export const modelTypeOf = ({ kind }: ModelChoice) => TYPES[kind]

type MaxFeatures = Extract<ModelChoice, { kind: 'forest' }>['maxFeatures']

/** A count that no matrix exceeds is every column. */
export const maxFeaturesToWire = (maxFeatures: MaxFeatures): string | number =>
  typeof maxFeatures === 'number' && maxFeatures >= 1_000_000 ? 'all' : maxFeatures

/** The settings that the model learned with. */
export function modelParams(model: ModelChoice): Record<string, number | string> {
  switch (model.kind) {
    case 'forest':
      return {
        n_estimators: model.trees,
        max_features: maxFeaturesToWire(model.maxFeatures),
        min_samples_leaf: model.minSamplesLeaf,
        min_samples_split: model.minSamplesSplit,
      }
    case 'boosting':
      return { n_estimators: model.rounds, max_depth: model.maxDepth, learning_rate: model.eta }
    case 'linear':
      return {}
  }
}
