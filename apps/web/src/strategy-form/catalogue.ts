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

/** Said by their values alone. */
const TICKERS: ReadonlySet<string> = new Set(['ticker', 'other_ticker'])
const ALWAYS_SAID: ReadonlySet<string> = new Set(['window', 'horizon'])

/** `SPY · window 14`: windows and horizons always, other parameters where they differ from their defaults. */
export function paramsSummary(definitions: readonly ParameterDefinition[], params: Params): string {
  return definitions
    .map(({ name, label, default: preset }) => ({ name, label, preset, value: params[name] ?? preset }))
    .filter(({ name, value, preset }) => TICKERS.has(name) || ALWAYS_SAID.has(name) || shown(value) !== shown(preset))
    .map(({ name, label, value }) => {
      if (TICKERS.has(name)) return shown(value)
      return name === 'window' && Number(value) === 0 ? 'all history' : `${label.toLowerCase()} ${shown(value)}`
    })
    .join(' · ')
}

/** A parameter as text; anything but a text or a number is shown as the JSON it would be sent as. */
export const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
