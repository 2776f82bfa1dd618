import type { ModelKind, ModelSettingsBy } from '@tradewright/core/model-catalogue'
import type { BoostingSettings } from './boosting/settings.ts'
import type { ForestSettings } from './forest/settings.ts'

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
