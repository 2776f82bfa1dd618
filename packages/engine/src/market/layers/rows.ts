import { lowerBound } from '@tradewright/core/column'
import {
  type TimeRange,
  civilDate,
  dayStamp,
  epochDayOf,
  HOUR,
  SECOND,
  formatDate,
  type UtcMillis,
  DAY,
} from '@tradewright/core/time'
import { type Category, signOf } from '@tradewright/core/category'
import { type TickerKind, isObservation, mainCategory } from '@tradewright/core/ticker-kind'
import { Problem } from '@tradewright/core/problem'
import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import type { CategoryColumns, SeriesBlock } from '../series.ts'
import { daylightSavingDays, type TradingCalendar } from '../trading-calendar.ts'

export type RefusalReason =
  | 'not-a-number'
  | 'zero-or-negative'
  | 'negative'
  | 'time-runs-backwards'
  | 'duplicate-timestamp'
  | 'bar-contradicts-itself'

/** A row that cannot be true, with all that is needed to complain about it. */
export interface RefusedRow {
  readonly provider: string
  readonly ticker: string
  /** Counted from 0 in the block as it was offered. */
  readonly row: number
  readonly timestamp: UtcMillis
  readonly reason: RefusalReason
  readonly category?: Category
  readonly value?: number
}

/** The part of a block or table that is rows, in either of them. */
export interface Rows {
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
  readonly knownAt?: Float64Array
}

const mapColumns = (columns: CategoryColumns, change: (column: Float64Array) => Float64Array): CategoryColumns =>
  Object.fromEntries(Object.entries(columns).map(([category, column]) => [category, change(column)]))

/** The rows of the given indices, in that order. */
export function takeRows<R extends Rows>(rows: R, indices: ArrayLike<number>): R {
  const take = (column: Float64Array) => {
    const taken = new Float64Array(indices.length)
    for (let i = 0; i < taken.length; i++) taken[i] = column[indices[i]!]!
    return taken
  }
  return withRows(rows, take)
}

/** Rows `from` to `to`, half-open, sharing memory with the original. */
export const sliceRows = <R extends Rows>(rows: R, from: number, to: number): R =>
  withRows(rows, (column) => column.subarray(from, to))

/** The rows whose stamps lie in the range; the stamps must ascend. */
export const rowsInRange = <R extends Rows>(rows: R, { from, to }: TimeRange): R =>
  sliceRows(rows, lowerBound(rows.timestamps, from), lowerBound(rows.timestamps, to))

function withRows<R extends Rows>(rows: R, change: (column: Float64Array) => Float64Array): R {
  return {
    ...rows,
    timestamps: change(rows.timestamps),
    columns: mapColumns(rows.columns, change),
    ...(rows.knownAt ? { knownAt: change(rows.knownAt) } : {}),
  }
}

/** Records are values, so NaN cells do not count. */
export function recordCount(rows: Rows): number {
  let count = 0
  for (const column of Object.values(rows.columns)) for (const value of column) if (!Number.isNaN(value)) count++
  return count
}

/** The same block with only the named categories, as far as it has them. */
export function pickCategories(block: SeriesBlock, categories: readonly string[]): SeriesBlock {
  const kept = Object.entries(block.columns).filter(([category]) => categories.includes(category))
  return { ...block, columns: Object.fromEntries(kept) }
}

/** Turns a provider's instant into our stamp of the row. */
export type StampRule = (instant: UtcMillis) => UtcMillis

/** Intraday rows: the opening instant is our stamp already. */
export const stampAsInstant: StampRule = (instant) => instant

/** Daily rows of coins, and observations that come with a plain date. */
export const stampAsUtcDay: StampRule = (instant) => dayStamp(epochDayOf(instant))

/** Daily rows whose provider tells the exchange's offset from UTC, as Yahoo's gmtoffset does. */
export const stampAtOffset =
  (offsetSeconds: number): StampRule =>
  (instant) =>
    dayStamp(epochDayOf(instant + offsetSeconds * SECOND))

/** Daily rows stamped with some instant of the New York day, such as its midnight or the opening. */
export const stampAsNewYorkDay: StampRule = (instant) => {
  const standardDay = epochDayOf(instant - 5 * HOUR)
  const { from, to } = daylightSavingDays(civilDate(standardDay).year)
  const isDaylightSaving = standardDay >= from && standardDay < to
  return dayStamp(epochDayOf(instant - (isDaylightSaving ? 4 : 5) * HOUR))
}

/** How one provider's words become ours. */
export interface NormalisationRules {
  /** Our symbol for the series. */
  readonly ticker: string
  readonly type: TickerKind
  /** The provider's field to our category; fields that are not named stay in bronze. */
  readonly categories: Readonly<Record<string, Category>>
  /** Factors to our units by category, such as 0.01 for a percent that we keep as a fraction. */
  readonly scale?: Readonly<Record<Category, number>>
  readonly stamp: StampRule
  /** Rows outside it are dropped: some providers send more than they were asked for. */
  readonly range: TimeRange
  /** Bars that open at or after this are still forming, and dropped. */
  readonly unfinishedFrom?: UtcMillis
  /** Coinbase sends the newest row first. */
  readonly newestFirst?: boolean
}

interface Normalised {
  readonly silver: SeriesBlock
  readonly refused: readonly RefusedRow[]
  /** Rows left out without blame: wholly empty, outside the range, or unfinished. */
  readonly dropped: number
}

/** Bronze to silver: our ticker, stamps and categories, ascending, with impossible rows named and left behind. */
export function normalise(bronze: SeriesBlock, rules: NormalisationRules): Normalised {
  const renamed = renameFields(bronze, rules)
  const kept = rowsToKeep(renamed, rules)
  const { accepted, refused } = refuseImpossibleRows(takeRows(renamed, kept))
  // Rows are named as they came, so that the complaint can be checked against bronze.
  const asSent = (refusal: RefusedRow): RefusedRow => ({ ...refusal, row: kept[refusal.row]! })
  return { silver: accepted, refused: refused.map(asSent), dropped: bronze.timestamps.length - kept.length }
}

function renameFields(
  bronze: SeriesBlock,
  { ticker, type, categories, scale, stamp }: NormalisationRules,
): SeriesBlock {
  const columns = Object.entries(categories).flatMap(([field, category]) => {
    const column = bronze.columns[field]
    const factor = scale?.[category]
    if (!column) return []
    return [[category, factor === undefined ? column : column.map((value) => value * factor)] as const]
  })
  return { ...bronze, ticker, type, timestamps: bronze.timestamps.map(stamp), columns: Object.fromEntries(columns) }
}

function rowsToKeep(block: SeriesBlock, { range, unfinishedFrom, newestFirst }: NormalisationRules): Int32Array {
  const { timestamps } = block
  const columns = Object.values(block.columns)
  const end = Math.min(range.to, unfinishedFrom ?? range.to)
  const kept = new Int32Array(timestamps.length)
  let count = 0
  for (let row = 0; row < timestamps.length; row++) {
    const stamp = timestamps[row]!
    // A stamp that is no number is kept here, to be refused by name.
    const isOutside = stamp < range.from || stamp >= end
    if (!isOutside && columns.some((column) => !Number.isNaN(column[row]!))) kept[count++] = row
  }
  const rows = kept.subarray(0, count)
  return newestFirst ? rows.toReversed() : rows
}

/** The user's own upload takes precedence over any provider: it was put there on purpose. */
export const UPLOADED = 'csv'

/** Where a custom provider stands: after the built-in real ones, before made-up data. */
const CUSTOM = '*'

const order = (...providers: string[]): readonly string[] => [UPLOADED, ...providers, CUSTOM]

/** Yahoo before Alpaca, whose free feed sees a few percent of the volume. Coinbase before both for coins. */
const PRICES = order('yahoo', 'alpaca')
const COINS = order('coinbase', 'yahoo', 'alpaca')
const DERIVATIVES = order('coinalyze')
const ECONOMY = order('fred')

/** Whose value becomes gold, best first; providers that are not named share the place of `*`. */
export function providerPrecedence(kind: TickerKind): readonly string[] {
  if (kind === 'crypto') return COINS
  if (kind === 'economic') return ECONOMY
  return isObservation(kind) ? DERIVATIVES : PRICES
}

/** Sorts by precedence; among equals by name, so that the result never depends on who came first. */
export function byPrecedence(precedence: readonly string[]): (a: string, b: string) => number {
  const rank = (provider: string) => {
    const place = precedence.indexOf(provider)
    return place === -1 ? precedence.indexOf(CUSTOM) : place
  }
  return (a, b) => rank(a) - rank(b) || (a < b ? -1 : Number(a > b))
}

const PRICE_CATEGORIES: ReadonlySet<Category> = new Set(['price', 'open', 'high', 'low', 'close'])

type Fault = Pick<RefusedRow, 'reason' | 'category' | 'value'>

/** A bar at float32 precision may have its high a hair below its low. */
const PRICE_TOLERANCE = 1e-6

/** A share whose last prices are zero is worthless once they are this old: a newer zero may be a row that was cut short. */
const FINAL_AFTER_DAYS = 14

/**
 * Rows that cannot be true: a price that is no number, zero or negative, a high below the low, a stamp that repeats or
 * runs backwards. Futures may cost less than nothing, and a share nothing at its end. A cell that is NaN beside a good
 * main value is a gap, which is normal. Stops after `limit` of them.
 */
export const findImpossibleRows = (block: SeriesBlock, limit = Number.POSITIVE_INFINITY): RefusedRow[] =>
  impossibleRows(block, limit, finalZeros(block))

/** `zeroFrom`: the row from which on prices may be zero. */
function impossibleRows(block: SeriesBlock, limit: number, zeroFrom: number): RefusedRow[] {
  const refused: RefusedRow[] = []
  const findFault = rowCheck(block, zeroFrom)
  let newest = Number.NEGATIVE_INFINITY
  for (let row = 0; row < block.timestamps.length && refused.length < limit; row++) {
    const timestamp = block.timestamps[row]!
    const fault = stampFault(timestamp, newest) ?? findFault(row)
    if (fault) refused.push({ provider: block.provider, ticker: block.ticker, row, timestamp, ...fault })
    else newest = timestamp
  }
  return refused
}

function stampFault(timestamp: number, newest: number): Fault | undefined {
  if (!Number.isFinite(timestamp)) return { reason: 'not-a-number' }
  if (timestamp > newest) return undefined
  return { reason: timestamp === newest ? 'duplicate-timestamp' : 'time-runs-backwards' }
}

/** The first of the rows at the end of a block that say a share is worth nothing; their number where there are none. */
function finalZeros({ columns, timestamps, collectedAt }: SeriesBlock): number {
  const close = columns['close'] ?? columns['price']
  const rows = timestamps.length
  if (!close || !(timestamps[rows - 1]! < collectedAt - FINAL_AFTER_DAYS * DAY)) return rows
  return close.findLastIndex((price) => price !== 0) + 1
}

function rowCheck({ type, columns }: SeriesBlock, zeroFrom: number): (row: number) => Fault | undefined {
  const main = mainCategory(type)
  const checks = Object.entries(columns).map(([category, column]) => ({
    category,
    column,
    fault: valueFault(category, category === main),
    mayBeZero: PRICE_CATEGORIES.has(category),
    mayBeNegative: PRICE_CATEGORIES.has(category) && type === 'future',
  }))
  const { high, low } = columns
  return (row) => {
    let hasValue = false
    for (const { category, column, fault, mayBeZero, mayBeNegative } of checks) {
      const value = column[row]!
      const isReal = (mayBeNegative && value <= 0) || (mayBeZero && value === 0 && row >= zeroFrom)
      const reason = isReal && Number.isFinite(value) ? undefined : fault(value)
      if (reason) return { reason, category, value }
      hasValue ||= !Number.isNaN(value)
    }
    if (!hasValue) return { reason: 'not-a-number' }
    if (high && low && high[row]! < low[row]! - PRICE_TOLERANCE * Math.abs(low[row]!)) {
      return { reason: 'bar-contradicts-itself', category: 'high', value: high[row]! }
    }
    return undefined
  }
}

function valueFault(category: Category, isRequired: boolean): (value: number) => RefusalReason | undefined {
  const sign = signOf(category)
  return (value) => {
    if (Number.isNaN(value)) return isRequired ? 'not-a-number' : undefined
    if (!Number.isFinite(value)) return 'not-a-number'
    if (sign === 'positive' && value <= 0) return 'zero-or-negative'
    return sign === 'not-negative' && value < 0 ? 'negative' : undefined
  }
}

/** Lets the possible rows in and names the others. */
export function refuseImpossibleRows(block: SeriesBlock): { accepted: SeriesBlock; refused: RefusedRow[] } {
  const refused = findImpossibleRows(block)
  if (refused.length === 0) return { accepted: block, refused }
  const bad = new Set(refused.map(({ row }) => row))
  const good: number[] = []
  for (let row = 0; row < block.timestamps.length; row++) if (!bad.has(row)) good.push(row)
  return { accepted: takeRows(block, good), refused }
}

/** Validation before the store: data that should have been cleaned before is refused as a whole. */
export function assertPossible(block: SeriesBlock): void {
  // A store gets parts of a series: whether a zero is its last price was decided when the rows came in.
  const [first] = impossibleRows(block, 1, 0)
  if (first) throw new Problem('invalid', 'market.impossible-data', describeRefusal(first))
}

const SENTENCES = {
  'not-a-number': 'is not a number',
  'zero-or-negative': 'is zero or negative',
  negative: 'is negative',
  'time-runs-backwards': 'runs backwards in time',
  'duplicate-timestamp': 'repeats the timestamp before it',
  'bar-contradicts-itself': 'is below the low of the same bar',
} as const satisfies Record<RefusalReason, string>

/** Refused rows of one ticker as one provider sent them: how many, and the first few. */
export interface LeftOut {
  readonly provider: string
  readonly ticker: string
  readonly count: number
  readonly first: readonly RefusedRow[]
}

const SHOWN_ROWS = 3

/** `known` with more of them, by provider and ticker. */
export function addLeftOut(known: readonly LeftOut[], rows: readonly RefusedRow[]): readonly LeftOut[] {
  const all = new Map(known.map((one) => [`${one.provider} ${one.ticker}`, one]))
  for (const [key, group] of Map.groupBy(rows, ({ provider, ticker }) => `${provider} ${ticker}`)) {
    const { provider, ticker } = group[0]!
    const { count = 0, first = [] } = all.get(key) ?? {}
    const shown = [...first, ...group.slice(0, SHOWN_ROWS)].slice(0, SHOWN_ROWS)
    all.set(key, { provider, ticker, count: count + group.length, first: shown })
  }
  return [...all.values()]
}

/** `Yahoo Finance sent 2 rows of SPY that cannot be true, which are left out: 2024-01-03 repeats the timestamp before it.` */
export function leftOutSentence({ ticker, count, first }: LeftOut, provider: string): string {
  const rows = first.map((row) => {
    const { timestamp } = row
    return `${Number.isFinite(timestamp) ? formatDate(epochDayOf(timestamp)) : 'a row without a time'}${fault(row)}`
  })
  const more = count > first.length ? ', and others' : ''
  const many = count === 1 ? 'a row' : `${count.toLocaleString('en-US')} rows`
  return `${provider} sent ${many} of ${ticker} that cannot be true, which ${count === 1 ? 'is' : 'are'} left out: ${rows.join(', ')}${more}.`
}

/** ` close -3 is zero or negative` */
function fault({ category, value, reason }: RefusedRow): string {
  const what = category === undefined ? '' : ` ${category}${value === undefined ? '' : ` ${value}`}`
  return `${what} ${SENTENCES[reason]}`
}

export const describeRefusal = (refused: RefusedRow): string =>
  `Impossible data from ${refused.provider} for ${refused.ticker}, row ${refused.row}:${fault(refused)}.`

type Fold = (soFar: number, next: number) => number

const FIRST: Fold = (soFar) => soFar
const LAST: Fold = (_, next) => next
const SUM: Fold = (soFar, next) => soFar + next

const FOLDS: Readonly<Record<Category, Fold>> = { open: FIRST, high: Math.max, low: Math.min, volume: SUM }

/**
 * Finer bars to coarser ones, cut from the opening of each session: an hour of the exchange begins at half past.
 * A level such as a close or a funding rate keeps its last value; `flows` names further categories that add up.
 */
export function aggregateBars<R extends Rows>(
  fine: R,
  granularity: Granularity,
  calendar: TradingCalendar,
  flows: readonly Category[] = [],
): R {
  const starts = barStarts(fine.timestamps, granularity, calendar)
  const columns = Object.entries(fine.columns).map(([category, column]) => {
    const fold = flows.includes(category) ? SUM : (FOLDS[category] ?? LAST)
    return [category, foldColumn(column, starts.rows, fold)] as const
  })
  return { ...fine, timestamps: Float64Array.from(starts.stamps), columns: Object.fromEntries(columns) }
}

function barStarts(timestamps: Float64Array, granularity: Granularity, calendar: TradingCalendar) {
  const [rows, stamps]: [number[], UtcMillis[]] = [[], []]
  const stampOf = stampRule(granularity, calendar)
  timestamps.forEach((stamp, row) => {
    const bar = stampOf(stamp)
    if (bar === stamps.at(-1)) return
    rows.push(row)
    stamps.push(bar)
  })
  return { rows, stamps }
}

function stampRule(granularity: Granularity, calendar: TradingCalendar): (stamp: UtcMillis) => UtcMillis {
  if (granularity === '1d') return (stamp) => dayStamp(epochDayOf(stamp))
  const step = granularityMillis(granularity)
  return (stamp) => {
    const day = epochDayOf(stamp)
    const open = calendar.isSession(day) ? calendar.openOf(day) : dayStamp(day)
    return open + Math.floor((stamp - open) / step) * step
  }
}

function foldColumn(column: Float64Array, starts: readonly number[], fold: Fold): Float64Array {
  return Float64Array.from(starts, (start, bar) => {
    const end = starts[bar + 1] ?? column.length
    let value = column[start]!
    for (let row = start + 1; row < end; row++) value = fold(value, column[row]!)
    return value
  })
}
