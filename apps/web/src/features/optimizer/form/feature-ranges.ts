import type { Feature, ParameterDefinition } from '@tradewright/contract/features'
import { DEFAULT_WINDOW_SIZES, WINDOW_PARAMETERS } from '@tradewright/contract/optimizer-form'
import { numberWhereNumeric } from '../../../strategy-form/form-values.ts'
import type { FeatureType } from './form.ts'

type Value = number | string

const TICKER_PARAMETERS = new Set(['ticker', 'other_ticker'])
const WINDOWS: ReadonlySet<string> = new Set(WINDOW_PARAMETERS)

/** Takes the form's assets, not values of its own. */
export const isTickerParameter = (name: string): boolean => TICKER_PARAMETERS.has(name)
const isWindowParameter = (name: string): boolean => WINDOWS.has(name)

export const rangeDefinitions = ({ config }: Feature): ParameterDefinition[] =>
  config.params_def.filter(({ name }) => !isTickerParameter(name))

/** `5, 10` gives numbers; what is no number stays text. */
export function parseRange(text: string): Value[] {
  const parts = text.split(',').map((part) => part.trim())
  return [...new Set(parts.filter((part) => part !== '').map(numberWhereNumeric))]
}

export const rangeText = (values: readonly Value[]): string => values.join(', ')

/** As a feature is added: windows take the usual sizes, everything else its default. */
export function featureTypeOf(feature: Feature, windowSizes: readonly number[] = DEFAULT_WINDOW_SIZES): FeatureType {
  const ranges = rangeDefinitions(feature).map(
    (definition) => [definition.name, rangeText(usualValues(definition, windowSizes))] as const,
  )
  return { id: feature.id, name: feature.name, ranges: Object.fromEntries(ranges) }
}

/** The server's values for a parameter that has no values of its own. */
function usualValues({ name, min, default: preset }: ParameterDefinition, windowSizes: readonly number[]): Value[] {
  const sizes = isWindowParameter(name) ? windowSizes.filter((size) => size >= (min ?? 0)) : []
  return sizes.length > 0 ? sizes : [preset]
}

/** Some kind of feature in the form looks back over a window. */
export const hasWindowFeature = (types: readonly FeatureType[]): boolean =>
  types.some(({ ranges }) => Object.keys(ranges).some(isWindowParameter))

/** The form's kinds of features with room for this one feature: its kind is there, its values are in the ranges. */
export function withFeature(
  types: readonly FeatureType[],
  feature: Feature,
  params: Readonly<Record<string, Value>>,
): FeatureType[] {
  const known = types.find(({ id }) => id === feature.id)
  const wanted = Object.entries(params).filter(([name]) => !isTickerParameter(name))
  if (!known) {
    const fresh = featureTypeOf(feature)
    const own = Object.fromEntries(wanted.map(([name, value]) => [name, rangeText([value])]))
    return [...types, { ...fresh, ranges: { ...fresh.ranges, ...own } }]
  }
  const ranges = { ...known.ranges }
  for (const [name, value] of wanted) {
    const values = parseRange(ranges[name] ?? '')
    if (!values.includes(value)) ranges[name] = rangeText([...values, value])
  }
  return types.map((type) => (type === known ? { ...known, ranges } : type))
}
