import type { BacktestForm } from '@tradewright/contract/backtest-form'
import {
  EVALUATION_METRICS,
  FITNESS_MODES,
  OPTIMIZER_DEFAULTS,
  type OptimizationRequest,
} from '@tradewright/contract/optimizer-form'
import { backtestSettings, choicesOf } from '@tradewright/core/backtest-settings'
import { parseGranularity, studioGranularities } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import type { Feature } from '@tradewright/engine/features/feature'
import { featureOf } from '@tradewright/engine/features/catalogue'
import type { ParameterChoices, SearchRequest } from '@tradewright/engine/optimizer/request'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import type { OptimizationSettings } from '../../optimizer/run.ts'
import { choiceField, dateField, given, numberField, wholeField } from '@tradewright/core/form-values'
import { modelChoice, trainPct, walkForward } from '../strategies/strategy-forms.ts'
import { tickersOf } from '../input/ticker-text.ts'
import { type ListedTickers, searchTargets } from './targets.ts'

const CLIENT_RUN_ID_MAX_LENGTH = 100

/** Reads a request; a Problem says in the form's own sentence what is missing, or which field is wrong. */
export function toDomain(body: OptimizationRequest, listed: ListedTickers): OptimizationSettings {
  const ranges = featureRanges(body)
  if (ranges.length === 0) throw invalid('Select at least one feature type')
  const related = tickersOf(body.related_assets)
  const targets = searchTargets(body, {
    targets: listed.targets,
    related: related.length > 0 ? related : listed.related,
  })
  const clientRunId = given(body.client_run_id ?? undefined) ?? null
  if (clientRunId !== null && clientRunId.length > CLIENT_RUN_ID_MAX_LENGTH) {
    throw invalid(`client_run_id is too long (at most ${CLIENT_RUN_ID_MAX_LENGTH} characters).`)
  }
  const form = mlForm(body)
  const settings = settingsOf(body)
  return {
    request: {
      ...settings,
      targets,
      features: ranges.map(({ feature, choices }) => ({ feature: feature.id, choices })),
      windowSizes: body.window_sizes ?? [],
      seedFeatures: (body.seed_features ?? []).map(({ id, params }) => ({ id, params })),
      buy: allocation(body.signal1_allocations),
      sell: allocation(body.signal0_allocations),
      model: modelChoice(form),
      trainPct: trainPct(form),
      walkForward: walkForward(form),
    },
    provider: given(body.data_provider ?? undefined)?.toLowerCase() ?? 'auto',
    featureIds: ranges.map(({ feature }) => feature.id),
    featureConfigs: Object.fromEntries(ranges.map(({ feature, choices }) => [String(feature.id), choices])),
    targetListIds: listIds('target_list_ids', body.target_list_ids),
    featureListIds: listIds('feature_list_ids', body.feature_list_ids),
    clientRunId,
  }
}

type Settings = Omit<
  SearchRequest,
  'targets' | 'features' | 'windowSizes' | 'seedFeatures' | 'buy' | 'sell' | 'model' | 'trainPct' | 'walkForward'
>

function settingsOf(body: OptimizationRequest): Settings {
  const granularity = choiceField('The data granularity', studioGranularities, text(body.data_granularity)) ?? 'daily'
  return {
    from: day('Set start date for backtest period', 'The start date', body.start_date),
    to: day('Set end date for backtest period', 'The end date', body.end_date),
    granularity: parseGranularity(granularity)!,
    seed: whole('The seed', body.seed, OPTIMIZER_DEFAULTS.seed),
    allowMixedPrices: body.allow_mixed_prices ?? false,
    endedTicker:
      choiceField(backtestSettings.endedTicker.what, choicesOf('endedTicker'), text(body.ended_ticker)) ?? 'stop',
    replacementTicker: given(body.replacement_ticker ?? undefined)?.toUpperCase(),
    delistingReturnPct: number(backtestSettings.delistingReturnPct.what, body.delisting_return_pct, 0),
    fitness: {
      metric: choiceField('The evaluation metric', EVALUATION_METRICS, text(body.evaluation_metric)) ?? 'accuracy',
      mode: choiceField('The fitness mode', FITNESS_MODES, text(body.wf_fitness_mode)) ?? 'mean_only',
      variancePenalty: number('The variance penalty', body.variance_penalty, OPTIMIZER_DEFAULTS.variance_penalty),
      varianceExponent: number('The variance exponent', body.variance_exponent, OPTIMIZER_DEFAULTS.variance_exponent),
    },
    breeding: {
      populationSize: number('The population size', body.population_size, OPTIMIZER_DEFAULTS.population_size),
      generations: number('The number of generations', body.generations, OPTIMIZER_DEFAULTS.generations),
      mutationRate: number('The mutation rate', body.mutation_rate, OPTIMIZER_DEFAULTS.mutation_rate),
      maxFeatures: number('Max features', body.max_features, OPTIMIZER_DEFAULTS.max_features),
    },
    earlyStopping: body.early_stopping
      ? {
          patience: number('The early-stopping patience', body.es_patience, OPTIMIZER_DEFAULTS.es_patience),
          minImprovement: number(
            'The least improvement',
            body.es_min_improvement,
            OPTIMIZER_DEFAULTS.es_min_improvement,
          ),
        }
      : undefined,
    holdOutPct: number('The hold-out', body.hold_out_pct, OPTIMIZER_DEFAULTS.hold_out_pct),
    nestedWindows: body.nested_walk_forward
      ? number('The number of nested windows', body.nested_windows, OPTIMIZER_DEFAULTS.nested_windows)
      : 0,
  }
}

/** The model's settings in the words of the Studio's form, which has the same ones with other defaults. */
function mlForm(body: OptimizationRequest): BacktestForm {
  return {
    mlModelType: text(body.ml_model),
    trainSize: text(body.train_size),
    testSize: text(body.test_size),
    walkForwardEnabled: body.walk_forward_enabled ? 'true' : 'false',
    wfTrainWindowPct: text(body.wf_train_window_pct),
    wfTestWindowPct: text(body.wf_test_window_pct),
    wfStepSizePct: text(body.wf_step_size_pct),
    n_estimators: text(body.n_estimators ?? OPTIMIZER_DEFAULTS.n_estimators),
    min_samples_leaf: text(body.min_samples_leaf ?? OPTIMIZER_DEFAULTS.min_samples_leaf),
    min_samples_split: text(body.min_samples_split ?? OPTIMIZER_DEFAULTS.min_samples_split),
    boosting_rounds: text(body.boosting_rounds),
    max_depth: text(body.max_depth),
    learning_rate: text(body.learning_rate),
    min_leaf_share: text(body.min_leaf_share),
    find_rounds: body.find_rounds ? 'true' : undefined,
    max_features: text(body.max_features_rf ?? OPTIMIZER_DEFAULTS.max_features_rf),
  }
}

function featureRanges(body: OptimizationRequest): { feature: Feature; choices: ParameterChoices }[] {
  const configs = Object.entries(body.feature_configs ?? {}).map(([name, config]) => ({
    feature: featureOf(name),
    config,
  }))
  const features = [...new Set((body.feature_types ?? []).map(featureOf))]
  return features.map((feature) => {
    const config = configs.find((one) => one.feature === feature)?.config ?? {}
    return { feature, choices: parameterChoices(feature, config) }
  })
}

function parameterChoices({ name: owner, parameters }: Feature, config: Record<string, unknown>): ParameterChoices {
  const entries = Object.entries(config).map(([name, values]) => {
    if (!parameters.some((parameter) => parameter.name === name)) {
      throw invalid(`${owner} has no parameter "${name.slice(0, 40)}".`)
    }
    return [name, valuesOf(`${owner}: ${name}`, values)] as const
  })
  return Object.fromEntries(entries)
}

/** A list, one value, or comma-separated text; what reads as a number is one. */
function valuesOf(what: string, values: unknown): (number | string)[] {
  const parts: unknown[] = typeof values === 'string' ? values.split(',') : Array.isArray(values) ? values : [values]
  const read = parts.flatMap((part) => {
    if (typeof part === 'number' && Number.isFinite(part)) return [part]
    if (typeof part !== 'string') throw invalid(`${what} must be a list of numbers or texts.`)
    const word = part.trim()
    if (word === '') return []
    return [Number.isFinite(Number(word)) ? Number(word) : word]
  })
  return [...new Set(read)]
}

function allocation(rows: OptimizationRequest['signal1_allocations']): AllocationRow[] {
  const list = Array.isArray(rows)
    ? rows
    : Object.entries(rows ?? {}).map(([ticker, percent]) => ({ ticker, allocation: percent }))
  return list
    .filter(({ ticker }) => ticker.trim() !== '')
    .map(({ ticker, allocation: percent }) => ({ ticker: ticker.trim().toUpperCase(), allocationPct: percent }))
}

export function listIds(what: string, ids: OptimizationRequest['target_list_ids']): number[] {
  return (ids ?? []).map((id) => {
    const read = Number(id)
    if (!Number.isSafeInteger(read)) throw invalid(`${what} must be the ids of ticker lists.`)
    return read
  })
}

const text = (value: number | string | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value)

const number = (what: string, value: number | string | null | undefined, otherwise: number): number =>
  numberField(what, text(value)) ?? otherwise

const whole = (what: string, value: number | string | null | undefined, otherwise: number): number =>
  wholeField(what, text(value)) ?? otherwise

function day(missing: string, what: string, value: string | null | undefined): number {
  if (given(value ?? undefined) === undefined) throw invalid(missing)
  return dateField(what, value ?? undefined)
}

const invalid = (sentence: string) => new Problem('invalid', 'optimizer.form', sentence)
