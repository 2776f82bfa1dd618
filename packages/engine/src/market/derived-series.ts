import { DAY, epochDayOf, type EpochDay, formatDate } from '@tradewright/core/time'
import type { Leverage } from '@tradewright/core/ticker'
import { type Column, lastAtOrBefore, lowerBound } from '@tradewright/core/column'
import { isIntraday } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import { type Frequency, inferFrequency, PERIODS_A_YEAR } from './known-at.ts'
import type { CategoryColumns, SeriesTable } from './series.ts'
import { asOf } from './align.ts'
import { barKnownAt, calendarOf } from './trading-calendar.ts'
import type { Dividend } from './corporate-actions.ts'

/** CASHX: a constant $100. */
export const cashSeries = (timestamps: Float64Array): Float64Array => new Float64Array(timestamps.length).fill(100)

/**
 * TBILLX: $100 that earn the 3-month Treasury bill, `ratePct` being the rate at each stamp in percent on the discount
 * basis of TB3MS and DTB3. It is turned into the bond-equivalent yield 365 d / (360 - 91 d) and accrues over calendar
 * days at the rate of the stamp before, with no power function, so it is the same on every machine.
 */
export function treasuryBillSeries(timestamps: Float64Array, ratePct: Float64Array): Float64Array {
  const values = new Float64Array(timestamps.length)
  let value = 100
  for (let row = 0; row < values.length; row++) {
    if (row > 0) {
      const discount = ratePct[row - 1]! / 100
      const yearly = (365 * discount) / (360 - 91 * discount)
      value *= 1 + (yearly * (timestamps[row]! - timestamps[row - 1]!)) / (365 * DAY)
    }
    values[row] = value
  }
  return values
}

const SESSIONS_PER_YEAR = 252
const BORROW_WEIGHT = 1.1
const SPREAD_PCT = 0.4
const EXPENSE_PCT_PER_POINT_ABOVE_ONE = 0.5
const EXPENSE_PCT_PER_POINT_BELOW_ZERO = 0.333

/**
 * The cost of a day of leverage as a fraction; negative where it earns. From one upwards money is borrowed: [SW (L - 1)
 * (rate + SP) + E] / 252. Below one the cash that is not invested, and of a short sale the proceeds, earn the rate,
 * while the position itself pays the spread: [|L| SP + E - (1 - L) rate] / 252.
 */
export function dailyLeverageCost(leverage: Leverage, ratePct: number): number {
  const { factor, expensePct, spreadPct = SPREAD_PCT, borrowWeight = BORROW_WEIGHT } = leverage
  const financingPct =
    factor >= 1
      ? borrowWeight * (factor - 1) * (ratePct + spreadPct)
      : Math.abs(factor) * spreadPct - (1 - factor) * ratePct
  return (financingPct + (expensePct ?? usualExpensePct(factor))) / 100 / SESSIONS_PER_YEAR
}

function usualExpensePct(factor: number): number {
  if (factor < 0) return -factor * EXPENSE_PCT_PER_POINT_BELOW_ZERO
  return Math.max(0, factor - 1) * EXPENSE_PCT_PER_POINT_ABOVE_ONE
}

interface LeveredBars {
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
}

const BAR_PRICES = ['open', 'high', 'low', 'close'] as const

/**
 * `TICKER?L=n`: r_L = max(-1, L r - cost), reset at the close of each session, so that the bars within a day are
 * measured from the close before it. Starts at the close of the underlying; what falls to zero stays there.
 * `ratePct` is the fed funds (or T-bill) rate of each row in percent. Columns without a price, such as volume, are kept.
 */
export function leverBars(
  { timestamps, columns }: LeveredBars,
  leverage: Leverage,
  ratePct: Float64Array,
): LeveredBars {
  const close = columns['close']
  if (!close) throw new Error('leverage needs closing prices')
  const names = BAR_PRICES.filter((name) => columns[name])
  const levered = new Map(names.map((name) => [name, columns[name]!.slice()]))
  const reset = resetRows(timestamps)
  // A bar of a month costs a month.
  const sessions = PERIODS_A_YEAR.daily / PERIODS_A_YEAR[frequencyOfBars(timestamps)]
  for (let row = 0; row < timestamps.length; row++) {
    const base = reset[row]!
    if (base < 0) continue
    const cost = sessions * dailyLeverageCost(leverage, ratePct[base]!)
    const start = levered.get('close')![base]!
    for (const name of names) {
      // A multiple of a price at or below zero is none; what has lost everything by then keeps its zero.
      const change = close[base]! > 0 ? columns[name]![row]! / close[base]! - 1 : start === 0 ? 0 : Number.NaN
      levered.get(name)![row] = start * (1 + Math.max(-1, leverage.factor * change - cost))
    }
  }
  return {
    timestamps,
    columns: { ...columns, ...Object.fromEntries(leverage.factor < 0 ? turnOver(levered) : levered) },
  }
}

/** A few bars have no usual distance. */
const frequencyOfBars = (timestamps: Float64Array): Frequency =>
  timestamps.length < 3 ? 'daily' : inferFrequency(timestamps)

/** For each row the last row of the session before it, -1 in the first session. */
function resetRows(timestamps: Float64Array): Int32Array {
  const reset = new Int32Array(timestamps.length).fill(-1)
  for (let row = 1; row < timestamps.length; row++) {
    const isNewDay = epochDayOf(timestamps[row]!) !== epochDayOf(timestamps[row - 1]!)
    reset[row] = isNewDay ? row - 1 : reset[row - 1]!
  }
  return reset
}

/** Short positions are highest where the underlying is lowest; the first session, which is not levered, is not either. */
function turnOver(levered: Map<string, Float64Array>): Map<string, Float64Array> {
  const [high, low] = [levered.get('high'), levered.get('low')]
  if (!high || !low) return levered
  return new Map(levered)
    .set(
      'high',
      high.map((price, row) => Math.max(price, low[row]!)),
    )
    .set(
      'low',
      low.map((price, row) => Math.min(price, high[row]!)),
    )
}

/**
 * $100 in a bond of constant maturity, made of its yield. At each stamp a par bond is bought whose coupon is the yield,
 * and sold at the next stamp: it has paid its coupon for the days between and is priced at the yield of that day, with
 * that much less time to run and two coupons a year. This is the approximation of Swinkels (2019, "Treasury bond return
 * data starting in 1962") for any distance of days. `yieldPct` is that of each stamp, in percent a year.
 */
export function bondSeries(timestamps: Float64Array, yieldPct: Column, maturityYears: number): Float64Array {
  const values = new Float64Array(timestamps.length)
  let value = 100
  for (let row = 0; row < values.length; row++) {
    if (row > 0) {
      const years = (timestamps[row]! - timestamps[row - 1]!) / (365 * DAY)
      const coupon = yieldPct[row - 1]! / 100
      value *= coupon * years + parBondPrice(coupon, yieldPct[row]! / 100, Math.max(0, maturityYears - years))
    }
    values[row] = value
  }
  return values
}

/** Clean price of a bond of 1 that pays its coupon twice a year. */
function parBondPrice(coupon: number, yearlyYield: number, years: number): number {
  if (yearlyYield === 0) return 1 + coupon * years
  const discount = (1 + yearlyYield / 2) ** (-2 * years)
  return (coupon / yearlyYield) * (1 - discount) + discount
}

/** The newest value at or before each stamp; NaN before the first. */
export function valuesInForce(known: Float64Array, values: Column, timestamps: Float64Array): Column {
  return timestamps.map((stamp) => {
    for (let row = lastAtOrBefore(known, stamp); row >= 0; row--) if (!Number.isNaN(values[row]!)) return values[row]!
    return Number.NaN
  })
}

/** Adjusted prices, and dividends that are paid in cash per share of them. */
interface Prices {
  readonly table: SeriesTable
  readonly dividends: readonly Dividend[]
}

/** Whose level stays: that of the newest price, as it is traded, or of the oldest one, as features see it. */
export type KeptLevel = 'newest' | 'oldest'

interface Spliced extends Prices {
  /** Rows of the fallback; 0 where it has none from before. */
  readonly fallbackRows: number
}

/** A fallback that has no price within these days of the first own one does not lead up to it. */
const MAX_JOIN_DAYS = 10

/**
 * The series with the rows of a fallback before its first price. They are joined by returns: the fallback is scaled so that
 * both have the same close at the first bar of which both have one, and that bar is the first own one. The return up to it
 * is therefore the fallback's, and no row depends on a later one but by its scale (none does where the oldest level is kept).
 */
export function spliceBefore(own: Prices, fallback: Prices, kept: KeptLevel): Spliced {
  const before = onSessionsOf(fallback.table, own.table)
  const join = joinOf(own.table, before)
  if (join === undefined || join.fallback === 0) return { ...own, fallbackRows: 0 }
  const ratio = closeOf(own.table)[join.own]! / closeOf(before)[join.fallback]!
  const [ownScale, scale] = kept === 'newest' ? [1, ratio] : [1 / ratio, 1]
  const joinDay = epochDayOf(own.table.timestamps[join.own]!)
  return {
    table: {
      ...own.table,
      timestamps: joined(before.timestamps.subarray(0, join.fallback), own.table.timestamps.subarray(join.own)),
      columns: joinedColumns(own.table, before, join, ownScale, scale),
      ...(own.table.knownAt && { knownAt: joined(noValues(join.fallback), own.table.knownAt.subarray(join.own)) }),
    },
    dividends: [
      ...scaledDividends(fallback.dividends, scale).filter(({ exDay }) => exDay <= joinDay),
      ...scaledDividends(own.dividends, ownScale).filter(({ exDay }) => exDay > joinDay),
    ],
    fallbackRows: join.fallback,
  }
}

interface Join {
  /** The first row of each side at the stamp of the join. */
  readonly own: number
  readonly fallback: number
}

/** Undefined where the fallback has no row from before. */
function joinOf(own: SeriesTable, before: SeriesTable): Join | undefined {
  const [ownClose, theirs] = [closeOf(own), closeOf(before)]
  const first = ownClose.findIndex((price) => !Number.isNaN(price))
  const start = own.timestamps[first]
  if (first < 0 || start === undefined || !(before.timestamps[0]! < start)) return undefined
  for (let row = first; row < own.timestamps.length; row++) {
    const stamp = own.timestamps[row]!
    if (stamp > start + MAX_JOIN_DAYS * DAY) break
    const other = lowerBound(before.timestamps, stamp)
    if (before.timestamps[other] !== stamp || !(theirs[other]! > 0) || !(ownClose[row]! > 0)) continue
    return { own: row, fallback: other }
  }
  throw doesNotLeadUp(own.ticker, before, epochDayOf(start))
}

const doesNotLeadUp = (ticker: string, fallback: SeriesTable, start: EpochDay): Problem =>
  new Problem(
    'invalid',
    'market.fallback',
    `${fallback.ticker} cannot stand in for ${ticker} before ${formatDate(start)}: it has no price from then, or within ` +
      `${MAX_JOIN_DAYS} days, that both could be joined at. Its last one is from ` +
      `${formatDate(epochDayOf(fallback.timestamps.at(-1)!))}.`,
  )

/**
 * The fallback on the sessions of the series it stands in for. A coin's day ends after the exchange has closed: at an
 * exchange's session its last price that was known by then counts.
 */
function onSessionsOf(fallback: SeriesTable, own: SeriesTable): SeriesTable {
  if (fallback.currency !== own.currency) throw otherCurrency(fallback, own)
  const [theirs, calendar] = [calendarOf(fallback.type), calendarOf(own.type)]
  if (!theirs || !calendar || theirs.id === calendar.id) return fallback
  if (isIntraday(own.granularity)) throw otherHours(fallback.ticker, own.ticker)
  const sessions = fallback.timestamps.filter((stamp) => calendar.isSession(epochDayOf(stamp)))
  const closedAt = sessions.map((stamp) => barKnownAt(calendar, stamp, own.granularity))
  const prices = asOf(fallback, closeOf(fallback), closedAt)
  // At its first session no price may be known yet.
  const first = Math.max(
    0,
    prices.findIndex((price) => !Number.isNaN(price)),
  )
  return { ...fallback, timestamps: sessions.subarray(first), columns: { close: prices.subarray(first) } }
}

const otherCurrency = (fallback: SeriesTable, own: SeriesTable): Problem =>
  new Problem(
    'invalid',
    'market.fallback',
    `${fallback.ticker} cannot stand in for ${own.ticker}: one is quoted in ${fallback.currency}, the other in ${own.currency}.`,
  )

const otherHours = (fallback: string, ticker: string): Problem =>
  new Problem(
    'invalid',
    'market.fallback',
    `${fallback} cannot stand in for ${ticker} within the day, since they trade at different hours. Use daily bars.`,
  )

const PRICES: ReadonlySet<string> = new Set(['open', 'high', 'low', 'close', 'price'])

/** Volume and whatever else is no price is the series' own: it has none before. */
function joinedColumns(own: SeriesTable, before: SeriesTable, join: Join, ownScale: number, scale: number) {
  const entries = Object.entries(own.columns).map(([name, column]) => {
    const isPrice = PRICES.has(name)
    const theirs = isPrice ? before.columns[name]?.subarray(0, join.fallback) : undefined
    const later = column.subarray(join.own)
    return [
      name,
      joined(
        theirs?.map((price) => price * scale) ?? noValues(join.fallback),
        isPrice ? later.map((price) => price * ownScale) : later,
      ),
    ] as const
  })
  return Object.fromEntries(entries)
}

const scaledDividends = (dividends: readonly Dividend[], scale: number): Dividend[] =>
  dividends.map(({ exDay, amount }) => ({ exDay, amount: amount * scale }))

const noValues = (rows: number): Float64Array => new Float64Array(rows).fill(Number.NaN)

function joined(first: Float64Array, second: Float64Array): Float64Array {
  const all = new Float64Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

function closeOf({ columns, ticker }: SeriesTable): Column {
  const close = columns['close']
  if (!close) throw new Problem('invalid', 'market.fallback', `The data of ${ticker} has no closing prices.`)
  return close
}
