import { Problem } from '@tradewright/core/problem'
import { formatTicker, parseTicker, type Ticker } from '@tradewright/core/ticker'
import { CASHX, isObservation, TBILLX } from '@tradewright/core/ticker-kind'
import { DAY, dayStamp } from '@tradewright/core/time'
import { adjustFromFirst, type Adjustment, adjustPrices } from '../market/adjust.ts'
import { barStamps } from '../market/calendar/bar-stamps.ts'
import { nyse } from '../market/calendar/nyse.ts'
import type { Dividend } from '../market/corporate-actions.ts'
import type { SeriesTable } from '../market/series.ts'
import { cashSeries, leverBars, treasuryBillSeries } from '../market/synthetic-series.ts'
import { BILL_RATES, BORROWING_RATES, ratesAt } from './interest-rates.ts'
import { actionsFor, type MarketData, noDataFor, type SeriesLookup } from './market-data.ts'
import { type BacktestSettings, firstPricedDay } from './request.ts'

/** A series ready to be traded or used by features. */
export interface PricedSeries {
  readonly table: SeriesTable
  /** Paid in cash, per share of the table's prices; empty where they are total returns. */
  readonly dividends: readonly Dividend[]
}

/** All series of one run, adjusted in one and the same way, each made once. */
export class SeriesSet {
  readonly #data: MarketData
  readonly #settings: BacktestSettings
  readonly #priced = new Map<string, PricedSeries>()
  readonly #anchored = new Map<string, SeriesTable>()
  readonly #used = new Map<string, SeriesTable>()
  readonly #withoutRate = new Set<string>()
  #cashStamps: Float64Array | undefined

  constructor(data: MarketData, settings: BacktestSettings) {
    this.#data = data
    this.#settings = settings
  }

  /** As it is traded: the newest price is the one that was paid. */
  priced(ticker: string): PricedSeries {
    return remember(this.#priced, ticker, () => this.#price(parseTicker(ticker), adjustPrices))
  }

  /**
   * As a feature sees it: the same returns, with the oldest price as the one that was paid. A later split or dividend
   * then changes no digit of an earlier value, neither in a longer backtest nor for a model that is already trading.
   */
  anchored(ticker: string): SeriesTable {
    return remember(this.#anchored, ticker, () => this.#price(parseTicker(ticker), adjustFromFirst).table)
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

  #price(ticker: Ticker, adjust: typeof adjustPrices): PricedSeries {
    if (ticker.symbol === CASHX) return { table: this.#synthetic(CASHX, cashSeries(this.#stamps())), dividends: [] }
    if (ticker.symbol === TBILLX) return this.#levered(this.#billSeries(), ticker)
    const { from, to, reinvestDividends } = this.#settings
    const raw = this.lookUp(ticker.symbol)
    if (!raw) throw noDataFor(ticker.symbol, from, to)
    if (isObservation(raw.type)) return { table: raw, dividends: [] }
    // A leveraged fund holds what its index pays, so leverage always works on total returns.
    const adjustment: Adjustment = reinvestDividends || ticker.leverage ? 'total-return' : 'split'
    const { columns, dividends } = adjust(raw, actionsFor(this.#data, raw), adjustment)
    return this.#levered({ table: { ...raw, columns }, dividends }, ticker)
  }

  #levered(series: PricedSeries, ticker: Ticker): PricedSeries {
    const { leverage } = ticker
    if (!leverage) return series
    const { table } = series
    const { pct, symbol } = ratesAt(this.lookUp, BORROWING_RATES, table.timestamps)
    if (symbol === undefined) this.#withoutRate.add(formatTicker(ticker))
    return { table: { ...table, ...leverBars(table, leverage, pct) }, dividends: [] }
  }

  #billSeries(): PricedSeries {
    const stamps = this.#stamps()
    const rates = ratesAt(this.lookUp, BILL_RATES, stamps)
    if (rates.symbol === undefined) throw noBillRate()
    return { table: this.#synthetic(TBILLX, treasuryBillSeries(stamps, rates.pct)), dividends: [] }
  }

  #synthetic(ticker: typeof CASHX | typeof TBILLX, close: Float64Array): SeriesTable {
    return {
      ticker,
      granularity: this.#settings.granularity,
      type: ticker === CASHX ? 'cash' : 'treasury_bill',
      currency: 'USD',
      timestamps: this.#stamps(),
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
