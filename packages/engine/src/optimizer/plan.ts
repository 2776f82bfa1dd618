import { refuseForeignExchanges } from '@tradewright/core/exchange'
import { Problem } from '@tradewright/core/problem'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { type SeriesUses, usesOf } from '../backtest/provenance.ts'
import { type BacktestPlan, type MlPlan, planBacktest } from '../backtest/plan.ts'
import { defaultSettings } from '../backtest/request.ts'
import { planFeature, type PlannedFeature, featureOf } from '../features/catalogue.ts'
import { windowSizes as windowRows } from '../models/splits.ts'
import {
  type Individual,
  individualOf,
  MAX_EVALUATIONS,
  maxEvaluations,
  type SearchRequest,
  type SearchTarget,
  searchLimits,
  type FeatureRange,
} from './request.ts'
import type { Feature } from '../features/feature.ts'
import type { ParameterDefinition } from '../features/parameters.ts'

/** A target with everything that can be tried for it. */
export interface PlannedSearchTarget {
  readonly asset: string
  readonly relatedAssets: readonly string[]
  /** The backtest that an individual is a variant of, with every candidate as a feature. */
  readonly backtest: BacktestPlan & { readonly strategy: MlPlan }
  /** Numbers of its features among all candidates. */
  readonly genes: readonly number[]
}

/** A request that makes sense: everything is read, nothing is fetched or computed yet. */
export interface SearchPlan {
  readonly request: SearchRequest
  readonly targets: readonly PlannedSearchTarget[]
  /** Every candidate of every target, each once; genes count along this list. */
  readonly candidates: readonly PlannedFeature[]
  readonly seeds: readonly Individual[]
}

export function planSearch(request: SearchRequest): SearchPlan {
  checkRequest(request)
  const numbers = new Map<string, number>()
  const candidates: PlannedFeature[] = []
  const geneOf = (feature: PlannedFeature): number => {
    const known = numbers.get(feature.label)
    if (known !== undefined) return known
    numbers.set(feature.label, candidates.length)
    return candidates.push(feature) - 1
  }
  const targets = request.targets.map((target) => planTarget(request, target, geneOf))
  if (candidates.length > searchLimits.candidates.max) throw tooMany()
  return { request, targets, candidates, seeds: seedsOf(request, targets, numbers) }
}

/** Every series that any individual may use. */
export const searchUses = ({ targets }: SearchPlan): SeriesUses => ({
  traded: targets.flatMap(({ backtest }) => usesOf(backtest).traded),
  features: targets.flatMap(({ backtest }) => usesOf(backtest).features),
  references: [],
})

function planTarget(
  request: SearchRequest,
  target: SearchTarget,
  geneOf: (feature: PlannedFeature) => number,
): PlannedSearchTarget {
  const asset = formatTicker(parseTicker(target.asset))
  const relatedAssets = [...new Set(target.relatedAssets.map((one) => formatTicker(parseTicker(one))))]
  refuseForeignExchanges([asset, ...relatedAssets])
  const { features: ranges, windowSizes } = request
  const features = candidatesOf({
    assets: [asset, ...relatedAssets],
    ranges,
    windowSizes,
    most: searchLimits.candidates.max,
  })
  const [first] = features
  if (!first) {
    throw invalid('features', `None of the feature types can be computed for ${asset} alone: add related assets.`)
  }
  const backtest = planBacktest({
    ...defaultSettings,
    from: request.from,
    to: request.to,
    granularity: request.granularity,
    seed: request.seed,
    allowMixedPrices: request.allowMixedPrices,
    endedTicker: request.endedTicker,
    replacementTicker: request.replacementTicker,
    delistingReturnPct: request.delistingReturnPct ?? 0,
    strategy: {
      kind: 'ml',
      trainPct: request.trainPct,
      walkForward: request.walkForward,
      features: [{ id: first.definition.id, params: first.values.toRecord() }],
      target: target.selection,
      buy: request.buy.length > 0 ? request.buy : [{ ticker: asset, allocationPct: 100 }],
      sell: request.sell,
    },
  })
  const strategy: MlPlan = { ...(backtest.strategy as MlPlan), features }
  return { asset, relatedAssets, backtest: { ...backtest, strategy }, genes: features.map(geneOf) }
}

/** All seed features together are one individual, for each target that knows them all. */
function seedsOf(
  { seedFeatures, breeding }: SearchRequest,
  targets: readonly PlannedSearchTarget[],
  numbers: ReadonlyMap<string, number>,
): Individual[] {
  if (seedFeatures.length === 0) return []
  const planned = seedFeatures.map(planFeature)
  const strange = planned.find(({ label }) => !numbers.has(label))
  if (strange) {
    throw invalid(
      'seeds',
      `The seed feature ${strange.label} does not fit: its type, asset and every parameter must be among those of the run.`,
    )
  }
  const genes = new Set(planned.map(({ label }) => numbers.get(label)!))
  if (genes.size > breeding.maxFeatures) {
    throw invalid('seeds', `${genes.size} seed features are more than max features allows (${breeding.maxFeatures}).`)
  }
  const fitting = targets.flatMap((target, number) => {
    const own = new Set(target.genes)
    return [...genes].every((gene) => own.has(gene)) ? [individualOf(number, genes)] : []
  })
  if (fitting.length === 0) throw invalid('seeds', 'No target has all assets of the seed features.')
  return fitting
}

const MANY_ROWS = 1_000_000

function checkRequest(request: SearchRequest): void {
  const { breeding, fitness, earlyStopping, holdOutPct, targets, features, windowSizes } = request
  checkWhole('The population size', breeding.populationSize, searchLimits.populationSize)
  checkWhole('The number of generations', breeding.generations, searchLimits.generations)
  checkWhole('Max features', breeding.maxFeatures, searchLimits.maxFeatures)
  checkBetween('The mutation rate', breeding.mutationRate, 0, 1)
  checkBetween('The variance penalty', fitness.variancePenalty, 0, 1)
  checkBetween('The variance exponent', fitness.varianceExponent, 0.5, 5)
  if (earlyStopping) {
    checkWhole('The early-stopping patience', earlyStopping.patience, { min: 1, max: searchLimits.generations.max })
    checkBetween('The least improvement', earlyStopping.minImprovement, 0, 1000)
  }
  if (!(holdOutPct >= 0 && holdOutPct <= 50)) {
    throw invalid('hold-out', `The hold-out must be from 0% to 50% of the data, was ${holdOutPct}%.`)
  }
  if (request.nestedWindows) checkNested(request, request.nestedWindows)
  if (features.length === 0) throw invalid('features', 'Select at least one feature type')
  if (targets.length === 0) throw invalid('targets', 'Add at least one target ticker before running the optimizer.')
  checkWhole('The number of targets', targets.length, searchLimits.targets)
  // A size that never fits is refused before anything is fetched; the number of rows is not known yet.
  if (request.walkForward) windowRows(MANY_ROWS, request.walkForward, 1)
  const strange = windowSizes.find((size) => !Number.isInteger(size) || size < 1)
  if (strange !== undefined) throw invalid('features', `A window size must be a whole number above 0, was ${strange}.`)
}

function checkNested(request: SearchRequest, windows: number): void {
  checkWhole('The number of nested windows', windows, searchLimits.nestedWindows)
  const evaluations = maxEvaluations(request)
  if (evaluations <= MAX_EVALUATIONS) return
  throw invalid(
    'nested',
    `The search and its repetitions before ${windows} windows may try ${evaluations} feature sets: at most ` +
      `${MAX_EVALUATIONS} are allowed. Use fewer windows, generations or individuals.`,
  )
}

function checkWhole(what: string, value: number, { min, max }: { min: number; max: number }): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw invalid('settings', `${what} must be a whole number from ${min} to ${max}, was ${value}.`)
  }
}

function checkBetween(what: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) {
    throw invalid('settings', `${what} must be from ${least} to ${most}, was ${value}.`)
  }
}

const invalid = (field: string, message: string) => new Problem('invalid', `optimizer.${field}`, message)

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
function candidatesOf({ assets, ranges, windowSizes, most }: CandidateRules): PlannedFeature[] {
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
    if (chosen.length === 0) throw invalidFeatures(`${owner}: enter at least one value for ${name}.`)
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

const tooMany = () =>
  invalidFeatures(
    'The feature parameters and assets give too many combinations: choose fewer values, features or assets.',
  )

const invalidFeatures = (message: string) => new Problem('invalid', 'optimizer.features', message)
