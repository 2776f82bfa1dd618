import type { Granularity } from '@tradewright/core/granularity'
import { mainCategory, isObservation } from '@tradewright/core/ticker-kind'
import { type UtcMillis, epochDayOf, dayStamp, weekday, civilDate, toEpochDay, DAY } from '@tradewright/core/time'
import type { Column } from '@tradewright/core/column'
import type { SeriesTable, Layer } from '../series.ts'
import { sessionBars, calendarOf, type TradingCalendar } from '../trading-calendar.ts'
import { inferFrequency, publishedAt, type Frequency } from '../known-at.ts'
import { actionsOf, type Split } from '../corporate-actions.ts'
import type { SeriesStore, SeriesSummary } from '../series-store.ts'

/** Quality of a stored series: what to check before trusting it. */
export interface SeriesQuality {
  readonly ticker: string
  readonly granularity: Granularity
  readonly providers: readonly string[]
  readonly rows: number
  readonly first: UtcMillis | undefined
  readonly last: UtcMillis | undefined
  /** Bars or observations that the calendar expects and that are not there. */
  readonly missingRows: number
  readonly gaps: readonly Gap[]
  /** Rows on days on which the market was closed. */
  readonly unexpectedRows: number
  readonly duplicates: number
  /** Bars whose open or close lies outside low and high. */
  readonly contradictions: number
  readonly jumps: readonly Jump[]
  /** Finished sessions, or periods of an economic series, without a row up to now; 0 is fresh. */
  readonly sessionsBehind: number
  readonly isStale: boolean
}

/** One session may be late; a provider's holiday is not ours. */
const STALE_AFTER_SESSIONS = 3

/** `now` decides what is stale. Takes seconds for millions of rows. */
export function inspectSeries(table: SeriesTable, now: UtcMillis): SeriesQuality {
  const { ticker, granularity, timestamps, columns, sources, type } = table
  const { gaps, missingRows, unexpectedRows } = findGaps(table)
  const behind = sessionsBehind(table, now)
  return {
    ticker,
    granularity,
    providers: sources.map(({ provider }) => provider),
    rows: timestamps.length,
    first: timestamps[0],
    last: timestamps.at(-1),
    missingRows,
    gaps,
    unexpectedRows,
    duplicates: countDuplicates(timestamps),
    contradictions: countContradictions(table),
    jumps: findJumps(table, columns[mainCategory(type)] ?? new Float64Array()),
    sessionsBehind: behind,
    isStale: behind > STALE_AFTER_SESSIONS,
  }
}

/** For layers that may hold a stamp twice; in silver and gold it is always 0. */
export function countDuplicates(timestamps: Float64Array): number {
  return timestamps.length - new Set(timestamps).size
}

function countContradictions({ columns, timestamps }: SeriesTable): number {
  const { open, high, low, close } = columns
  if (!high || !low) return 0
  let count = 0
  for (let row = 0; row < timestamps.length; row++) {
    const top = high[row]! * (1 + 1e-6)
    const bottom = low[row]! * (1 - 1e-6)
    const isOutside = (price: number | undefined) => price !== undefined && (price > top || price < bottom)
    if (isOutside(open?.[row]) || isOutside(close?.[row])) count++
  }
  return count
}

/** A run of expected rows that are missing. */
interface Gap {
  readonly from: UtcMillis
  /** The stamp of the last missing row. */
  readonly last: UtcMillis
  readonly rows: number
}

interface Gaps {
  readonly gaps: readonly Gap[]
  readonly missingRows: number
  readonly unexpectedRows: number
}

/**
 * Gaps that are listed for one series, as many as can be read. Most series have fewer, and the count of missing rows is
 * complete.
 */
const MAX_GAPS = 1_000

/** Compares a series with what its calendar expects between its first and last row. The longest gaps are listed. */
export function findGaps(table: SeriesTable): Gaps {
  const { timestamps, type } = table
  if (timestamps.length === 0) return { gaps: [], missingRows: 0, unexpectedRows: 0 }
  const calendar = calendarOf(type)
  const found = compare(calendar ? expectedBars(table, calendar) : expectedObservations(timestamps), timestamps)
  return { ...found, gaps: longest(found.gaps) }
}

function longest(gaps: readonly Gap[]): readonly Gap[] {
  if (gaps.length <= MAX_GAPS) return gaps
  return gaps
    .toSorted((a, b) => b.rows - a.rows)
    .slice(0, MAX_GAPS)
    .toSorted((a, b) => a.from - b.from)
}

/** Rows that are expected one after the other. */
interface Expected {
  readonly from: UtcMillis
  readonly last: UtcMillis
  readonly rows: number
}

const one = (stamp: UtcMillis): Expected => ({ from: stamp, last: stamp, rows: 1 })

/** A session without any row is one run: two minute bars a century apart would expect fifty million others. */
function* expectedBars({ timestamps, granularity }: SeriesTable, calendar: TradingCalendar): Generator<Expected> {
  const [first, last] = [timestamps[0]!, timestamps.at(-1)!]
  let row = 0
  for (const day of calendar.sessionsBetween(epochDayOf(first), epochDayOf(last) + 1)) {
    const { first: from, step, count } = sessionBars(calendar, day, granularity)
    const end = from + (count - 1) * step
    while (row < timestamps.length && timestamps[row]! < from) row++
    if (from >= first && timestamps[row]! > end) yield { from, last: end, rows: count }
    else for (let stamp = from; stamp <= end; stamp += step) if (stamp >= first && stamp <= last) yield one(stamp)
  }
}

/** Observations have no closing days that we know of, so only whole periods are missed. */
function* expectedObservations(timestamps: Float64Array): Generator<Expected> {
  const frequency = inferFrequency(timestamps)
  let stamp = timestamps[0]!
  for (const actual of timestamps) {
    // Bank holidays shift and drop daily observations without being gaps.
    if (frequency === 'daily' || frequency === 'weekly') yield one(actual)
    else for (; stamp <= actual; stamp = nextPeriod(stamp, frequency)) yield one(stamp)
  }
}

function compare(expected: Iterable<Expected>, actual: Float64Array): Gaps {
  const gaps: { from: UtcMillis; last: UtcMillis; rows: number }[] = []
  let [row, missingRows, unexpectedRows] = [0, 0, 0]
  let isInGap = false
  for (const { from, last, rows } of expected) {
    for (; row < actual.length && actual[row]! < from; row++) unexpectedRows++
    const isThere = actual[row] === from
    if (isThere) row++
    else {
      missingRows += rows
      const open = gaps.at(-1)
      if (isInGap && open) Object.assign(open, { last, rows: open.rows + rows })
      else gaps.push({ from, last, rows })
    }
    isInGap = !isThere
  }
  return { gaps, missingRows, unexpectedRows: unexpectedRows + actual.length - row }
}

interface SuspectedSplit {
  /** The first row at the new price. */
  readonly row: number
  readonly timestamp: UtcMillis
  /** The usual ratio that the jump is nearest to. */
  readonly ratio: number
}

const USUAL_RATIOS: readonly number[] = [1.5, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 50, 100].flatMap((n) => [
  n,
  1 / n,
])

/** A split day has its own market move on top of the ratio. */
const TOLERANCE = 0.12

/**
 * Overnight jumps of raw closes that look like an unreported split. Some are real crashes, so they are shown and not
 * corrected.
 */
export function findMissedSplits(
  timestamps: Float64Array,
  close: Float64Array,
  splits: readonly Split[],
): SuspectedSplit[] {
  const known = new Set(splits.map(({ exDay }) => exDay))
  const suspects: SuspectedSplit[] = []
  for (let row = 1; row < close.length; row++) {
    const jump = close[row - 1]! / close[row]!
    // Most days end here; the smallest usual ratio less the tolerance is 1.32.
    if (jump < 1.32 && jump > 1 / 1.32) continue
    const ratio = USUAL_RATIOS.find((usual) => Math.abs(jump / usual - 1) < TOLERANCE)
    const timestamp = timestamps[row]!
    if (ratio !== undefined && !known.has(epochDayOf(timestamp))) suspects.push({ row, timestamp, ratio })
  }
  return suspects
}

/** A change from one bar to the next that is worth checking. */
interface Jump {
  readonly timestamp: UtcMillis
  /** As a fraction of the price before. */
  readonly change: number
  /** The split ratio that the jump looks like; undefined when it looks like none, or the split was reported. */
  readonly splitRatio: number | undefined
}

/** Jumps that are listed for one series, as many as can be read. */
const MAX_JUMPS = 1_000
const SMALLEST_JUMP = 0.15
const USUAL_MOVES = 12

/** The largest moves above 15 % that are also twelve times the series' usual one, and what looks like a missed split. */
export function findJumps(table: SeriesTable, prices: Column): Jump[] {
  if (isObservation(table.type) || prices.length < 2) return []
  const { splits } = actionsOf(table)
  const ratios = new Map(findMissedSplits(table.timestamps, prices, splits).map(({ row, ratio }) => [row, ratio]))
  const changes = changesOf(
    prices,
    new Map(splits.map(({ exDay, ratio }) => [dayStamp(exDay), ratio])),
    table.timestamps,
  )
  const threshold = Math.max(SMALLEST_JUMP, USUAL_MOVES * medianMove(changes))
  const jumps: Jump[] = []
  for (let row = 1; row < changes.length; row++) {
    const splitRatio = table.type === 'security' ? ratios.get(row) : undefined
    if (Math.abs(changes[row]!) < threshold && splitRatio === undefined) continue
    jumps.push({ timestamp: table.timestamps[row]!, change: changes[row]!, splitRatio })
  }
  if (jumps.length <= MAX_JUMPS) return jumps
  return jumps
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, MAX_JUMPS)
    .toSorted((a, b) => a.timestamp - b.timestamp)
}

/** Known splits are taken out, so that only what is left can be suspicious. */
function changesOf(prices: Column, ratios: ReadonlyMap<UtcMillis, number>, timestamps: Float64Array): Float64Array {
  const changes = new Float64Array(prices.length)
  let before = prices[0]!
  for (let row = 1; row < prices.length; row++) {
    const price = prices[row]!
    if (Number.isNaN(price)) continue
    // Futures may come back from below zero, which is no percent change.
    changes[row] = before > 0 ? (price * (ratios.get(timestamps[row]!) ?? 1)) / before - 1 : 0
    before = price
  }
  return changes
}

function medianMove(changes: Float64Array): number {
  const moves = changes.map(Math.abs).sort()
  return moves[moves.length >>> 1] ?? 0
}

/** How many finished sessions, or published periods, the series lacks at `now`. */
export function sessionsBehind({ timestamps, type }: SeriesTable, now: UtcMillis): number {
  const last = timestamps.at(-1)
  if (last === undefined) return 0
  const calendar = calendarOf(type)
  if (!calendar) return periodsBehind(timestamps, last, now)
  const finished = calendar.sessionsBetween(epochDayOf(last) + 1, epochDayOf(now) + 1)
  return finished.filter((day) => calendar.closeOf(day) <= now).length
}

function periodsBehind(timestamps: Float64Array, last: UtcMillis, now: UtcMillis): number {
  const frequency = inferFrequency(timestamps)
  let count = 0
  const isWeekend = (stamp: UtcMillis) => frequency === 'daily' && weekday(epochDayOf(stamp)) % 6 === 0
  for (
    let stamp = nextPeriod(last, frequency);
    publishedAt(stamp, frequency) <= now;
    stamp = nextPeriod(stamp, frequency)
  ) {
    if (!isWeekend(stamp)) count++
  }
  return count
}

const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const

/** The stamp of the next period of an economic series: a month is not a number of days. */
function nextPeriod(stamp: UtcMillis, frequency: Frequency): UtcMillis {
  const day = epochDayOf(stamp)
  if (frequency === 'daily' || frequency === 'weekly') return dayStamp(day + (frequency === 'daily' ? 1 : 7))
  const { year, month, day: dayOfMonth } = civilDate(day)
  const months = year * 12 + (month - 1) + MONTHS[frequency]
  return dayStamp(toEpochDay(Math.floor(months / 12), (months % 12) + 1, dayOfMonth))
}

/** The report of a whole store, series by series as they are read, so that a large one can show its progress. */
export async function* inspectStore(
  store: SeriesStore,
  layer: Layer,
  inspect: (table: SeriesTable) => Promise<SeriesQuality>,
): AsyncGenerator<SeriesQuality> {
  for (const { ticker, granularity, provider, first, last } of distinctSeries(
    await store.summaries({ layer }),
    layer,
  )) {
    const tables = await store.read({
      layer,
      tickers: [ticker],
      granularity,
      range: { from: first, to: last + DAY },
      categories: [],
      providers: layer === 'gold' ? [] : [provider],
    })
    for (const table of tables) yield await inspect(table)
  }
}

/** In gold a series is one, however many providers it came from. */
function distinctSeries(summaries: readonly SeriesSummary[], layer: Layer): SeriesSummary[] {
  const groups = Map.groupBy(summaries, ({ ticker, granularity, provider }) =>
    JSON.stringify([ticker, granularity, layer === 'gold' ? '' : provider]),
  )
  return [...groups.values()].map(span)
}

const span = (group: readonly SeriesSummary[]): SeriesSummary => ({
  ...group[0]!,
  first: Math.min(...group.map(({ first }) => first)),
  last: Math.max(...group.map(({ last }) => last)),
})
