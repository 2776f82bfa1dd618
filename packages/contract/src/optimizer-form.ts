import { MAX_ALLOCATION_ROWS } from '@tradewright/core/ticker'
import { z } from 'zod'
import { boundedRecord, freeRecord, WORD_MAX_LENGTH } from './bounds.ts'

/** Choices of the form, in its order; the first is the default. */
export const EVALUATION_METRICS = ['accuracy', 'sharpe', 'cagr'] as const
export const FITNESS_MODES = ['mean_only', 'mean_minus_variance', 'consistency_ratio'] as const
export const MAX_FEATURES_RF = ['sqrt', 'log2', 'auto'] as const
/** Sent as `window_sizes` when a window-based feature is selected. */
export const DEFAULT_WINDOW_SIZES = [5, 10, 14, 20, 30] as const
/** A feature with one of these parameters is window-based. */
export const WINDOW_PARAMETERS = ['window', 'period', 'length', 'span'] as const

/** Initial values of the form, and the meaning of an absent field of a request. */
export const OPTIMIZER_DEFAULTS = {
  target_asset: 'BTC-USD',
  population_size: 50,
  generations: 20,
  mutation_rate: 0.1,
  max_features: 10,
  evaluation_metric: 'accuracy',
  train_size: 70,
  test_size: 30,
  n_estimators: 100,
  min_samples_leaf: 1,
  min_samples_split: 2,
  max_features_rf: 'sqrt',
  early_stopping: false,
  es_patience: 3,
  es_min_improvement: 0.001,
  walk_forward_enabled: false,
  wf_train_window_pct: 50,
  wf_test_window_pct: 10,
  wf_fitness_mode: 'mean_only',
  variance_penalty: 0.5,
  variance_exponent: 1,
  hold_out_pct: 15,
  seed: 42,
  nested_windows: 4,
} as const

/** Accepted ranges; a value beyond them answers 400 with a sentence. */
export const OPTIMIZER_LIMITS = {
  population_size: { min: 2, max: 500 },
  generations: { min: 1, max: 200 },
  max_features: { min: 1, max: 50 },
  /** Columns that the ranges may give, over all targets. */
  candidate_features: { min: 1, max: 4096 },
  targets: { min: 1, max: 20 },
  nested_windows: { min: 2, max: 12 },
} as const

/** Features, targets or lists of one run. */
const MAX_CHOICES = 1_000

/** A number, or text that the server reads as one; null and empty text count as absent. */
const number = z.union([z.number(), z.string().max(100)]).nullish()
const text = z.string().max(WORD_MAX_LENGTH).nullish()
const flag = z.boolean().nullish()
const ids = z
  .array(z.union([z.number(), z.string().max(200)]))
  .max(MAX_CHOICES)
  .nullish()
/** A list, or one text of comma-separated tickers. Trimmed, upper-cased, each once. */
const tickers = z.union([z.array(z.string().max(WORD_MAX_LENGTH)).max(5_000), z.string().max(100_000)]).nullish()
/** Rows, or a map from ticker to percent. */
const allocations = z
  .union([
    z.array(z.object({ ticker: z.string().max(WORD_MAX_LENGTH), allocation: z.number() })).max(MAX_ALLOCATION_ROWS),
    boundedRecord(z.string().max(WORD_MAX_LENGTH), z.number(), { max: MAX_ALLOCATION_ROWS, what: 'An allocation' }),
  ])
  .nullish()

/** A feature with its parameters, as seeds and best features have it. */
export const SeedFeature = z.object({
  id: z.union([z.number(), z.string().max(200)]),
  name: z.string().max(WORD_MAX_LENGTH).optional(),
  params: freeRecord('The parameters of a feature', 50),
})
export type SeedFeature = z.infer<typeof SeedFeature>

export const TargetChoice = z.object({
  target_asset: z.string().max(WORD_MAX_LENGTH),
  target_id: z.union([z.number(), z.string().max(200)]).nullish(),
  /** Left out: the request's. */
  related_assets: tickers,
  /** The target's parameters without its ticker, which is `target_asset`. */
  params: freeRecord('The parameters of a target', 50).nullish(),
})
export type TargetChoice = z.infer<typeof TargetChoice>

/**
 * The body of `POST /api/feature-optimization`. Everything is optional here, because the server answers 400 with the
 * form's own sentence for what is missing; an absent field takes its default.
 */
export const OptimizationRequest = z.object({
  target_asset: text,
  related_assets: tickers,
  /** Ids of features; names and keys are understood too. */
  feature_types: ids,
  /** `{feature id: {parameter: [values]}}`; a parameter without values takes `window_sizes` or its default. */
  feature_configs: boundedRecord(z.string().max(200), freeRecord('The ranges of a feature', 50), {
    max: MAX_CHOICES,
    what: 'feature_configs',
  }).nullish(),
  target_id: number,
  start_date: text,
  end_date: text,
  data_granularity: text,
  population_size: number,
  generations: number,
  mutation_rate: number,
  max_features: number,
  evaluation_metric: text,
  ml_model: text,
  train_size: number,
  test_size: number,
  /** Held while the signal is 1. Left out or empty: 100 % of the individual's own target asset. */
  signal1_allocations: allocations,
  /** Held while it is 0. Left out or empty: cash. */
  signal0_allocations: allocations,
  n_estimators: number,
  min_samples_leaf: number,
  min_samples_split: number,
  max_features_rf: text,
  /** Settings of XGBoost, as in the form of a backtest. */
  boosting_rounds: number,
  max_depth: number,
  learning_rate: number,
  min_leaf_share: number,
  find_rounds: flag,
  early_stopping: flag,
  es_patience: number,
  es_min_improvement: number,
  seed_features: z.array(SeedFeature).max(MAX_CHOICES).nullish(),
  walk_forward_enabled: flag,
  wf_train_window_pct: number,
  wf_test_window_pct: number,
  /** Left out: automatic, a quarter of the test window. */
  wf_step_size_pct: number,
  wf_fitness_mode: text,
  variance_penalty: number,
  variance_exponent: number,
  /** Empty or left out: `target_asset` with `target_id`. */
  targets: z.array(TargetChoice).max(MAX_CHOICES).nullish(),
  /** Lists of the user's own. Their tickers count where the request names none itself. */
  target_list_ids: ids,
  feature_list_ids: ids,
  window_sizes: z.array(z.number()).max(MAX_CHOICES).nullish(),

  /** The specification does not have the fields from here on. */
  hold_out_pct: number,
  seed: number,
  /** Repeats the whole search before each of `nested_windows` windows of the second half of the data. */
  nested_walk_forward: flag,
  nested_windows: number,
  data_provider: text,
  /** Without it a strategy that would trade real prices of one ticker and synthetic ones of another is refused. */
  allow_mixed_prices: flag,
  /** When the prices of a traded ticker end early: `stop` (default), `cash`, or `replace` with `replacement_ticker`. */
  ended_ticker: text,
  replacement_ticker: text,
  /** Percent off its last price that a ticker that ended is worth: -100 for a total loss; default 0. */
  delisting_return_pct: number,
  /**
   * Chosen by the client, for example a UUID: the list and the run carry it, so that the page finds the run that its open
   * call belongs to. The same id again, while that run is in progress, waits for it instead of starting another.
   */
  client_run_id: text,
  /** False answers at once with `run_id` and `results: null`; else the call answers when the run ends. */
  wait: flag,
})
export type OptimizationRequest = z.infer<typeof OptimizationRequest>
