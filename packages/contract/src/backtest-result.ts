import { z } from 'zod'
import { Sentence } from './answers.ts'
import { Analysis } from './backtest-analysis.ts'
import {
  AccuracyDetails,
  BacktestMetrics,
  BarDate,
  CurveMetrics,
  DataProblem,
  DataSources,
  Figure,
  History,
  HonestyChecks,
  IsoDate,
  MonthReturn,
  SeriesSource,
  SplicedTickers,
  Trade,
  YearReturn,
} from './backtest-figures.ts'
import { Signal, WalkForwardSummary, WalkForwardWindow } from './backtest-walk-forward.ts'
import { longList } from './long-list.ts'
import { RulesSection } from './rules-result.ts'
import { AllocationRow, resultShape } from './setting-schemas.ts'
import { StrategyType } from './strategies.ts'

const Period = z.object({ start_date: IsoDate, end_date: IsoDate })
const PercentByTicker = z.record(z.string(), z.number())

/** A feature or target as it was used, with every parameter. */
const UsedSelection = z.object({
  id: z.int(),
  /** As tables and charts call it: `Relative Strength Index (SPY, window 14)`. */
  name: z.string(),
  original_name: z.string(),
  params: z.record(z.string(), z.union([z.number(), z.string()])),
  /** Made from economic values whose first release is not known: they may be later revisions, unknown at the time. */
  uses_revised_values: z.boolean(),
})

/** Keys of every result. Lists called `…_history` have one value per bar, in the order of `test_dates`. */
const Always = z.object({
  /** The strategy's name. */
  strategy: z.string(),
  strategy_name: z.string(),
  strategy_type: StrategyType,
  start_date: IsoDate,
  end_date: IsoDate,
  /**
   * The first bar of the run, at whose close an allocation is invested, and which ticker is to blame if it is later than
   * `start_date`. With `include_first_return` it is the session before `start_date`.
   */
  actual_start_date: IsoDate,
  /** The last bar of the result; before `end_date` where a ticker's prices end early. */
  actual_end_date: IsoDate,
  limiting_ticker: z.string().nullable(),
  data_provider: z.string(),
  data_granularity: z.string(),
  /** The moment whose stored data it was computed from; null in results of earlier versions. */
  data_at: z.iso.datetime().nullable(),
  /** Whether the run asked for the data of an earlier moment. */
  is_as_of: z.boolean(),

  /** Fractions and a ratio; `target_accuracy` is null without ML. */
  cagr: Figure,
  sharpe: Figure,
  target_accuracy: Figure,
  metrics: BacktestMetrics,
  /** Why a figure is null, by its path, as the end of "n/a because …": `{"sharpe": "…", "metrics.win_rate": "…"}`. */
  figure_notes: z.record(z.string(), Sentence),
  /** Whose returns counted as free of risk in Sharpe and Sortino, in words. */
  risk_free: z.string(),

  /** `date`/`x` and `value`/`y` of the spec; this server sends date and value. */
  chart_data: longList(z.object({ date: BarDate, value: z.number() })),
  account_value_history: longList(z.number()),
  test_dates: longList(BarDate),
  ticker_dates: longList(BarDate),
  /** Full Results, oldest first. */
  detailed_results: longList(z.object({ date: BarDate, value: z.number(), signal: Signal })),
  nominal_value_history: History,
  cash_history: History,
  exposure_history: History,
  cashflow_history: History,
  /** What one dollar became, flows excluded, in the dollars of `account_value_history`. */
  growth_history: History,
  drawdown_history: History,
  rolling_sharpe_history: History,
  monthly_returns: z.array(MonthReturn),
  yearly_returns: z.array(YearReturn),
  trades: longList(Trade),
  analysis: Analysis.nullable(),

  data_sources: z.object({ features: DataSources, simulation: DataSources }),
  /**
   * By economic series that features were made from: values that were public by the end of the run, those of them that
   * were used as first published and revised later, and those of which only the latest revision is known.
   */
  revised_values: z.array(
    z.object({ ticker: z.string(), values: z.int(), revised_later: z.int(), of_unknown_release: z.int() }),
  ),
  /** Traded ones first. */
  series_sources: z.array(SeriesSource),
  /** Prices of a traded ticker are made up by the sample market: show a badge that names it, and one mark per chart. */
  synthetic: z.boolean(),
  synthetic_tickers: z.array(z.string()),
  data_problems: z.array(DataProblem),
  /** Traded tickers whose prices end before `end_date`; `settings.ended_ticker` says what was done about it. */
  ended_tickers: z.array(z.object({ ticker: z.string(), last_date: IsoDate })),
  /**
   * Tickers whose history begins with that of their fallbacks (`TLT?FB=VUSTX`): whose prices they are, from when to when.
   * Mark these days wherever the result is shown.
   */
  spliced_tickers: SplicedTickers,
  /** Sentences that the reader of the figures should know. */
  notes: z.array(Sentence),
  wiped_out: z.object({ date: IsoDate, by: z.enum(['loss', 'withdrawal']) }).nullable(),

  /** Every setting that was used, defaults included; with the fingerprint of the data it repeats the run. */
  settings: z.object({ ...resultShape, reference_backtest_id: z.int().nullable() }),
  seed: z.int(),
  fingerprint: z.string(),
})

/** Null without a reference. A comparison backtest has its own account values, on the dates both have. */
const Reference = z.object({
  reference_backtest_name: z.string().nullable(),
  reference_cagr: Figure,
  reference_sharpe: Figure,
  reference_metrics: CurveMetrics.nullable(),
  reference_account_value_history: History.nullable(),
  /** What one dollar became in the reference; null also in results that were saved before it was kept. */
  reference_growth_history: History.nullable(),
  /** The days that both have, which the reference's figures are of, and the result's own figures there. */
  reference_period: z.object({ start_date: IsoDate, end_date: IsoDate, own_metrics: CurveMetrics }).nullable(),
})

/** Null in a result of Asset Allocation. */
const Ml = z.object({
  ml_model_type: z.string().nullable(),
  /** Percentages. */
  train_size: z.number().nullable(),
  test_size: z.number().nullable(),
  ml_params: z.record(z.string(), z.union([z.number(), z.string()])).nullable(),
  ml_config: z
    .object({
      model_type: z.string(),
      train_size: z.number(),
      test_size: z.number(),
      signal1_allocations: z.array(AllocationRow),
      signal0_allocations: z.array(AllocationRow),
      /** Null without walk-forward; a null step is automatic. */
      walk_forward: z
        .object({ train_window_pct: z.number(), test_window_pct: z.number(), step_size_pct: z.number().nullable() })
        .nullable(),
    })
    .nullable(),
  signal1_allocation: PercentByTicker.nullable(),
  signal0_allocation: PercentByTicker.nullable(),
  train_period: Period.nullable(),
  test_period: Period.nullable(),
  features: z.array(UsedSelection).nullable(),
  target: UsedSelection.nullable(),
  /** Strongest first; an empty list where the model has none. */
  feature_importances: z.array(z.object({ feature: z.string(), importance: z.number() })).nullable(),
  test_predictions: longList(Signal).nullable(),
  test_probabilities: History.nullable(),
  /** By the feature's `name`. */
  test_feature_values: z.record(z.string(), History).nullable(),
  accuracy_details: AccuracyDetails.nullable(),
  honesty: HonestyChecks.nullable(),
})

const WalkForward = z.object({
  walk_forward_enabled: z.boolean(),
  /** Null without walk-forward. */
  walk_forward_windows: z.array(WalkForwardWindow).nullable(),
  walk_forward_summary: WalkForwardSummary.nullable(),
})

/** Everything a run found out; also the `result_data` of a saved backtest. */
export const BacktestResult = Always.extend(Reference.shape).extend(Ml.shape).extend(WalkForward.shape).extend({
  /** Ticker to percent; null in a result of ML or Rules. */
  allocation: PercentByTicker.nullable(),
  /** Null in a result of another type. */
  rules: RulesSection.nullish(),
})
export type BacktestResult = z.infer<typeof BacktestResult>
