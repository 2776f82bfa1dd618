import { Problem } from '@tradewright/core/problem'
import { observationCategory } from '@tradewright/core/category'
import { formatTicker, heldKind, parseTicker, type Ticker } from '@tradewright/core/ticker'
import { CASHX, isObservation, TBILLX } from '@tradewright/core/ticker-kind'
import { DAY, dayStamp, epochDayOf } from '@tradewright/core/time'
import { adjustFromFirst, type Adjustment, adjustPrices, type Dividend } from '../market/corporate-actions.ts'
import {
  bondSeries,
  valuesInForce,
  cashSeries,
  leverBars,
  treasuryBillSeries,
  type KeptLevel,
  spliceBefore,
} from '../market/derived-series.ts'
import { barStamps, nyse } from '../market/trading-calendar.ts'
import { inferFrequency, isValueSeries } from '../market/known-at.ts'
import type { SeriesTable } from '../market/series.ts'
import { BILL_RATES, BORROWING_RATES, ratesAt } from './interest-rates.ts'
import { actionsFor, type MarketData, noDataFor, type SeriesLookup } from './market-data.ts'
import { type BacktestSettings, firstPricedDay } from './request.ts'
import { type StandIn, standInsBefore } from './stand-ins.ts'

/** A series ready to be traded or used by features. */
export interface PricedSeries {
  readonly table: SeriesTable
  /** Paid in cash, per share of the table's prices; empty where they are total returns. */
  readonly dividends: readonly Dividend[]
  /** Whose prices the first rows are, where the ticker had none yet. Oldest first. */
  readonly standIns?: readonly StandIn[]
}

/** All series of one run, adjusted in one and the same way, each made once. */
export class SeriesSet {
  readonly #data: MarketData
  readonly #settings: BacktestSettings
  readonly #priced = new Map<string, PricedSeries>()
  readonly #anchored = new Map<string, SeriesTable>()
  readonly #used = new Map<string, SeriesTable>()
  readonly #withoutRate = new Set<string>()
  readonly #withoutFallback = new Set<string>()
  readonly #standIns = new Map<string, readonly StandIn[]>()
  #cashStamps: Float64Array | undefined

  constructor(data: MarketData, settings: BacktestSettings) {
    this.#data = data
    this.#settings = settings
  }

  /** A ticker as it is traded: the newest price is the one that was paid. */
  priced(ticker: string): PricedSeries {
    return remember(this.#priced, ticker, () => this.#price(parseTicker(ticker), 'newest'))
  }

  /**
   * As a feature sees it: the same returns, with the oldest price as the one that was paid. A later split or dividend
   * then changes no digit of an earlier value, neither in a longer backtest nor for a model that is already trading.
   */
  anchored(ticker: string): SeriesTable {
    return remember(this.#anchored, ticker, () => this.#price(parseTicker(ticker), 'oldest').table)
  }

  /** A raw series, which then counts as used. */
  readonly lookUp: SeriesLookup = (symbol) => {
    const table = this.#data.series.get(symbol)
    if (!table || table.timestamps.length === 0) return undefined
    this.#used.set(symbol, table)
    return table
  }

  /** Raw series that were used so far, for the fingerprint and the list of sources. */
  get used(): ReadonlyMap<string, SeriesTable> {
    return this.#used
  }

  /** Leveraged tickers that were priced although no interest rate was at hand. */
  get withoutRate(): readonly string[] {
    return [...this.#withoutRate]
  }

  /** Tickers of whose fallbacks there was not a single price. */
  get withoutFallback(): readonly string[] {
    return [...this.#withoutFallback]
  }

  /**
   * What stood in for a ticker before it had prices, by the ticker as it is written, for every series that was used so
   * far.
   */
  get standIns(): ReadonlyMap<string, readonly StandIn[]> {
    return this.#standIns
  }

  #price(ticker: Ticker, kept: KeptLevel): PricedSeries {
    const priced = this.#withFallback(ticker, kept, this.#settings.reinvestDividends)
    if (priced.standIns && priced.standIns.length > 0) this.#standIns.set(formatTicker(ticker), priced.standIns)
    return priced
  }

  /** The parameters of a ticker act on its whole history, that of its fallback included. */
  #withFallback(ticker: Ticker, kept: KeptLevel, reinvests: boolean): PricedSeries {
    // A leveraged fund holds what its index pays, so leverage always works on total returns.
    const adjustment: Adjustment = reinvests || ticker.leverage ? 'total-return' : 'split'
    const { fallback } = ticker
    if (!fallback) return this.#levered(this.#own(ticker, kept, adjustment), ticker)
    const before = this.#fallbackSeries(fallback, kept, adjustment)
    // Rows that were not known yet leave an empty series behind; one that was never there is refused.
    if (this.#data.series.get(ticker.symbol)?.timestamps.length === 0 && before) {
      const standIns = standInsBefore(before, fallback, Number.POSITIVE_INFINITY)
      return { ...this.#levered(before, ticker), standIns }
    }
    const own = this.#own(ticker, kept, adjustment)
    if (!before) {
      this.#withoutFallback.add(formatTicker(ticker))
      return this.#levered(own, ticker)
    }
    const { fallbackRows, ...spliced } = spliceBefore(own, before, kept)
    if (fallbackRows === 0) return this.#levered(own, ticker)
    const standIns = standInsBefore(before, fallback, spliced.table.timestamps[fallbackRows - 1]!)
    return { ...this.#levered(spliced, ticker), standIns }
  }

  /** Undefined where there is not a single price of it, nor of its own fallbacks. */
  #fallbackSeries(fallback: Ticker, kept: KeptLevel, adjustment: Adjustment): PricedSeries | undefined {
    const { symbol } = fallback
    if (symbol === TBILLX) return this.#levered(this.#billSeries(this.#sessionsOfRates()), fallback)
    if (this.lookUp(symbol)) return this.#withFallback(fallback, kept, adjustment === 'total-return')
    return fallback.fallback && this.#fallbackSeries(fallback.fallback, kept, adjustment)
  }

  #own(ticker: Ticker, kept: KeptLevel, adjustment: Adjustment): PricedSeries {
    if (ticker.symbol === CASHX) return { table: this.#synthetic(CASHX, cashSeries(this.#stamps())), dividends: [] }
    if (ticker.symbol === TBILLX) return this.#billSeries(this.#stamps())
    const { from, to } = this.#settings
    const raw = this.lookUp(ticker.symbol)
    if (!raw) throw noDataFor(ticker.symbol, from, to)
    if (ticker.maturityYears !== undefined) return this.#bond(raw, ticker, ticker.maturityYears)
    if (isObservation(raw.type) || isValueSeries(raw)) return { table: raw, dividends: [] }
    const adjust = kept === 'newest' ? adjustPrices : adjustFromFirst
    const { columns, dividends } = adjust(raw, actionsFor(this.#data, raw), adjustment)
    return { table: { ...raw, columns }, dividends }
  }

  /** On the exchange's sessions: the yield of a day is what bonds were traded at on that day. */
  #bond(raw: SeriesTable, ticker: Ticker, maturityYears: number): PricedSeries {
    const { granularity } = this.#settings
    if (granularity !== '1d' || inferFrequency(raw.timestamps) !== 'daily') throw noDailyYield(raw.ticker)
    const [first, last] = [raw.timestamps[0]!, raw.timestamps.at(-1)!].map(epochDayOf)
    const timestamps = Float64Array.from(nyse.sessionsBetween(first!, last! + 1), dayStamp)
    const yields = valuesInForce(raw.timestamps, raw.columns[observationCategory]!, timestamps)
    const start = yields.findIndex((value) => !Number.isNaN(value))
    const shown = start < 0 ? timestamps.length : start
    const close = bondSeries(timestamps.subarray(shown), yields.subarray(shown), maturityYears)
    const { knownAt: _, ...rest } = raw
    return {
      table: { ...rest, type: heldKind(ticker), granularity, timestamps: timestamps.slice(shown), columns: { close } },
      dividends: [],
    }
  }

  #levered(series: PricedSeries, ticker: Ticker): PricedSeries {
    const { leverage } = ticker
    if (!leverage) return series
    const { table } = series
    const { pct, symbol } = ratesAt(this.lookUp, BORROWING_RATES, table.timestamps)
    if (symbol === undefined) this.#withoutRate.add(formatTicker(ticker))
    return { table: { ...table, ...leverBars(table, leverage, pct) }, dividends: [] }
  }

  #billSeries(stamps: Float64Array): PricedSeries {
    const rates = ratesAt(this.lookUp, BILL_RATES, stamps)
    if (rates.symbol === undefined) throw noBillRate()
    return { table: this.#synthetic(TBILLX, treasuryBillSeries(stamps, rates.pct), stamps), dividends: [] }
  }

  /** Bills that stand in for a fund go back as far as their rate, not as far as the fund. */
  #sessionsOfRates(): Float64Array {
    const { granularity, to } = this.#settings
    const starts = BILL_RATES.flatMap((symbol) => this.lookUp(symbol)?.timestamps[0] ?? [])
    if (starts.length === 0) throw noBillRate()
    if (granularity !== '1d') throw dailyOnly(TBILLX)
    return Float64Array.from(nyse.sessionsBetween(epochDayOf(Math.min(...starts)), to + 1), dayStamp)
  }

  #synthetic(ticker: typeof CASHX | typeof TBILLX, close: Float64Array, timestamps = this.#stamps()): SeriesTable {
    return {
      ticker,
      granularity: this.#settings.granularity,
      type: ticker === CASHX ? 'cash' : 'treasury_bill',
      currency: 'USD',
      timestamps,
      columns: { close },
      sources: [],
    }
  }

  /** Cash has a value whenever anything else may have one: every bar that other series of the run have. */
  #stamps(): Float64Array {
    this.#cashStamps ??= this.#findStamps()
    return this.#cashStamps
  }

  #findStamps(): Float64Array {
    const { granularity, to } = this.#settings
    const others = [...this.#data.series.values()].filter(
      (table) => table.granularity === granularity && !isObservation(table.type),
    )
    if (others.length > 0) return unionOf(others.map(({ timestamps }) => timestamps))
    const sessions = [...nyse.sessionsBetween(firstPricedDay(this.#settings), to + 1)]
    if (granularity === '1d') return Float64Array.from(sessions, dayStamp)
    return Float64Array.from(sessions.flatMap((day) => Array.from(barStamps(nyse, day, granularity))))
  }
}

const noBillRate = (): Problem =>
  new Problem(
    'invalid',
    'backtest.no-bill-rate',
    `${TBILLX} needs a T-bill rate (TB3MS or DTB3), and there is none for the period. Collect or import one, or use ${CASHX}.`,
  )

const noDailyYield = (symbol: string): Problem =>
  new Problem(
    'invalid',
    'backtest.no-daily-yield',
    `A bond is built from daily yields, on daily bars: ${symbol} has none, or the bars are shorter. DGS10 has them.`,
  )

const dailyOnly = (ticker: string): Problem =>
  new Problem('invalid', 'backtest.fallback', `${ticker} can stand in for other tickers on daily bars only.`)

function remember<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const made = make()
  values.set(key, made)
  return made
}

/** All stamps of some ascending columns, each once. Series of one market mostly share all of them. */
function unionOf(columns: readonly Float64Array[]): Float64Array {
  return columns.reduce((all, column) => (isSame(all, column) ? all : merge(all, column)))
}

const isSame = (a: Float64Array, b: Float64Array): boolean =>
  a === b || (a.length === b.length && a.every((stamp, row) => stamp === b[row]))

function merge(a: Float64Array, b: Float64Array): Float64Array {
  const merged = new Float64Array(a.length + b.length)
  let count = 0
  for (let i = 0, k = 0; i < a.length || k < b.length;) {
    const next = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[k] ?? Number.POSITIVE_INFINITY)
    merged[count++] = next
    if (a[i] === next) i++
    if (b[k] === next) k++
  }
  return merged.slice(0, count)
}

/** The instant after which nothing counts for the range. */
export const endOf = ({ to }: BacktestSettings): number => dayStamp(to) + DAY
