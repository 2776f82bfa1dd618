import { z } from 'zod'
import { Sentence } from './answers.ts'
import { IsoDate, SplicedTickers } from './backtest-figures.ts'
import { longList } from './long-list.ts'
import { BestTarget, ChosenFeature, OptimizationResults, Performance } from './optimization-results.ts'
import { EVALUATION_METRICS, FITNESS_MODES, SeedFeature } from './optimizer-form.ts'
import { AllocationRow } from './setting-schemas.ts'

/** `running` and `cancel_requested` are in progress; a paused run is `running` with `paused: true`. */
export const RUN_STATUSES = ['completed', 'failed', 'abandoned', 'cancel_requested', 'running'] as const

const Period = z.object({ start_date: IsoDate, end_date: IsoDate })
const Figure = z.number().nullable()
const Params = z.record(z.string(), z.union([z.number(), z.string()]))

const GaParameters = z.object({
  population_size: z.int(),
  generations: z.int(),
  mutation_rate: z.number(),
  max_features: z.int(),
  evaluation_metric: z.enum(EVALUATION_METRICS),
})

const OptimizationConfig = z.object({
  targets: z.array(BestTarget),
  /** By feature id, with the values that were tried, defaults included. */
  feature_configs: z.record(z.string(), z.record(z.string(), z.array(z.union([z.number(), z.string()])))),
  n_estimators: z.int(),
  /** Below 1: a share of the training rows. */
  min_samples_leaf: z.number(),
  min_samples_split: z.int(),
  max_features_rf: z.string(),
  /** Those of XGBoost, where they are not the default. */
  boosting_rounds: z.int().optional(),
  max_depth: z.int().optional(),
  learning_rate: z.number().optional(),
  min_leaf_share: z.number().optional(),
  find_rounds: z.boolean().optional(),
  walk_forward_enabled: z.boolean(),
  wf_train_window_pct: z.number(),
  wf_test_window_pct: z.number(),
  /** Null: automatic. */
  wf_step_size_pct: z.number().nullable(),
  wf_fitness_mode: z.enum(FITNESS_MODES),
  variance_penalty: z.number(),
  variance_exponent: z.number(),
  early_stopping: z.boolean(),
  es_patience: z.int(),
  es_min_improvement: z.number(),
  target_list_ids: z.array(z.int()),
  feature_list_ids: z.array(z.int()),
  data_granularity: z.string(),
  window_sizes: z.array(z.number()),
  seed_features: z.array(SeedFeature.extend({ params: Params })),
  hold_out_pct: z.number(),
  seed: z.int(),
  nested_walk_forward: z.boolean(),
  nested_windows: z.int(),
  data_provider: z.string(),
  allow_mixed_prices: z.boolean(),
  ended_ticker: z.string(),
  replacement_ticker: z.string().nullable(),
  delisting_return_pct: z.number(),
})
type OptimizationConfig = z.infer<typeof OptimizationConfig>

export const IndividualDetails = z.object({
  /** From 1, the best. */
  rank: z.int(),
  fitness: z.number(),
  target_label: z.string(),
  target_asset: z.string(),
  performance: Performance,
  features: z.array(ChosenFeature),
  is_seed: z.boolean(),
})
export type IndividualDetails = z.infer<typeof IndividualDetails>

export const GenerationEntry = z.object({
  /** From 1. */
  generation: z.int(),
  best_fitness: z.number(),
  avg_fitness: z.number(),
  best_features_count: z.int(),
  /** Mean share of features in which two individuals differ, from 0 (all equal) to 1. */
  diversity: z.number(),
  /** The best individuals: all of them in runs of usual size, else `population_size` says how many there were. */
  population_details: longList(IndividualDetails),
  population_size: z.int(),
  /** Distinct individuals that had to be evaluated in this generation. */
  new_evaluations: z.int(),
})
export type GenerationEntry = z.infer<typeof GenerationEntry>

/** How far a run is. Null once it has ended. */
const RunProgress = z.object({
  /** Generations that are complete; 0 while the first one is being computed. */
  generation: z.int(),
  generations: z.int(),
  /** How much of the whole run is done, from 0 to 1. */
  fraction: z.number(),
  note: Sentence,
  evaluations: z.int(),
  evaluations_per_second: Figure,
  seconds_left: Figure,
  best_fitness: Figure,
  avg_fitness: Figure,
})
type RunProgress = z.infer<typeof RunProgress>

/** A run in the dropdown: everything but its history and its results. */
export const OptimizationRunItem = z.object({
  id: z.int(),
  status: z.enum(RUN_STATUSES),
  paused: z.boolean(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  client_run_id: z.string().nullable(),
  target_asset: z.string(),
  related_assets: z.array(z.string()),
  feature_types: z.array(z.int()),
  target_id: z.int(),
  date_range: Period,
  ga_parameters: GaParameters,
  ml_config: z.object({ model: z.string(), train_size: z.number(), test_size: z.number() }),
  optimization_config: OptimizationConfig,
  trading_signals: z.object({
    signal1_allocations: z.array(AllocationRow),
    signal0_allocations: z.array(AllocationRow),
  }),
  error_message: Sentence.nullable(),
  /** Why it failed, beyond the spec: `backtest.no-data`, `backtest.mixed-prices` and others. */
  error_code: z.string().nullable(),
  train_period: Period.nullable(),
  test_period: Period.nullable(),
  /** Generations that are complete. */
  current_generation: z.int(),
  best_fitness: Figure,
  progress: RunProgress.nullable(),
  synthetic: z.boolean().nullable(),
  /** Whose prices stood in for a ticker on days that were searched or tested; null until the run has a result. */
  spliced_tickers: SplicedTickers.nullable(),
})
export type OptimizationRunItem = z.infer<typeof OptimizationRunItem>

export const OptimizationRun = OptimizationRunItem.extend({
  generation_history: z.array(GenerationEntry),
  /** Null until the run ends; an abandoned run has what it found, where it found anything. */
  results: OptimizationResults.nullable(),
})
export type OptimizationRun = z.infer<typeof OptimizationRun>
