import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { type EpochDay, epochDayOf, formatDate, parseDate, dayStamp, DAY, type UtcMillis } from '@tradewright/core/time'
import { z } from 'zod'
import { lastAtOrBefore, lowerBound } from '@tradewright/core/column'
import { correlationOf } from '@tradewright/engine/features/formulas'
import { simpleReturns } from '@tradewright/engine/performance/returns'
import { tickerKind, isObservation, mainCategory } from '@tradewright/core/ticker-kind'
import { calendarOf, nyse } from '@tradewright/engine/market/trading-calendar'
import { isAvailable } from '@tradewright/engine/performance/figure'
import { periodsPerYear } from '@tradewright/engine/market/known-at'
import { volatility } from '@tradewright/engine/performance/risk-adjusted-return'
import { foreignExchangeSentence } from '@tradewright/core/exchange'
import { parseTicker } from '@tradewright/core/ticker'
import { adjustPrices, actionsOf } from '@tradewright/engine/market/corporate-actions'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesTable } from '@tradewright/engine/market/series'
import type { SeriesFor } from '../../market-data/series-for.ts'
import { defineTool, type Caller } from '../action.ts'
import { rounded, downsampled, amount } from './backtest-tools.ts'
import { storeQuality, type StoreQualityDeps } from '../../market-data/stores/change-stores.ts'

interface MarketToolDeps {
  readonly seriesFor: SeriesFor
  readonly clock: Clock
}

const Symbol = z.string().trim().min(1).max(60)
/** A year, and a few days more so that there is a value a year ago. */
const QUOTE_DAYS = 380

const day = (what: string, text: string): EpochDay => {
  const parsed = parseDate(text)
  if (parsed === undefined) throw new Problem('invalid', 'assistant.date', `${what} must be a date like 2024-12-31.`)
  return parsed
}

export const marketTools = ({ seriesFor, clock }: MarketToolDeps) => {
  const today = () => epochDayOf(clock.now().getTime())
  return {
    getQuotes: defineTool({
      name: 'get_quotes',
      description:
        'Latest daily value of tickers (stocks, ETFs, BTC-USD, economic series such as DGS10), with returns over 1 day to 1 year and volatility. Each ends at its own newest date; to compare tickers use get_compared_quotes.',
      note: 'Looking up prices',
      input: z.object({ tickers: z.array(Symbol).min(1).max(12) }),
      async run(caller, { tickers }) {
        const range = { from: today() - QUOTE_DAYS, to: today() }
        const { series, missing } = await priceSeries(seriesFor, caller, tickers, range)
        return { quotes: series.map(priceFacts), missing }
      },
    }),

    compareQuotes: defineTool({
      name: 'get_compared_quotes',
      description:
        'Returns and volatility of tickers over the same dates: all end at the last date that every one of them has.',
      note: 'Comparing prices',
      input: z.object({ tickers: z.array(Symbol).min(1).max(12) }),
      async run(caller, { tickers }) {
        const period = { today: today(), days: QUOTE_DAYS }
        const { series, missing, end, endingFirst } = await commonPeriod(seriesFor, caller, tickers, period)
        return {
          quotes: series.map(priceFacts),
          missing,
          common_end_date: end === undefined ? null : formatDate(end),
          limited_by: endingFirst,
        }
      },
    }),

    getPriceHistory: defineTool({
      name: 'get_price_history',
      description:
        'Daily history of one ticker between two dates, downsampled to at most 48 points, with its total return.',
      note: 'Looking up a price history',
      input: z.object({ ticker: Symbol, start_date: z.string(), end_date: z.string().optional() }),
      async run(caller, { ticker, start_date, end_date }) {
        const to = end_date === undefined ? today() : day('end_date', end_date)
        const from = day('start_date', start_date)
        if (from > to) throw new Problem('invalid', 'assistant.date', 'start_date lies after end_date.')
        const found = await onePriceSeries(seriesFor, caller, [ticker], { from, to })
        const { timestamps, adjusted, raw, isPrice, synthetic, providers } = found
        return {
          ticker: found.ticker,
          first_date: formatDate(epochDayOf(timestamps[0]!)),
          last_date: formatDate(epochDayOf(timestamps.at(-1)!)),
          total_return: isPrice ? rounded(adjusted.at(-1)! / adjusted[0]! - 1) : null,
          values: downsampled(timestamps, raw),
          providers,
          synthetic,
        }
      },
    }),

    getCorrelations: defineTool({
      name: 'get_correlations',
      description:
        'Correlation of the daily returns of each two of some tickers over the last days that all of them have (default 365).',
      note: 'Computing correlations',
      input: z.object({ tickers: z.array(Symbol).min(2).max(10), days: z.int().min(30).max(3650).default(365) }),
      async run(caller, { tickers, days }) {
        const { series, missing, end } = await commonPeriod(seriesFor, caller, tickers, { today: today(), days })
        return {
          days,
          end_date: end === undefined ? null : formatDate(end),
          pairs: correlationsOf(series.filter(({ isPrice }) => isPrice)),
          missing,
          synthetic: series.some(({ synthetic }) => synthetic),
          synthetic_tickers: series.filter(({ synthetic }) => synthetic).map(({ ticker }) => ticker),
        }
      },
    }),
  }
}

export type MarketTools = ReturnType<typeof marketTools>

/** Weekends, holidays and the day that is not over: last dates this close together are the same. */
export const SAME_DATE_DAYS = 7
/** An imported history may have ended long ago. */
const MAX_BACK_DAYS = 10 * 366

interface CommonPeriod extends PriceAnswer {
  /** The last day that all series have; undefined where there is none. */
  readonly end: EpochDay | undefined
  /** Tickers whose own last date is that day, where it is not today's. */
  readonly endingFirst: readonly string[]
}

/** Series of so many days up to the last day that all of them have, so that their changes can be compared. */
async function commonPeriod(
  seriesFor: SeriesFor,
  caller: Caller,
  tickers: readonly string[],
  { today, days }: { today: EpochDay; days: number },
): Promise<CommonPeriod> {
  const read = (asked: readonly string[], to: EpochDay, back: number) =>
    priceSeries(seriesFor, caller, asked, { from: to - back, to })
  const recent = await read(tickers, today, days)
  const absent = recent.missing.map(({ ticker }) => ticker)
  const older = absent.length > 0 ? await read(absent, today, MAX_BACK_DAYS) : { series: [], missing: [] }
  const all = [...recent.series, ...older.series]
  if (all.length === 0) return { series: [], missing: recent.missing, end: undefined, endingFirst: [] }
  // An economic series is published late; it does not end a comparison of prices.
  const prices = all.filter(({ isPrice }) => isPrice)
  const end = Math.min(...(prices.length > 0 ? prices : all).map(lastDayOf))
  if (today - end <= SAME_DATE_DAYS) {
    return { series: all, missing: older.missing, end, endingFirst: [] }
  }
  const { series } = await read(
    all.map(({ ticker }) => ticker),
    end,
    days,
  )
  const endingFirst = prices.filter((one) => lastDayOf(one) - end <= SAME_DATE_DAYS).map(({ ticker }) => ticker)
  return { series: series.flatMap((one) => upTo(one, end) ?? []), missing: older.missing, end, endingFirst }
}

const lastDayOf = ({ timestamps }: Pick<PriceSeries, 'timestamps'>): EpochDay => epochDayOf(timestamps.at(-1)!)

/** The rows up to a day; undefined where there are none. */
function upTo(series: PriceSeries, day: EpochDay): PriceSeries | undefined {
  const rows = lastAtOrBefore(series.timestamps, dayStamp(day)) + 1
  if (rows === 0) return undefined
  const { timestamps, raw, adjusted } = series
  return {
    ...series,
    timestamps: timestamps.subarray(0, rows),
    raw: raw.subarray(0, rows),
    adjusted: adjusted.subarray(0, rows),
  }
}

interface Correlation {
  readonly first: string
  readonly second: string
  /** Null where one of them did not move, or they share too few days. */
  readonly correlation: number | null
  readonly days: number
}

const MIN_DAYS = 20

/** Correlations of returns, each between days that both series have. */
function correlationsOf(series: readonly PriceSeries[]): Correlation[] {
  return series.flatMap((first, index) => series.slice(index + 1).map((second) => correlation(first, second)))
}

function correlation(first: PriceSeries, second: PriceSeries): Correlation {
  const rowOf = new Map([...second.timestamps].map((stamp, row) => [stamp, row]))
  const shared = [...first.timestamps.keys()].filter((row) => rowOf.has(first.timestamps[row]!))
  const a = simpleReturns(shared.map((row) => first.adjusted[row]!))
  const b = simpleReturns(shared.map((row) => second.adjusted[rowOf.get(first.timestamps[row]!)!]!))
  const value = a.length < MIN_DAYS ? Number.NaN : correlationOf(a, b, 0, a.length)
  return {
    first: first.ticker,
    second: second.ticker,
    correlation: Number.isFinite(value) ? rounded(value) : null,
    days: a.length,
  }
}

const YEAR_DAYS = 365

/** The latest value of a series and how it came there. Changes are total returns, as fractions. */
function priceFacts(series: PriceSeries) {
  const { ticker, timestamps, raw, isPrice, providers, synthetic } = series
  const last = timestamps.length - 1
  const lastYear = yearOf(series)
  const days = Int32Array.from(timestamps.subarray(timestamps.length - lastYear.length), epochDayOf)
  const perYear = periodsPerYear(calendarOf(tickerKind(ticker)) ?? nyse, '1d', days)
  const spread = isPrice ? volatility(simpleReturns(lastYear), perYear) : undefined
  return {
    ticker,
    date: formatDate(epochDayOf(timestamps[last]!)),
    value: amount(raw[last]!),
    change_1_day: isPrice && last > 0 ? change(series, last - 1) : null,
    change_1_month: changeSince(series, 30),
    change_3_months: changeSince(series, 91),
    change_1_year: changeSince(series, YEAR_DAYS),
    volatility_1_year: spread !== undefined && isAvailable(spread) ? rounded(spread) : null,
    below_1_year_high: isPrice ? rounded(lastYear.at(-1)! / Math.max(...lastYear) - 1) : null,
    providers,
    synthetic,
  }
}

export type PriceFacts = ReturnType<typeof priceFacts>

const yearOf = ({ timestamps, adjusted }: PriceSeries): Float64Array =>
  adjusted.subarray(lowerBound(timestamps, timestamps.at(-1)! - YEAR_DAYS * DAY))

const change = ({ adjusted }: PriceSeries, from: number): number => rounded(adjusted.at(-1)! / adjusted[from]! - 1)

/** Null where the series is younger, or no price. */
function changeSince(series: PriceSeries, days: number): number | null {
  const then = series.timestamps.at(-1)! - days * DAY
  const row = lastAtOrBefore(series.timestamps, then)
  return series.isPrice && row >= 0 ? change(series, row) : null
}

/** One ticker's days: what was traded, and the same with dividends and splits, for returns. */
interface PriceSeries {
  readonly ticker: string
  /** A price, and not an observation such as a rate. */
  readonly isPrice: boolean
  readonly timestamps: Float64Array
  readonly raw: Float64Array
  readonly adjusted: Float64Array
  readonly providers: readonly string[]
  readonly synthetic: boolean
}

interface PriceAnswer {
  readonly series: readonly PriceSeries[]
  readonly missing: readonly { ticker: string; reason: string }[]
}

/** Both days belong to the range. */
async function priceSeries(
  seriesFor: SeriesFor,
  { userId, signal }: Caller,
  tickers: readonly string[],
  { from, to }: { from: EpochDay; to: EpochDay },
): Promise<PriceAnswer> {
  const asked = [...new Set(tickers.map((ticker) => parseTicker(ticker).symbol))]
  const symbols = asked.filter((symbol) => foreignExchangeSentence(symbol) === undefined)
  const range = { from: dayStamp(from), to: dayStamp(to + 1) }
  const answer = await seriesFor({ userId, tickers: symbols, range, granularity: '1d', provider: 'auto' }, signal)
  return {
    series: symbols.flatMap((symbol) => toPriceSeries(answer.series.get(symbol)) ?? []),
    missing: [
      ...asked.flatMap((ticker) => {
        const reason = foreignExchangeSentence(ticker)
        return reason === undefined ? [] : [{ ticker, reason }]
      }),
      ...answer.missing.filter(({ hasRows }) => !hasRows).map(({ ticker, reason }) => ({ ticker, reason })),
    ],
  }
}

async function onePriceSeries(...args: Parameters<typeof priceSeries>): Promise<PriceSeries> {
  const { series, missing } = await priceSeries(...args)
  const [found] = series
  if (found) return found
  throw new Problem('missing', 'market.no-data', missing[0]?.reason ?? `There is no data for ${args[2][0]}.`)
}

function toPriceSeries(table: SeriesTable | undefined): PriceSeries | undefined {
  const column = table?.columns[mainCategory(table.type)]
  if (!table || !column) return undefined
  const rows = [...column.keys()].filter((row) => Number.isFinite(column[row]))
  if (rows.length === 0) return undefined
  const isPrice = !isObservation(table.type)
  const adjusted = isPrice ? adjustPrices(table, actionsOf(table), 'total-return').columns['close'] : undefined
  const picked = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!)
  return {
    ticker: table.ticker,
    isPrice,
    timestamps: picked(table.timestamps),
    raw: picked(column),
    adjusted: picked(adjusted ?? column),
    providers: [...new Set(table.sources.map(({ provider }) => provider))],
    synthetic: table.sources.some(({ provider }) => provider === SAMPLE_PROVIDER_ID),
  }
}

const MAX_LISTED = 30

const dateText = (stamp: UtcMillis | undefined) => (stamp === undefined ? null : formatDate(epochDayOf(stamp)))

export const dataQualityTools = (deps: StoreQualityDeps) => ({
  getDataQuality: defineTool({
    name: 'get_data_quality',
    description:
      "What is stored of market data in the user's default store, series with the most faults first: gaps, stale series, suspicious jumps.",
    note: 'Checking your stored data',
    input: z.object({}),
    async run({ userId }) {
      const { id, name } = await deps.stores.defaultOf(userId)
      const found = await storeQuality(deps, userId, id, 'gold')
      const series = found.slice(0, MAX_LISTED).map((quality) => ({
        ticker: quality.ticker,
        granularity: quality.granularity,
        providers: quality.providers,
        synthetic: quality.providers.includes(SAMPLE_PROVIDER_ID),
        rows: quality.rows,
        first: dateText(quality.first),
        last: dateText(quality.last),
        missing_rows: quality.missingRows,
        suspicious_jumps: quality.jumps.length,
        contradictions: quality.contradictions,
        sessions_behind: quality.sessionsBehind,
        is_stale: quality.isStale,
      }))
      return { store: name, total: found.length, series }
    },
  }),
})

export type DataQualityTools = ReturnType<typeof dataQualityTools>
