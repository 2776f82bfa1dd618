import { brokerIds } from '@tradewright/core/broker-catalogue'
import { z } from 'zod'
import { Sentence, Success } from './answers.ts'
import { optionalDate } from './dates.ts'
import { idField, limitField, pageField } from './ids.ts'
import { route } from './route.ts'

export const PERIOD_FILTERS = ['all', 'ytd', '1y', '2y', '3y', 'custom'] as const
export type PeriodFilter = (typeof PERIOD_FILTERS)[number]

export const CAGR_METHODS = [
  'daily_returns_compounded',
  'true_time_weighted_return',
  'simple_return',
  'simple_return_no_cash_flows',
  'simple_return_short_period',
  'insufficient_data',
] as const
type CagrMethod = (typeof CAGR_METHODS)[number]

export const METHOD_UNAVAILABLE = 'Calculation method unavailable'

/** How the figure was computed, in words for the card. */
export const CAGR_METHOD_TEXTS = {
  daily_returns_compounded:
    'Daily returns excluding deposits and withdrawals, compounded to a yearly rate. The broker does not report the ' +
    'account value at each cash flow: one during trading hours counts for the remaining part of the day; if its ' +
    'time is unknown, a deposit counts from the start of its day and a withdrawal at the end.',
  true_time_weighted_return:
    'The period is divided at every deposit, withdrawal and transfer, all of which came outside trading hours, when ' +
    'the account value is known; the returns of the sub-periods are compounded to a yearly rate. Dividends, ' +
    'interest and fees count as performance.',
  simple_return:
    'Gain divided by the money invested, stated as a yearly rate. Account values around some cash flows are ' +
    'missing, so the effect of their timing could not be removed; treat it as an estimate.',
  simple_return_no_cash_flows:
    'Value at the end divided by value at the start, stated as a yearly rate. There were no deposits or withdrawals ' +
    'in this period, so nothing had to be excluded.',
  simple_return_short_period:
    'The period is shorter than one year, so this is the return of the period itself and not a yearly rate: ' +
    'annualizing a few good weeks would be misleading. Deposits and withdrawals are excluded.',
  insufficient_data: 'There are not enough account values in this period to compute a return.',
} as const satisfies Record<CagrMethod, string>

/** Any other value than the known ones has no explanation. */
export const methodText = (method: string): string =>
  Object.hasOwn(CAGR_METHOD_TEXTS, method) ? CAGR_METHOD_TEXTS[method as CagrMethod] : METHOD_UNAVAILABLE

/** More points than this are downsampled for charts. */
export const CHART_POINTS = 365
/** The newest trades and transactions that come with the portfolio; older ones are asked for in pages. */
export const PORTFOLIO_ACTIVITIES = 500

const amount = z.number()
/** A figure that cannot always be had; `notes` says why under the field's name. */
const figure = z.number().nullable()
const day = z.iso.date()

export const PortfolioPosition = z.object({
  symbol: z.string(),
  qty: amount,
  market_value: amount,
  unrealized_pl: amount,
  /** A fraction. */
  unrealized_plpc: figure,
  avg_entry_price: amount,
  current_price: amount,
  /** Where `current_price` is the last known one and lacks several sessions: its day. Null else. */
  price_date: day.nullable(),
})
export type PortfolioPosition = z.infer<typeof PortfolioPosition>

export const PortfolioTransaction = z.object({
  id: z.string(),
  date: day,
  net_amount: amount,
  description: z.string(),
  /** The broker's code, such as CSD, CSW, JNLC, DIV, INT or FEE. */
  activity_type: z.string(),
  symbol: z.string().nullable(),
  /** Deposits, withdrawals and transfers: they change the account value without being performance. */
  is_external: z.boolean(),
})
export type PortfolioTransaction = z.infer<typeof PortfolioTransaction>

export const PortfolioTrade = z.object({
  id: z.string(),
  date: day,
  /** The instant of the execution. */
  executed_at: z.iso.datetime(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  qty: amount,
  price: amount,
  amount,
})
export type PortfolioTrade = z.infer<typeof PortfolioTrade>

/** One unit at the start of the period: the account without its cash flows, and the benchmarks on the same dates. */
export const GrowthPoint = z.object({ date: day, portfolio: figure, spy: figure, tqqq: figure })
export type GrowthPoint = z.infer<typeof GrowthPoint>

export const Portfolio = z.object({
  account: z.object({
    id: z.int(),
    account_name: z.string(),
    paper_trading: z.boolean(),
    broker: z.enum(brokerIds),
    custom_host: z.string().nullable(),
  }),
  equity: amount,
  cash: amount,
  /** Gain since the account was opened in percent of the net contributions. */
  overall_return_percent: figure,
  /** Since the close before, without today's deposits and withdrawals. */
  daily_pnl: figure,
  daily_pnl_percent: figure,
  buying_power: amount,
  positions: z.array(PortfolioPosition),
  /** The account value in the period, downsampled for charts; the last point is always there. */
  history: z.array(z.object({ date: day, equity: amount })),
  /** Every day of the period, oldest first, with what was paid in (+) or out (-) on it. */
  full_history: z.array(z.object({ date: day, equity: amount, net_amount: amount })),
  growth: z.array(GrowthPoint),
  /** Newest first. */
  transactions: z.array(PortfolioTransaction),
  transactions_count: z.int(),
  trades: z.array(PortfolioTrade),
  trades_count: z.int(),
  /** False while older trades and transactions are still being collected from the broker. */
  activities_complete: z.boolean(),
  /** A fraction; a yearly rate only where `is_annualised`. */
  cagr_excluding_contributions: figure,
  /** The return of the whole period, never a yearly rate. */
  total_return: figure,
  /** The investor's own return (XIRR): cash flows count with their size and time. Yearly where `is_annualised`. */
  money_weighted_return: figure,
  is_annualised: z.boolean(),
  /**
   * Set where cash flows of over 10 % of the account have an unknown time: the figures if they had come at the other
   * end of their day (deposits after trading, withdrawals before it).
   */
  other_reading: z.object({ days: z.int(), total_return: figure, cagr_excluding_contributions: figure }).nullable(),
  spy_cagr: figure,
  tqqq_cagr: figure,
  spy_total_return: figure,
  tqqq_total_return: figure,
  /** The benchmarks come from the synthetic sample market; beside an account at a broker only where that was asked for. */
  benchmarks_synthetic: z.boolean(),
  /** Benchmarks that have no real price on these dates, and why in a sentence. */
  benchmarks_missing: z.array(z.object({ symbol: z.string(), reason: Sentence })),
  /** Holdings of the built-in paper account that are priced by the synthetic sample market. */
  synthetic: z.boolean(),
  /** What was paid in during the period less what was paid out. */
  net_contributions: amount,
  cagr_calculation_method: z.string(),
  cagr_calculation_text: Sentence,
  sub_periods_count: z.int(),
  cash_flows_count: z.int(),
  filter_type: z.enum(PERIOD_FILTERS),
  /** The first and last day with an account value in the period; null without any. */
  start_date: day.nullable(),
  end_date: day.nullable(),
  /** Why a figure is null, as a sentence under the name of its field. */
  notes: z.record(z.string(), Sentence),
  /** When the broker was asked. */
  as_of: z.iso.datetime(),
  age_seconds: z.number(),
  /** Newer data is being fetched: ask again in a moment. */
  is_refreshing: z.boolean(),
  /** The broker could not be asked just now, and why; the data is what it said at `as_of`. */
  warning: Sentence.nullable(),
})
export type Portfolio = z.infer<typeof Portfolio>

const accountId = z
  .union([idField, z.literal('')])
  .optional()
  .transform((value) => value || undefined)

const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .optional()
  .transform((value) => value === 'true' || value === '1')

const tag = 'Portfolio'

export const getPortfolio = route({
  method: 'GET',
  path: '/api/alpaca/portfolio',
  access: 'signed in',
  scope: 'read',
  tag,
  summary:
    'A brokerage account with its performance, of the default account when none is named. Answered from the cache at ' +
    'once and refreshed behind when it is older than a minute; force_refresh=true asks the broker first.',
  query: z.object({
    account_id: accountId,
    force_refresh: flag,
    /** Compare with the synthetic sample market where there are no real prices. */
    synthetic_benchmarks: flag,
    filter_type: z
      .string()
      .max(100)
      .default('')
      .transform((value) => value || 'all')
      .pipe(z.enum(PERIOD_FILTERS, `filter_type must be one of ${PERIOD_FILTERS.join(', ')}.`)),
    start_date: optionalDate,
    end_date: optionalDate,
  }),
  answer: Success.extend({ portfolio: Portfolio }),
})

const PAGE_SIZE = 100

export const listActivities = route({
  method: 'GET',
  path: '/api/alpaca/portfolio/activities',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'Trades or transactions of a brokerage account, newest first, in pages.',
  query: z.object({
    account_id: accountId,
    kind: z.enum(['trades', 'transactions'], 'kind must be trades or transactions.'),
    page: pageField,
    page_size: limitField('page_size', 500, PAGE_SIZE),
  }),
  answer: Success.extend({
    trades: z.array(PortfolioTrade),
    transactions: z.array(PortfolioTransaction),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
    activities_complete: z.boolean(),
  }),
})
