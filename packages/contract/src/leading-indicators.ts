import { z } from 'zod'
import { Sentence } from './answers.ts'
import { IsoDate } from './backtest-figures.ts'
import { route } from './route.ts'

/** Choices of the tab, in its order. */
export const ANALYSIS_PERIODS = [30, 90, 180, 365] as const
export const DEFAULT_ANALYSIS_PERIOD = 90
export const LAGS = [1, 2, 3, 5, 10] as const
export const MIN_CORRELATION = { min: 0.1, max: 0.9, step: 0.1, default: 0.3 } as const
export const CORRELATION_LIMIT = 100
export const CROSS_METRICS = [
  'pct_change',
  'rsi_14',
  'sma_5',
  'sma_10',
  'sma_20',
  'volume_ratio',
  'volatility_20d',
] as const

const tag = 'Leading indicators'

const TickerName = z.object({ ticker: z.string(), name: z.string() })

export const listIndicatorTickers = route({
  method: 'GET',
  path: '/api/leading-indicators/available-tickers',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The tickers that can be analysed, by category.',
  answer: z.object({
    success: z.literal(true),
    /** Categories in the order in which to show them. */
    tickers: z.record(z.string(), z.array(TickerName)),
  }),
})

/** How the selected ticker's next return went with another series' metric, so many days before. */
export const CorrelationRow = z.object({
  cross_ticker: z.string(),
  /** The name of the other series where it has one, else the ticker. */
  cross_name: z.string(),
  cross_metric: z.enum(CROSS_METRICS),
  lag_days: z.int(),
  /** From -1 to 1. */
  correlation_value: z.number(),
  /** Share of the days on which the sign of the metric's deviation foretold the sign of the return; a fraction. */
  directional_accuracy: z.number().nullable(),
  /** Yearly, of holding the ticker in the direction that the metric pointed to. Before costs. */
  sharpe_ratio: z.number().nullable(),
  p_value: z.number(),
  /** Benjamini-Hochberg over everything that was tested for this answer. */
  adjusted_p_value: z.number(),
  /** Pairs of days that it was computed from. */
  observations: z.int(),
  synthetic: z.boolean(),
  /** Made from economic values whose first release is not known: they may be later revisions, unknown at the time. */
  uses_revised_values: z.boolean(),
  /**
   * The same pair as a feature of the Optimizer: the feature's id and its parameters, `lag` included; null where no
   * feature is the same.
   */
  feature: z
    .object({ id: z.int(), name: z.string(), params: z.record(z.string(), z.union([z.number(), z.string()])) })
    .nullable(),
})
export type CorrelationRow = z.infer<typeof CorrelationRow>

/** Text, as a query has it; what is no number answers 400 with a sentence. */
const number = z.string().max(40).optional()

export const getCorrelations = route({
  method: 'GET',
  path: '/api/leading-indicators/correlations/:ticker',
  access: 'signed in',
  scope: 'research',
  tag,
  summary:
    'Lagged correlations with the ticker, strongest first. A ticker without data answers 404 with a sentence in `error`.',
  params: z.object({ ticker: z.string().max(200) }),
  query: z.object({
    /** Absolute, 0 to 1; default 0.3. */
    min_correlation: number,
    /** Calendar days back from the newest bar, 10 to 3650; default 90. */
    period_days: number,
    /** 1 to 1000, default 100. */
    limit: number,
    /** 1 to 60; left out: 1, 2, 3, 5 and 10. 1 is the very next return. */
    lag_days: number,
  }),
  answer: z.object({
    success: z.literal(true),
    ticker: z.string(),
    correlations: z.array(CorrelationRow),
    period: z.object({ start_date: IsoDate, end_date: IsoDate }),
    /** Pairs that were tested, below the threshold included: the more, the more hits come by luck. */
    tested: z.int(),
    /** How many of the tested pairs one expects below p = 0.05 by luck alone. */
    expected_false_hits: z.number(),
    synthetic: z.boolean(),
    notes: z.array(Sentence),
  }),
})
