import { z } from 'zod'
import { Sentence } from './answers.ts'
import { DataProblem, DataSources, IsoDate, SeriesSource, SplicedTickers } from './backtest-figures.ts'
import { AllocationRow } from './setting-schemas.ts'

/** Always finite, or null where there is no value. */
const Figure = z.number().nullable()
const Period = z.object({ start_date: IsoDate, end_date: IsoDate })

/** A feature as an individual has it. */
export const ChosenFeature = z.object({
  id: z.int(),
  /** The feature's key, such as `rsi`. */
  type: z.string(),
  name: z.string(),
  /** With its parameters, as tables have it: `RSI (SPY, window 14)`. */
  label: z.string(),
  params: z.record(z.string(), z.union([z.number(), z.string()])),
})
export type ChosenFeature = z.infer<typeof ChosenFeature>

/** Over all test rows, each once. Fractions and a ratio. */
export const Performance = z.object({ accuracy: Figure, f1_score: Figure, sharpe: Figure, cagr: Figure })
export type Performance = z.infer<typeof Performance>

/** Always holding the buy allocation over the same bars, with the same costs, fills and rebalancing. */
const BuyAndHold = z.object({ sharpe: Figure, cagr: Figure })

export const OptimizationWindow = z.object({
  window_num: z.int(),
  test_start: IsoDate,
  test_end: IsoDate,
  test_rows: z.int(),
  accuracy: Figure,
  cagr: Figure,
  sharpe: Figure,
  /** Null in runs from before it was compared. */
  buy_and_hold: BuyAndHold.nullable(),
})
export type OptimizationWindow = z.infer<typeof OptimizationWindow>

/** Null without walk-forward. */
const WalkForward = z.object({ window_count: z.int(), windows: z.array(OptimizationWindow) }).nullable()

export const BestTarget = z.object({
  target_label: z.string(),
  target_asset: z.string(),
  target_id: z.int(),
  related_assets: z.array(z.string()),
  params: z.record(z.string(), z.union([z.number(), z.string()])),
})
export type BestTarget = z.infer<typeof BestTarget>

/** How a figure is to be taken, for its colour: `unknown` where it could not be computed. */
const VERDICTS = ['good', 'caution', 'bad', 'unknown'] as const

/** A figure with what it means: `verdict_text` in two to five plain words, `sentence` for a newcomer. */
const Judged = z.object({
  value: Figure,
  verdict: z.enum(VERDICTS),
  verdict_text: Sentence,
  sentence: Sentence,
})
export type Judged = z.infer<typeof Judged>

/** The winner on the last part of the data, which no generation saw. `value` is the evaluation metric there. */
const HoldOut = Judged.extend({
  period: Period.nullable(),
  rows: z.int(),
  performance: Performance,
  /** Null without a hold-out, and in runs from before it was compared. */
  buy_and_hold: BuyAndHold.nullable(),
  /** The same metric over the windows of the search, to be shown beside it. */
  in_search: Figure,
})

const DeflatedSharpe = Judged.extend({
  /** A confidence from 0 to 1: `value`. */
  trials: z.int(),
  /** Yearly Sharpe ratio of the winner. */
  sharpe: Figure,
  /** The same of its returns minus those of buy and hold, and what the best of that many worthless trials would show. */
  active_sharpe: Figure,
  lucky_sharpe: Figure,
})

const OverfittingProbability = Judged.extend({
  /** A probability from 0 to 1: `value`. Trials that were compared, and splits of the time that were tried. */
  trials: z.int(),
})

const FeatureStability = Judged.extend({
  /** `value` is the mean over the features of both shares. */
  features: z.array(
    z.object({
      label: z.string(),
      /** Share of the generations, from the one in which it first was in the best individual on, whose best one had it. */
      generation_share: z.number(),
      /** Share of the last generation's individuals that have it. */
      population_share: z.number(),
      /** Share of the windows in which the model relied on it; null where the model cannot tell. */
      window_share: Figure,
      /** Mean over the windows; they add up to 1. */
      importance: Figure,
    }),
  ),
})

/** Growth of one dollar at evenly spread dates; lists of the same length. */
const ComparedCurves = z.object({
  dates: z.array(IsoDate),
  winner: z.array(z.number()),
  buy_and_hold: z.array(z.number()),
})
export type ComparedCurves = z.infer<typeof ComparedCurves>

/** The winner beside its own buy allocation, always held: over all test rows, each once. */
export const BuyAndHoldComparison = z.object({
  allocation: z.array(AllocationRow),
  performance: BuyAndHold,
  test_curve: ComparedCurves,
  hold_out_curve: ComparedCurves.nullable(),
})
export type BuyAndHoldComparison = z.infer<typeof BuyAndHoldComparison>

/**
 * The whole search repeated before each of several windows, and what it chose traded in the window: what a user would have
 * had. `value` of the verdict is the confidence that it beats buy and hold.
 */
const NestedWalkForward = Judged.extend({
  /** Windows that were asked for; fewer are done where the run was cancelled. */
  planned_windows: z.int(),
  /** Over all windows, stitched. */
  performance: Performance,
  buy_and_hold: BuyAndHold,
  curve: ComparedCurves,
  windows: z.array(
    z.object({
      test_start: IsoDate,
      test_end: IsoDate,
      target_asset: z.string(),
      features: z.array(z.string()),
      best_fitness: z.number(),
      generations: z.int(),
      evaluations: z.int(),
      performance: Performance,
      buy_and_hold: BuyAndHold,
    }),
  ),
})
export type NestedWalkForward = z.infer<typeof NestedWalkForward>

/** How much of the winner is luck. */
export const LuckReport = z.object({
  hold_out: HoldOut,
  deflated_sharpe: DeflatedSharpe,
  overfitting_probability: OverfittingProbability,
  feature_stability: FeatureStability,
  /** All of it in one or two sentences, and in a word. */
  summary: Judged.omit({ value: true }),
})
export type LuckReport = z.infer<typeof LuckReport>

/** The navigation state of "Load into Backtest", as it is. */
export const OptimizedStrategy = z.object({
  name: z.string(),
  type: z.literal('ML'),
  target_asset: z.string(),
  related_assets: z.array(z.string()),
  features: z.array(ChosenFeature),
  target_id: z.int(),
  target_config: z.record(z.string(), z.union([z.number(), z.string()])),
  start_date: IsoDate,
  end_date: IsoDate,
  dataGranularity: z.string(),
  data_granularity: z.string(),
  ml_model: z.string(),
  train_size: z.number(),
  test_size: z.number(),
  ml_parameters: z.object({
    n_estimators: z.number(),
    min_samples_leaf: z.number(),
    min_samples_split: z.number(),
    max_features: z.string(),
    boosting_rounds: z.number().optional(),
    max_depth: z.number().optional(),
    learning_rate: z.number().optional(),
    min_leaf_share: z.number().optional(),
    find_rounds: z.boolean().optional(),
  }),
  signal1_allocations: z.array(AllocationRow),
  signal0_allocations: z.array(AllocationRow),
  optimization_results: z.object({
    best_fitness: z.number(),
    best_performance: Performance.extend({ walk_forward: WalkForward }),
    runtime_seconds: z.number(),
    total_evaluations: z.int(),
  }),
})
export type OptimizedStrategy = z.infer<typeof OptimizedStrategy>

export const OptimizationResults = z.object({
  best_features: z.array(ChosenFeature),
  best_fitness: z.number(),
  best_performance: Performance.extend({ walk_forward: WalkForward }),
  best_generation: z.int(),
  /** Time at work, pauses and waiting left out. */
  runtime_seconds: z.number(),
  /** Individuals that were trained and tested; equal ones count once. */
  total_evaluations: z.int(),
  best_target: BestTarget,
  best_target_asset: z.string(),
  targets_considered: z.int(),
  stopped_at_generation: z.int(),
  stopped_early: z.boolean(),
  early_stopping: z.object({
    enabled: z.boolean(),
    patience_generations: z.int(),
    min_improvement: z.number(),
  }),
  seed_info: z.object({
    used_seed: z.boolean(),
    seed_features_count: z.int(),
    seed_fitness: Figure,
    improvement_over_seed: Figure,
  }),
  train_period: Period,
  test_period: Period,

  /** The specification does not have this and what follows. */
  luck: LuckReport,
  /** Null in runs from before it was compared. */
  buy_and_hold: BuyAndHoldComparison.nullable(),
  /** Null where it was not asked for, or no window was done. */
  nested_walk_forward: NestedWalkForward.nullable(),
  optimized_strategy: OptimizedStrategy,
  /** Candidate columns, and those that were left out because they have no value over the period. */
  candidate_features: z.int(),
  left_out_features: z.array(z.string()),
  evaluations_per_second: Figure,
  risk_free: z.string(),
  data_sources: DataSources,
  /** The days that were searched and tested; fewer than asked for where a ticker begins late or ends early. */
  actual_period: Period.nullable(),
  limiting_ticker: z.string().nullable(),
  /** Traded ones first. */
  series_sources: z.array(SeriesSource),
  /** Prices of a traded ticker are made up by the sample market. */
  synthetic: z.boolean(),
  synthetic_tickers: z.array(z.string()),
  data_problems: z.array(DataProblem),
  /** Mark these days wherever the result is shown. */
  spliced_tickers: SplicedTickers,
  data_fingerprint: z.string(),
  /** Sentences for the user. */
  notes: z.array(Sentence),
})
export type OptimizationResults = z.infer<typeof OptimizationResults>
