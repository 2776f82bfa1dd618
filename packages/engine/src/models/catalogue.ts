import type { ModelKind } from '@tradewright/core/model-catalogue'
import { boosting } from './boosting/definition.ts'
import { treesDefinition } from './forest/definition.ts'
import { defaultForestSettings } from './forest/settings.ts'
import { linear } from './linear/definition.ts'
import type { ModelChoice, SettingsOf } from './model-choice.ts'
import type { ModelDefinition } from './model-definition.ts'

/** How each model of the catalogue is fitted, asked and loaded. */
const definitions: { readonly [Kind in ModelKind]: ModelDefinition<SettingsOf<Kind>> } = {
  forest: treesDefinition({ kind: 'forest', defaults: defaultForestSettings }),
  linear,
  boosting,
  'extra-trees': treesDefinition({
    kind: 'extra-trees',
    defaults: { ...defaultForestSettings, bootstrap: false },
    cuts: 'random',
  }),
}

/** A definition with settings of any kind: they must be those of the same choice. */
type AnyDefinition = ModelDefinition<unknown>

export const definitionOf = (kind: ModelKind): AnyDefinition => definitions[kind]

export const isModelKind = (kind: string): kind is ModelKind => Object.hasOwn(definitions, kind)

export const settingsOf = (choice: ModelChoice): unknown => ('settings' in choice ? choice.settings : undefined)

/** A model with the settings it has unless others are asked for. */
export function choiceOf(kind: ModelKind, settings: object = {}): ModelChoice {
  const { defaults } = definitionOf(kind)
  return (defaults === undefined ? { kind } : { kind, settings: { ...defaults, ...settings } }) as ModelChoice
}
