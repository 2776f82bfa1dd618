import { type MetricEntry, metricsOf, type WireMetricsBy, wireKeyOf } from '@tradewright/core/metric-catalogue'
import { z } from 'zod'
import { Sentence } from './answers.ts'
import { longList } from './long-list.ts'

/** Always finite, or null where there is no value: `figure_notes` says why. */
export const Figure = z.number().nullable()
/** One value per bar. */
export const History = longList(z.number().nullable())
/** `YYYY-MM-DD`; bars within the day have `YYYY-MM-DDTHH:MM:SSZ` instead. */
export const BarDate = z.string()
export const IsoDate = z.iso.date()

export const Drawdown = z.object({
  /** A fraction from -1 to 0. */
  depth: z.number(),
  peak_date: IsoDate,
  trough_date: IsoDate,
  /** Null while it has not recovered. */
  recovery_date: IsoDate.nullable(),
})

/** From close to close. */
const DayReturn = z.object({ date: IsoDate, return: z.number() })
export const MonthReturn = z.object({ year: z.int(), month: z.int().min(1).max(12), return: z.number() })
export const YearReturn = z.object({ year: z.int(), return: z.number() })

/** Figures of month-end values, as published tables of portfolios print them. The depth is a fraction from -1 to 0. */
const MonthEndMetrics = z.object({
  volatility: Figure,
  sharpe: Figure,
  sortino: Figure,
  max_drawdown: z.number(),
})

/** The schema of each kind of value that a metric may have. */
const METRIC_VALUES = {
  figure: Figure,
  number: z.number(),
  count: z.int(),
  drawdown: Drawdown,
  month: MonthReturn.nullable(),
  /** Null, as years and month ends are, in results that were saved before these figures were. */
  day: DayReturn.nullable(),
  year: YearReturn.nullable(),
  'month ends': MonthEndMetrics.nullable(),
} satisfies Record<MetricEntry['value'], z.ZodType>

function metricSchemas<Of extends MetricEntry['of']>(...sources: Of[]): WireMetricsBy<Of, typeof METRIC_VALUES> {
  const schemas = metricsOf(...sources).map((metric) => [wireKeyOf(metric), METRIC_VALUES[metric.value]])
  return Object.fromEntries(schemas) as WireMetricsBy<Of, typeof METRIC_VALUES>
}

/** Figures of one curve of growth: fractions, flows excluded, and ratios. */
export const CurveMetrics = z.object(metricSchemas('curve'))
export type CurveMetrics = z.infer<typeof CurveMetrics>

export const BacktestMetrics = CurveMetrics.extend({
  ...metricSchemas('account', 'run'),
  /** In dollars. */
  traded_value: z.number(),
  /** As the account statement would say it; differs from `end_value` where inflation is adjusted for. */
  nominal_end_value: z.number(),
})
export type BacktestMetrics = z.infer<typeof BacktestMetrics>

export const AccuracyDetails = z.object({
  accuracy: Figure,
  /** Accuracy of always predicting the more frequent label. */
  base_rate: Figure,
  /**
   * How often forecasts that know nothing about the label come out like this (Pesaran-Timmermann; labels that overlap
   * do not count as independent). Null in results that were saved before the overlap counted.
   */
  p_value: Figure,
  /** Bars from one label to the first that shares no price change with it; 1: labels are independent. */
  label_overlap: z.int().nullable(),
  /**
   * The part of a target that is predictable without a model, and its accuracy alone; p_value is about more than that.
   */
  naive: z.object({ by: z.enum(['volatility_level']), accuracy: z.number() }).nullable(),
  rows: z.int(),
})
export type AccuracyDetails = z.infer<typeof AccuracyDetails>

const DataSource = z.object({
  provider: z.string(),
  tickers: z.array(z.string()),
  start: IsoDate,
  end: IsoDate,
  rows: z.int(),
})

export const DataSources = z.object({
  requested: z.object({ start: IsoDate, end: IsoDate, granularity: z.string() }),
  /** Null when nothing was fetched for it. */
  combined: z.object({ start: IsoDate, end: IsoDate, rows: z.int() }).nullable(),
  providers: z.array(DataSource),
})
export type DataSources = z.infer<typeof DataSources>

/** Where one series came from and what it was used for. */
export const SeriesSource = z.object({
  /** Without leverage. */
  ticker: z.string(),
  /** `rate` are interest rates and price indexes. */
  used_for: z.enum(['traded', 'feature', 'reference', 'rate']),
  providers: z.array(z.object({ provider: z.string(), start: IsoDate, end: IsoDate, rows: z.int() })),
  /** Rows of the sample market. */
  synthetic: z.boolean(),
})
export type SeriesSource = z.infer<typeof SeriesSource>

/** What a data provider did not deliver. The sentence is also among the notes. */
export const DataProblem = z.object({
  /** `synthetic`: the sample market stands in. `partial`: a part of the range is missing. */
  effect: z.enum(['synthetic', 'partial']),
  tickers: z.array(z.string()),
  provider: z.string().nullable(),
  sentence: Sentence,
  /** The same question may be answered later: send `retryData`. */
  may_retry: z.boolean(),
})
export type DataProblem = z.infer<typeof DataProblem>

export const HonestyChecks = z.object({
  /** Does any feature know its future? */
  truncation: z.object({ passed: z.boolean(), checked_instants: z.int(), failed_features: z.array(z.string()) }),
  /** Does the accuracy vanish, as it must, when the labels are shuffled? */
  shuffled_labels: AccuracyDetails.omit({ rows: true }).extend({ passed: z.boolean() }),
  /** Training rows left out because their labels reach into a test. */
  rows_purged: z.int(),
  usable_rows: z.int(),
})
export type HonestyChecks = z.infer<typeof HonestyChecks>

export const Trade = z.object({
  date: BarDate,
  ticker: z.string(),
  side: z.enum(['buy', 'sell']),
  /** Negative for a sale. */
  quantity: z.number(),
  price: z.number(),
  /** Quantity times price, without sign. */
  value: z.number(),
  fee: z.number(),
})
export type Trade = z.infer<typeof Trade>

/** Tickers whose history begins with that of their fallbacks: whose prices they are, from when to when. */
export const SplicedTickers = z.array(
  z.object({
    ticker: z.string(),
    stand_ins: z.array(z.object({ ticker: z.string(), start_date: IsoDate, end_date: IsoDate })),
  }),
)
export type SplicedTickers = z.infer<typeof SplicedTickers>

/** `TLT for AGG, SPY for GLD`; empty where every ticker has its own prices on the day. */
export function standInsOn(spliced: SplicedTickers, day: string): string {
  const parts = spliced.flatMap(({ ticker, stand_ins }) => {
    const one = stand_ins.find(({ end_date }) => day <= end_date)
    return one ? [`${one.ticker} for ${ticker.split('?')[0]!}`] : []
  })
  return parts.join(', ')
}
