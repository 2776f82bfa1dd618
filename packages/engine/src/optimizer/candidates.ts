import { Problem } from '@tradewright/core/problem'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { featureOf } from '../features/catalogue.ts'
import type { Feature } from '../features/feature.ts'
import type { ParameterDefinition } from '../features/parameters.ts'
import { planFeature, type PlannedFeature } from '../features/planned-feature.ts'
import type { FeatureRange } from './request.ts'

/** Parameters that give a feature's look-back. */
const WINDOW_LIKE: ReadonlySet<string> = new Set(['window', 'period', 'length', 'span'])

interface CandidateRules {
  /** The target's own asset first, then the related ones. */
  readonly assets: readonly string[]
  readonly ranges: readonly FeatureRange[]
  readonly windowSizes: readonly number[]
  readonly most: number
}

/** Every feature that the ranges allow on these assets, each once, in the order of the ranges. */
export function candidatesOf({ assets, ranges, windowSizes, most }: CandidateRules): PlannedFeature[] {
  const tickers = [...new Set(assets.map((asset) => formatTicker(parseTicker(asset))))]
  const found = new Map<string, PlannedFeature>()
  for (const { feature, choices } of ranges) {
    const definition = featureOf(feature)
    const axes = definition.parameters.map((parameter) => ({
      name: parameter.name,
      values: valuesOf(definition, parameter, choices[parameter.name], tickers, windowSizes),
    }))
    for (const params of combinations(axes, most - found.size)) {
      if (params['other_ticker'] !== undefined && params['other_ticker'] === params['ticker']) continue
      const planned = planFeature({ id: definition.id, params })
      found.set(planned.label, planned)
    }
  }
  return [...found.values()]
}

function valuesOf(
  { name: owner }: Feature,
  { name, default: usual, min = -Infinity }: ParameterDefinition,
  chosen: readonly (number | string)[] | undefined,
  tickers: readonly string[],
  windowSizes: readonly number[],
): readonly (number | string)[] {
  if (chosen) {
    if (chosen.length === 0) throw invalid(`${owner}: enter at least one value for ${name}.`)
    return chosen
  }
  if (name === 'ticker' || name === 'other_ticker') return tickers
  const sizes = WINDOW_LIKE.has(name) ? windowSizes.filter((size) => size >= min) : []
  return sizes.length > 0 ? sizes : [usual]
}

interface Axis {
  readonly name: string
  readonly values: readonly (number | string)[]
}

function* combinations(axes: readonly Axis[], most: number): Generator<Record<string, number | string>> {
  const count = axes.reduce((product, { values }) => product * values.length, 1)
  // Pairs of a ticker with itself are skipped later on, so twice as many may still be few enough.
  if (count > 2 * most) throw tooMany()
  for (let at = 0; at < count; at++) {
    let rest = at
    const params: Record<string, number | string> = {}
    for (const { name, values } of axes) {
      params[name] = values[rest % values.length]!
      rest = Math.floor(rest / values.length)
    }
    yield params
  }
}

export const tooMany = () =>
  invalid('The feature parameters and assets give too many combinations: choose fewer values, features or assets.')

const invalid = (message: string) => new Problem('invalid', 'optimizer.features', message)
