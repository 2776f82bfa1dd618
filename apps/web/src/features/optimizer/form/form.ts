import { defaultModel } from '@tradewright/core/model-catalogue'
import { OPTIMIZER_DEFAULTS, DEFAULT_WINDOW_SIZES, WINDOW_PARAMETERS } from '@tradewright/contract/optimizer-form'
import type { Feature, ParameterDefinition } from '@tradewright/contract/features'
import { type ListType, NO_LIST_NAME, NO_TICKERS, type TickerList } from '@tradewright/contract/ticker-lists'
import { type BoostingForm, type TreesForm, usualBoosting } from '../../../strategy-form/model-settings.ts'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import { yearsBefore } from '../../../strategy-form/dates.ts'
import {
  type CatalogueId,
  type ChosenTarget,
  type NumberText,
  type Params,
  restOf,
  numberWhereNumeric,
} from '../../../strategy-form/form-values.ts'
import { formatNumber, formatPercent, formatRatio, formatSignedPercent } from '../../../lib/format.ts'

/** A kind of feature that the search may use, with the values of its parameters as they are typed: `5, 10`. */
export interface FeatureType {
  id: CatalogueId
  name: string
  /** By parameter. Tickers are not among them: those are the form's assets. */
  ranges: Record<string, string>
}

export interface Seed {
  id: CatalogueId
  name: string
  params: Params
}

export interface OptimizerForm extends TreesForm, BoostingForm {
  /** Comma-separated, as typed. */
  targetTickers: string
  targetListId: string
  /** Kept as it was saved; the picker shows it as soon as the list of targets is there. */
  target: ChosenTarget | null
  relatedTickers: string
  relatedListId: string

  featureTypes: FeatureType[]
  seeds: Seed[]

  startDate: string
  endDate: string
  dataGranularity: string
  dataProvider: string
  allowMixedPrices: boolean
  endedTicker: string
  replacementTicker: string
  delistingReturnPct: NumberText

  populationSize: NumberText
  generations: NumberText
  mutationRate: NumberText
  maxFeatures: NumberText
  evaluationMetric: string
  holdOutPct: NumberText
  seed: NumberText
  nestedWalkForward: boolean
  nestedWindows: NumberText

  mlModel: string
  trainSize: NumberText
  testSize: NumberText
  /** No rows: all of it in the target asset. */
  signal1Allocations: TickerRow[]
  /** No rows: cash. */
  signal0Allocations: TickerRow[]
  maxFeaturesRf: string

  walkForwardEnabled: boolean
  wfTrainWindowPct: NumberText
  wfTestWindowPct: NumberText
  /** Empty: automatic. */
  wfStepSizePct: NumberText
  wfFitnessMode: string
  variancePenalty: NumberText
  varianceExponent: NumberText

  earlyStopping: boolean
  esPatience: NumberText
  esMinImprovement: NumberText
}

export interface EditProps {
  form: OptimizerForm
  edit: (change: Partial<OptimizerForm>) => void
}

const YEARS = 2

/** The form after New Run. `today` is `YYYY-MM-DD`. */
export function newForm(today: string): OptimizerForm {
  const usual = OPTIMIZER_DEFAULTS
  return {
    targetTickers: usual.target_asset,
    targetListId: '',
    target: null,
    relatedTickers: '',
    relatedListId: '',
    featureTypes: [],
    seeds: [],
    startDate: yearsBefore(today, YEARS),
    endDate: today,
    dataGranularity: 'daily',
    dataProvider: 'auto',
    allowMixedPrices: false,
    endedTicker: 'stop',
    replacementTicker: '',
    delistingReturnPct: 0,
    populationSize: usual.population_size,
    generations: usual.generations,
    mutationRate: usual.mutation_rate,
    maxFeatures: usual.max_features,
    evaluationMetric: usual.evaluation_metric,
    holdOutPct: usual.hold_out_pct,
    seed: usual.seed,
    nestedWalkForward: false,
    nestedWindows: usual.nested_windows,
    mlModel: defaultModel.label,
    trainSize: usual.train_size,
    testSize: usual.test_size,
    signal1Allocations: [],
    signal0Allocations: [],
    nEstimators: usual.n_estimators,
    minSamplesLeaf: usual.min_samples_leaf,
    ...usualBoosting,
    minSamplesSplit: usual.min_samples_split,
    maxFeaturesRf: usual.max_features_rf,
    walkForwardEnabled: usual.walk_forward_enabled,
    wfTrainWindowPct: usual.wf_train_window_pct,
    wfTestWindowPct: usual.wf_test_window_pct,
    wfStepSizePct: '',
    wfFitnessMode: usual.wf_fitness_mode,
    variancePenalty: usual.variance_penalty,
    varianceExponent: usual.variance_exponent,
    earlyStopping: usual.early_stopping,
    esPatience: usual.es_patience,
    esMinImprovement: usual.es_min_improvement,
  }
}

/** Train and test size make 100 together: changing the one sets the other. */
export function editForm(form: OptimizerForm, change: Partial<OptimizerForm>): OptimizerForm {
  const next = { ...form, ...change }
  if ('trainSize' in change && !('testSize' in change)) next.testSize = restOf(change.trainSize)
  if ('testSize' in change && !('trainSize' in change)) next.trainSize = restOf(change.testSize)
  return next
}

/** Every asset that a feature may use. */
export function assetsOf({ targetTickers, relatedTickers }: OptimizerForm): string[] {
  return parseTickers(`${targetTickers},${relatedTickers}`)
}

/** Text as the ticker fields have it: split on commas, trimmed, upper-cased, each once. */
export function parseTickers(text: string): string[] {
  const tickers = text.split(',').map((part) => part.trim().toUpperCase())
  return [...new Set(tickers.filter((ticker) => ticker !== ''))]
}

export const tickersText = (tickers: readonly string[]): string => tickers.join(', ')

/** `SPY, QQQ, TLT +2 more`. */
export function firstThree(tickers: readonly string[]): string {
  const rest = tickers.length - 3
  return rest > 0 ? `${tickers.slice(0, 3).join(', ')} +${rest} more` : tickers.join(', ')
}

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

interface Measure {
  evaluation_metric: string
  wf_fitness_mode: string
  walk_forward_enabled: boolean
}

/** The measure of a fitness. A consistency ratio is a number of its own, whatever it is the ratio of. */
export const measureOf = ({ evaluation_metric, wf_fitness_mode, walk_forward_enabled }: Measure): string =>
  walk_forward_enabled && wf_fitness_mode === 'consistency_ratio' ? wf_fitness_mode : evaluation_metric

/** CAGR and accuracy read as a percent, Sharpe with 2 decimals, anything else with 4. */
export function formatFitness(measure: string, fitness: number | null): string {
  if (measure === 'cagr' || measure === 'accuracy') return formatPercent(fitness, 2)
  return measure === 'sharpe' ? formatRatio(fitness) : formatNumber(fitness, { decimals: 4 })
}

const WORDS: Record<string, string> = {
  accuracy: 'Accuracy',
  sharpe: 'Sharpe',
  cagr: 'CAGR',
  consistency_ratio: 'Consistency ratio',
}
export const measureWord = (measure: string): string => WORDS[measure] ?? measure

/** In the results accuracy, F1 and CAGR have one decimal; a return has its sign. */
export function formatPerformance(figure: 'accuracy' | 'f1_score' | 'sharpe' | 'cagr', value: number | null): string {
  if (value === null) return 'n/a'
  if (figure === 'sharpe') return formatRatio(value)
  return figure === 'cagr' ? formatSignedPercent(value) : formatPercent(value)
}

const FORMULAS: Readonly<Record<string, string>> = {
  mean_only: 'Mean of the windows',
  mean_minus_variance: 'Mean − penalty × standard deviation ^ exponent',
  consistency_ratio: 'Mean ÷ standard deviation (at least 0.001)',
}

export const fitnessFormula = (mode: string): string => FORMULAS[mode] ?? mode

export const NOTHING_TO_DELETE = 'Select a list before attempting to delete.'
const NOTHING_TO_UPDATE = 'Select an existing list to update.'

interface ListDraft {
  type: ListType
  text: string
  name: string
  /** The list to update; null: a new one. */
  updated: { id: string } | null
}

/** Why a list cannot be saved; null: it can. */
export function refusalOfList({ type, text, name, updated }: ListDraft): string | null {
  if (parseTickers(text).length === 0) return NO_TICKERS[type]
  if (updated?.id === '') return NOTHING_TO_UPDATE
  return name.trim() === '' ? NO_LIST_NAME : null
}

/** The text says something else than the list by now. */
export const isEdited = ({ tickers }: Pick<TickerList, 'tickers'>, text: string): boolean =>
  tickersText(parseTickers(text)) !== tickersText(tickers)

/** The lists that a run's tickers come from: none that is gone, and none whose tickers were changed in the form. */
export function usedListIds(lists: readonly Pick<TickerList, 'id' | 'tickers'>[], listId: string, text: string) {
  return lists.filter((list) => String(list.id) === listId && !isEdited(list, text)).map(({ id }) => id)
}
