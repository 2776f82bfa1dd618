import type { Feature } from '@tradewright/contract/features'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { usualBoosting } from '../../../strategy-form/model-settings.ts'
import { toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { findEntry } from '../../../strategy-form/catalogue.ts'
import { featureTypeOf, isTickerParameter, rangeText } from './feature-ranges.ts'
import type { FeatureType, OptimizerForm } from './form.ts'
import { tickersText } from './tickers.ts'

/** The form as it was when this run was started. What a run does not say of its features, the catalogue does. */
export function fromRun(run: OptimizationRunItem, catalogue: readonly Feature[]): OptimizerForm {
  const { optimization_config: config, ga_parameters: ga, ml_config: ml, trading_signals: signals } = run
  const [first] = config.targets
  const { ticker: _, ...params } = first?.params ?? {}
  return {
    targetTickers: tickersText(targetAssets(run)),
    targetListId: String(config.target_list_ids[0] ?? ''),
    target: { id: run.target_id, params },
    relatedTickers: tickersText(run.related_assets),
    relatedListId: String(config.feature_list_ids[0] ?? ''),
    featureTypes: featureTypesOf(run, catalogue),
    seeds: config.seed_features.map(({ id, name, params: own }) => ({ id, name: name ?? String(id), params: own })),
    startDate: run.date_range.start_date,
    endDate: run.date_range.end_date,
    dataGranularity: config.data_granularity,
    dataProvider: config.data_provider,
    allowMixedPrices: config.allow_mixed_prices,
    endedTicker: config.ended_ticker,
    replacementTicker: config.replacement_ticker ?? '',
    delistingReturnPct: config.delisting_return_pct,
    populationSize: ga.population_size,
    generations: ga.generations,
    mutationRate: ga.mutation_rate,
    maxFeatures: ga.max_features,
    evaluationMetric: ga.evaluation_metric,
    holdOutPct: config.hold_out_pct,
    seed: config.seed,
    nestedWalkForward: config.nested_walk_forward,
    nestedWindows: config.nested_windows,
    mlModel: ml.model,
    trainSize: ml.train_size,
    testSize: ml.test_size,
    signal1Allocations: toRows(signals.signal1_allocations),
    signal0Allocations: toRows(signals.signal0_allocations),
    nEstimators: config.n_estimators,
    minSamplesLeaf: config.min_samples_leaf,
    minSamplesSplit: config.min_samples_split,
    maxFeaturesRf: config.max_features_rf,
    boostingRounds: config.boosting_rounds ?? usualBoosting.boostingRounds,
    maxDepth: config.max_depth ?? usualBoosting.maxDepth,
    learningRate: config.learning_rate ?? usualBoosting.learningRate,
    minLeafShare: config.min_leaf_share ?? usualBoosting.minLeafShare,
    findRounds: config.find_rounds ?? false,
    walkForwardEnabled: config.walk_forward_enabled,
    wfTrainWindowPct: config.wf_train_window_pct,
    wfTestWindowPct: config.wf_test_window_pct,
    wfStepSizePct: config.wf_step_size_pct ?? '',
    wfFitnessMode: config.wf_fitness_mode,
    variancePenalty: config.variance_penalty,
    varianceExponent: config.variance_exponent,
    earlyStopping: config.early_stopping,
    esPatience: config.es_patience,
    esMinImprovement: config.es_min_improvement,
  }
}

function targetAssets({ target_asset, optimization_config: { targets } }: OptimizationRunItem): string[] {
  const assets = targets.map((target) => target.target_asset)
  return assets.length > 0 ? [...new Set(assets)] : [target_asset]
}

function featureTypesOf(run: OptimizationRunItem, catalogue: readonly Feature[]): FeatureType[] {
  const { feature_configs, window_sizes } = run.optimization_config
  return run.feature_types.map((id) => {
    const feature = findEntry(catalogue, id)
    const usual = feature ? featureTypeOf(feature, window_sizes) : { id, name: `Feature ${id}`, ranges: {} }
    const said = Object.entries(feature_configs[String(id)] ?? {}).filter(([name]) => !isTickerParameter(name))
    const own = said.map(([name, values]) => [name, rangeText(values)] as const)
    return { ...usual, ranges: { ...usual.ranges, ...Object.fromEntries(own) } }
  })
}
