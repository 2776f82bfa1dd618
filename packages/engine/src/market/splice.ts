import { type Column, lowerBound } from '@tradewright/core/column'
import { isIntraday } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import { DAY, type EpochDay, epochDayOf, formatDate } from '@tradewright/core/time'
import { asOf } from './align.ts'
import { barKnownAt } from './calendar/bar-stamps.ts'
import { calendarOf } from './calendar/calendar-of.ts'
import type { Dividend } from './corporate-actions.ts'
import type { SeriesTable } from './series.ts'

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
