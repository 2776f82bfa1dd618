import { z } from 'zod'
import { longList } from './long-list.ts'
import { AccuracyDetails, BarDate, CurveMetrics, Figure, History, IsoDate } from './backtest-figures.ts'

/** 1 is Buy, 0 is Sell (the table says Hold); null where nothing was predicted. */
export const Signal = z.union([z.literal(0), z.literal(1)]).nullable()

/** One window over its whole test range; windows may overlap. All lists are of the same length. */
export const WalkForwardWindow = z.object({
  window_num: z.int(),
  train_start: IsoDate,
  train_end: IsoDate,
  test_start: IsoDate,
  test_end: IsoDate,
  test_rows: z.int(),
  accuracy: Figure,
  base_rate: Figure,
  p_value: Figure,
  label_overlap: AccuracyDetails.shape.label_overlap,
  naive: AccuracyDetails.shape.naive,
  cagr: Figure,
  sharpe: Figure,
  metrics: CurveMetrics,
  predictions_buy: z.int(),
  predictions_sell: z.int(),
  account_history: History,
  dates: longList(BarDate),
  predictions: longList(Signal),
  /** Null without a reference. */
  reference_account_history: History.nullable(),
  /** The reference ticker over the same window; null without one, and for a comparison backtest. */
  reference_metrics: CurveMetrics.nullable(),
})
export type WalkForwardWindow = z.infer<typeof WalkForwardWindow>

export const WalkForwardSummary = z.object({
  total_windows: z.int(),
  /** Over the test dates of all windows, each counted once; results saved earlier have the mean of the windows. */
  avg_window_accuracy: Figure,
  /** Share of the more frequent label over the same dates. */
  avg_base_rate: Figure,
  min_window_accuracy: Figure,
  max_window_accuracy: Figure,
  /** In bars, which are days on a daily calendar. */
  step_size: z.int(),
})
export type WalkForwardSummary = z.infer<typeof WalkForwardSummary>
