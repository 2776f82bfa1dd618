import type { MaxFeatures } from '@tradewright/engine/models/forest/settings'

/** Which kind of model learns, with the settings that the form has for it. */
export type ModelChoice =
  | {
      readonly kind: 'forest'
      readonly trees: number
      readonly maxFeatures: MaxFeatures
      readonly minSamplesLeaf: number
      readonly minSamplesSplit: number
    }
  | { readonly kind: 'boosting'; readonly rounds: number; readonly maxDepth: number; readonly eta: number }
  | { readonly kind: 'linear' }
