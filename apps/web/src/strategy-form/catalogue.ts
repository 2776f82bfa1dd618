import type { Feature, ParameterDefinition, Target } from '@tradewright/contract/features'
import type { CatalogueId, Params } from './form-values.ts'

type Entry = Feature | Target

/** By id; a saved config may have the name or the key instead. */
export function findEntry<E extends Entry>(entries: readonly E[], id: CatalogueId): E | undefined {
  return entries.find((entry) => entry.id === id || entry.name === id || entry.key === id)
}

export function defaultParams(definitions: readonly ParameterDefinition[]): Params {
  return Object.fromEntries(definitions.map((definition) => [definition.name, definition.default]))
}

/** `SPY · 14`: a summary of the parameters. */
export function paramsSummary(definitions: readonly ParameterDefinition[], params: Params): string {
  return definitions.map(({ name, default: preset }) => shown(params[name] ?? preset)).join(' · ')
}

/** A parameter as text; anything but a text or a number is shown as the JSON it would be sent as. */
export const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
