import type { BoostingSettings } from './boosting/settings.ts'
import type { ForestSettings } from './forest/settings.ts'

/** Which model a strategy asks for; its seed comes from the run. */
export type ModelChoice =
  | { readonly kind: 'forest'; readonly settings: Omit<ForestSettings, 'seed'> }
  | { readonly kind: 'boosting'; readonly settings: Omit<BoostingSettings, 'seed'> }
  | { readonly kind: 'linear' }
