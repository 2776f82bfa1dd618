import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { CASHX, isObservation, TBILLX } from '@tradewright/core/ticker-kind'
import { dayStamp, type EpochDay, epochDayOf, formatDate } from '@tradewright/core/time'
import { asOf, coarsestOf, frequencyOf, pricesOf, simulationCalendar } from '../market/align.ts'
import { barKnownAt, calendarOf, type TradingCalendar, nyse, crypto } from '../market/trading-calendar.ts'
import { rowsInRange } from '../market/layers/rows.ts'
import type { SeriesTable } from '../market/series.ts'
import { periodsPerYear } from '../market/known-at.ts'
import type { PriceTable } from '../trading/price-table.ts'
import { dividendColumn } from './dividend-column.ts'
import { type Continuation, continueEnded } from './ended-tickers.ts'
import { noDataFor } from './market-data.ts'
import { listed } from './provenance.ts'
import { impactRates } from './market-impact.ts'
import { endOf, type PricedSeries, type SeriesSet } from './priced-series.ts'
import { type BacktestSettings, firstPricedDay, stopOf } from './request.ts'
import { gather, rowsAt } from './rows-on-bars.ts'

/** The bars of a run and what is known about them. */
export interface SimulationTable {
  readonly prices: PriceTable
  /** When the decision of each bar is made. */
  readonly decisionAt: Float64Array
  readonly calendar: TradingCalendar
  readonly barsPerYear: number
  /** The session after the last bar: it decides whether a period has ended. */
  readonly sessionAfter: EpochDay
  /** Whose first price made the run begin when it does; undefined for cash alone. */
  readonly limitingTicker: string | undefined
  /** Tickers that ended and are carried on. */
  readonly continuations: readonly Continuation[]
  /** Sentences about prices that are weeks or months apart. */
  readonly notes: readonly string[]
}

/** Prices of the traded tickers on the bars at which all of them have one. */
export function simulationTable(
  seriesSet: SeriesSet,
  tickers: readonly string[],
  settings: BacktestSettings,
): SimulationTable {
  const { series: traded, continuations } = tradedSeries(seriesSet, tickers, settings)
  const range = { from: dayStamp(settings.from), to: endOf(settings) }
  const asked = traded.map(({ table }, i) => inRange(table, tickers[i]!, range, settings))
  refuseMixedCurrencies(asked)
  const calendar = calendarOfTables(asked)
  const askedBars = asked.length === 0 ? sessionsOf(seriesSet, calendar, settings) : simulationCalendar(asked)
  const isEarlier = settings.includeFirstReturn && asked.length > 0
  const tables = isEarlier ? traded.map(({ table }, i) => withDaysBefore(table, tickers[i]!, settings)) : asked
  const bars = isEarlier ? fromCloseBefore(simulationCalendar(tables), askedBars) : askedBars
  const days = Int32Array.from(bars.timestamps, epochDayOf)
  const hasStop = stopOf(settings) !== undefined
  const prices = priceTable(tickers, tables, traded, bars, days, hasStop)
  const { impactFactor = 0 } = settings
  const impact =
    impactFactor > 0
      ? prices.close.map((close, i) => impactRates(seriesSet.lookUp, tickers[i]!, close, bars.timestamps, impactFactor))
      : undefined
  return {
    prices: impact ? { ...prices, impact } : prices,
    decisionAt: bars.decisionAt,
    calendar,
    barsPerYear: periodsPerYear(calendar, settings.granularity, days),
    sessionAfter: calendar.nextSession(days.at(-1)!),
    limitingTicker: bars.limitingTicker,
    continuations,
    notes: [...frequencyNotes(asked), ...volumeNote(tickers, impact)],
  }
}

/** What a reader of yearly figures should know of prices that are weeks or months apart. */
function frequencyNotes(tables: readonly SeriesTable[]): string[] {
  const groups = Map.groupBy(pricesOf(tables), frequencyOf)
  const coarsest = coarsestOf([...groups.keys()])
  if (coarsest === undefined || coarsest === 'daily') return []
  const named = (some: readonly SeriesTable[]) => listed(some.map(({ ticker }) => ticker))
  const few = groups.get(coarsest)!
  const finer = [...groups].flatMap(([frequency, some]) => (frequency === coarsest ? [] : some))
  const verb = few.length === 1 ? 'has' : 'have'
  return [
    `${named(few)} ${verb} ${coarsest} prices: ` +
      (finer.length > 0
        ? `${named(finer)} ${finer.length === 1 ? 'is' : 'are'} priced at the last close before each of them, and trades happen there alone.`
        : 'trades happen there alone, and yearly figures count as many bars a year.'),
  ]
}

function volumeNote(tickers: readonly string[], impact: readonly Column[] | undefined): string[] {
  const without = tickers.filter(
    (ticker, i) => impact?.[i]!.every(Number.isNaN) && ticker !== CASHX && ticker !== TBILLX,
  )
  if (without.length === 0) return []
  return [
    `No volume of ${listed(without)} is known: trades of ${without.length === 1 ? 'it' : 'these'} pay no market impact.`,
  ]
}

/** Amounts of two currencies cannot be added, and no rate of exchange is known for every bar. */
function refuseMixedCurrencies(tables: readonly SeriesTable[]): void {
  const mixture = tables.find(({ currency }) => currency.includes(' and '))
  if (mixture) {
    throw new Problem(
      'invalid',
      'backtest.currencies',
      `The stored prices of ${mixture.ticker} are partly in ${mixture.currency}. Import those of one currency under a name of their own.`,
    )
  }
  const priced = tables.filter(({ type }) => !isObservation(type) && type !== 'cash' && type !== 'treasury_bill')
  const groups = [...Map.groupBy(priced, ({ currency }) => currency)]
  if (groups.length < 2) return
  const told = groups.map(([currency, group]) => `${currency} (${group.map(({ ticker }) => ticker).join(', ')})`)
  throw new Problem(
    'invalid',
    'backtest.currencies',
    `The prices are in different currencies: ${told.join(' and ')}. They are not converted, so that one run needs one currency.`,
  )
}

/** Each ticker as it is traded, those that ended carried on as the settings say. */
function tradedSeries(seriesSet: SeriesSet, tickers: readonly string[], settings: BacktestSettings) {
  const traded = tickers.map((ticker) => ({ ticker, ...seriesSet.priced(ticker) }))
  const { endedTicker, replacementTicker } = settings
  const replacement =
    endedTicker === 'replace' && replacementTicker !== undefined ? seriesSet.priced(replacementTicker) : undefined
  return continueEnded(traded, replacement, settings, settings.to)
}

function inRange(
  table: SeriesTable,
  ticker: string,
  range: { from: number; to: number },
  { from, to }: BacktestSettings,
): SeriesTable {
  const rows = rowsInRange(table, range)
  if (rows.timestamps.length === 0) throw noDataFor(ticker, from, to)
  return { ...rows, ticker }
}

const withDaysBefore = (table: SeriesTable, ticker: string, settings: BacktestSettings): SeriesTable => ({
  ...rowsInRange(table, { from: dayStamp(firstPricedDay(settings)), to: endOf(settings) }),
  ticker,
})

/** The bars that were asked for, and the one before them where all tickers have a price at it. */
function fromCloseBefore(all: Bars, asked: Bars): Bars {
  const first = Math.max(0, all.timestamps.indexOf(asked.timestamps[0]!) - 1)
  return {
    timestamps: all.timestamps.subarray(first),
    decisionAt: all.decisionAt.subarray(first),
    limitingTicker: asked.limitingTicker,
  }
}

/** Around the clock only when everything traded is; a stock makes the exchange's calendar. */
function calendarOfTables(tables: readonly SeriesTable[]): TradingCalendar {
  const calendars = tables.map(({ type }) => calendarOf(type)).filter((calendar) => calendar !== undefined)
  return calendars.length > 0 && calendars.every(({ id }) => id === 'crypto') ? crypto : nyse
}

/** Cash alone follows the exchange. */
function sessionsOf(seriesSet: SeriesSet, calendar: TradingCalendar, settings: BacktestSettings): Bars {
  const { table } = seriesSet.priced('CASHX')
  const timestamps = rowsInRange(table, { from: dayStamp(settings.from), to: endOf(settings) }).timestamps
  if (timestamps.length === 0) {
    throw new Problem(
      'invalid',
      'backtest.no-data',
      `There is no session between ${formatDate(settings.from)} and ${formatDate(settings.to)}.`,
    )
  }
  const decisionAt = timestamps.map((stamp) => barKnownAt(calendar, stamp, settings.granularity))
  return { timestamps, decisionAt, limitingTicker: undefined }
}

interface Bars {
  readonly timestamps: Float64Array
  readonly decisionAt: Float64Array
  readonly limitingTicker: string | undefined
}

function priceTable(
  tickers: readonly string[],
  tables: readonly SeriesTable[],
  traded: readonly PricedSeries[],
  { timestamps, decisionAt }: Bars,
  days: Int32Array,
  hasStop: boolean,
): PriceTable {
  const onBars = tables.map((table) => columnsOnBars(table, timestamps, decisionAt))
  return {
    tickers,
    timestamps,
    days,
    open: onBars.map(({ open }) => open),
    close: onBars.map(({ close }) => close),
    ...(hasStop && { low: onBars.map(({ low }) => low), high: onBars.map(({ high }) => high) }),
    dividends: traded.map(({ dividends }) => dividendColumn(dividends, days)),
  }
}

/** Where a ticker has no bar of its own at a stamp (a coin within the exchange's day), its last known price counts. */
function columnsOnBars(table: SeriesTable, timestamps: Float64Array, decisionAt: Float64Array) {
  const close = mainColumn(table)
  const rows = rowsAt(table.timestamps, timestamps)
  const { open, low, high } = table.columns
  if (!rows.includes(-1)) {
    return { close: gather(close, rows), open: gather(open, rows), low: gather(low, rows), high: gather(high, rows) }
  }
  const unknown = new Float64Array(timestamps.length).fill(Number.NaN)
  return { close: asOf(table, close, decisionAt), open: unknown, low: unknown, high: unknown }
}

const mainColumn = ({ columns }: SeriesTable): Column => columns['close'] ?? columns['value']!
