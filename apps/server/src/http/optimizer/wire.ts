import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { toStudioGranularity } from '@tradewright/core/granularity'
import { formatDate } from '@tradewright/core/time'
import type { Period } from '@tradewright/engine/backtest/result'
import { splicedSince } from '@tradewright/engine/backtest/stand-ins'
import { targetOf, planTarget } from '@tradewright/engine/features/catalogue'
import type { SearchRequest, SearchTarget } from '@tradewright/engine/optimizer/request'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import { OPTIMIZER_DEFAULTS } from '@tradewright/contract/optimizer-form'
import { evaluationsPerSecond, runSecondsLeft } from '../../optimizer/run-progress.ts'
import { errorCodeOf, errorOf, isInProgress, type RunItem, statusOf } from '../../optimizer/run.ts'
import { splicedToWire } from '../backtests/wire/provenance-wire.ts'
import { boostingParams, modelTypeOf, treeParams } from '../strategies/model-wire.ts'

/** A run without its history and results. */
export function itemToWire(run: RunItem): OptimizationRunItem {
  const { request, featureIds } = run.settings
  const [first] = request.targets
  const details = run.outcome?.report.details
  return {
    id: run.id,
    status: statusOf(run),
    paused: run.isPaused,
    created_at: run.createdAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    client_run_id: run.settings.clientRunId,
    target_asset: first!.asset,
    related_assets: [...first!.relatedAssets],
    feature_types: [...featureIds],
    target_id: targetOf(first!.selection.id).id,
    date_range: { start_date: formatDate(request.from), end_date: formatDate(request.to) },
    ga_parameters: {
      population_size: request.breeding.populationSize,
      generations: request.breeding.generations,
      mutation_rate: request.breeding.mutationRate,
      max_features: request.breeding.maxFeatures,
      evaluation_metric: request.fitness.metric,
    },
    ml_config: { model: modelTypeOf(request.model), train_size: request.trainPct, test_size: 100 - request.trainPct },
    optimization_config: configToWire(run),
    trading_signals: {
      signal1_allocations: allocationToWire(request.buy),
      signal0_allocations: allocationToWire(request.sell),
    },
    error_message: errorOf(run),
    error_code: errorCodeOf(run),
    train_period: details ? periodToWire(details.train) : null,
    test_period: details ? periodToWire(details.test) : null,
    current_generation: run.tally?.generations ?? 0,
    best_fitness: run.tally?.bestFitness ?? null,
    progress: isInProgress(run) ? progressToWire(run) : null,
    synthetic: run.outcome?.synthetic ?? run.isSynthetic,
    spliced_tickers: details ? splicedToWire(splicedSince(run.outcome?.spliced ?? [], details.train.from)) : null,
  }
}

export const periodToWire = ({ from, to }: Period) => ({ start_date: formatDate(from), end_date: formatDate(to) })

export const allocationToWire = (rows: readonly AllocationRow[]) =>
  rows.map(({ ticker, allocationPct }) => ({ ticker, allocation: allocationPct }))

/** A target with every parameter, defaults included. */
export function targetToWire({ asset, selection, relatedAssets }: SearchTarget) {
  const { definition, label, values } = planTarget(selection)
  return {
    target_label: label,
    target_asset: asset,
    target_id: definition.id,
    related_assets: [...relatedAssets],
    params: values.toRecord(),
  }
}

function configToWire({ settings }: RunItem): OptimizationRunItem['optimization_config'] {
  const { request } = settings
  const { fitness, earlyStopping, walkForward, model, nestedWindows = 0 } = request
  const defaults = OPTIMIZER_DEFAULTS
  return {
    targets: request.targets.map(targetToWire),
    feature_configs: Object.fromEntries(
      Object.entries(settings.featureConfigs).map(([id, choices]) => [id, choiceLists(choices)]),
    ),
    ...treeSettings(model),
    walk_forward_enabled: walkForward !== undefined,
    wf_train_window_pct: walkForward?.trainPct ?? defaults.wf_train_window_pct,
    wf_test_window_pct: walkForward?.testPct ?? defaults.wf_test_window_pct,
    wf_step_size_pct: walkForward?.stepPct ?? null,
    wf_fitness_mode: fitness.mode,
    variance_penalty: fitness.variancePenalty,
    variance_exponent: fitness.varianceExponent,
    early_stopping: earlyStopping !== undefined,
    es_patience: earlyStopping?.patience ?? defaults.es_patience,
    es_min_improvement: earlyStopping?.minImprovement ?? defaults.es_min_improvement,
    target_list_ids: [...settings.targetListIds],
    feature_list_ids: [...settings.featureListIds],
    data_granularity: toStudioGranularity(request.granularity) ?? request.granularity,
    window_sizes: [...request.windowSizes],
    seed_features: request.seedFeatures.map(({ id, params }) => ({ id, params: plainParams(params) })),
    hold_out_pct: request.holdOutPct,
    seed: request.seed,
    data_provider: settings.provider,
    allow_mixed_prices: request.allowMixedPrices,
    ended_ticker: request.endedTicker,
    replacement_ticker: request.replacementTicker ?? null,
    delisting_return_pct: request.delistingReturnPct ?? 0,
    nested_walk_forward: nestedWindows > 0,
    nested_windows: nestedWindows > 0 ? nestedWindows : defaults.nested_windows,
  }
}

const choiceLists = (choices: Readonly<Record<string, readonly (number | string)[]>>) =>
  Object.fromEntries(Object.entries(choices).map(([name, values]) => [name, [...values]]))

const plainParams = (params: Readonly<Record<string, unknown>>): Record<string, number | string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      typeof value === 'number' || typeof value === 'string' ? [[name, value] as const] : [],
    ),
  )

/** The form has them whatever the model. */
export function treeSettings(model: SearchRequest['model']) {
  const defaults = OPTIMIZER_DEFAULTS
  const { n_estimators, min_samples_leaf, min_samples_split, max_features } = treeParams(model) ?? {
    ...defaults,
    max_features: defaults.max_features_rf,
  }
  return {
    n_estimators,
    min_samples_leaf,
    min_samples_split,
    max_features_rf: String(max_features),
    ...boostingParams(model),
  }
}

function progressToWire({ tally, job, settings, isPaused }: RunItem): NonNullable<OptimizationRunItem['progress']> {
  const { breeding, nestedWindows = 0 } = settings.request
  const { generations } = breeding
  const complete = tally?.generations ?? 0
  const fallback = isPaused ? `Paused after generation ${complete} of ${generations}` : 'Waiting for its turn'
  const known = isPaused && nestedWindows === 0 ? undefined : job?.progress?.fraction
  const fraction = known ?? complete / (generations * (1 + nestedWindows))
  return {
    generation: complete,
    generations,
    fraction,
    note: (isPaused ? undefined : job?.progress?.note) ?? fallback,
    evaluations: tally?.evaluations ?? 0,
    evaluations_per_second: tally && evaluationsPerSecond(tally),
    seconds_left: isPaused || !tally ? null : runSecondsLeft(tally, settings.request, fraction),
    best_fitness: tally?.bestFitness ?? null,
    avg_fitness: tally?.averageFitness ?? null,
  }
}
