import { mainCategory, isObservation } from '@tradewright/core/ticker-kind'
import { DAY, dayStamp, type EpochDay, epochDayOf, formatDate, type TimeRange } from '@tradewright/core/time'
import { calendarOf } from '../market/trading-calendar.ts'
import { isValueSeries, knownAtOf } from '../market/known-at.ts'
import { UPLOADED, rowsInRange } from '../market/layers/rows.ts'
import { findGaps, findJumps } from '../market/quality/series-quality.ts'
import type { SeriesTable } from '../market/series.ts'

/** A newest session may be late, and the last day asked for may not be over. */
export const LATE_SESSIONS = 3
/** Shorter holes are holidays of one market that another does not have, or single lost rows. */
const SHORTEST_HOLE_ROWS = 5
/** Single lost rows beyond this part of a series are worth a note together. */
const LARGE_MISSING_PART = 0.01
/** A change from bar to bar that few securities ever make: told when it is not a split. */
const LARGE_CHANGE = 0.5
/** A spike is back within this many bars, near the price before. */
const SPIKE_BARS = 3
const SPIKE_TOLERANCE = 0.25
/** More of one kind are counted, not listed. */
const MAX_LISTED = 3

/**
 * Data faults in the prices behind a result, each as a sentence that names ticker, dates and effect. Rates and indexes
 * are told with the figures made from them.
 */
export function dataNotes(tables: Iterable<SeriesTable>, from: EpochDay, to: EpochDay): string[] {
  const range = { from: dayStamp(from), to: dayStamp(to + 1) }
  return [...tables].flatMap((table) =>
    isObservation(table.type) || isValueSeries(table) ? publicationNote(table, range) : notesOfSeries(table, range, to),
  )
}

/** When values of a file were published is the user's word or an assumption: which one stands with the result. */
function publicationNote(whole: SeriesTable, range: TimeRange): string[] {
  const table = rowsInRange(whole, range)
  if (table.timestamps.length === 0 || !table.sources.some(({ provider }) => provider === UPLOADED)) return []
  const days = knownAtOf(table).map((instant, row) => Math.floor((instant - table.timestamps[row]!) / DAY))
  const [least, most] = [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))]
  const later = least === most ? `${least}` : `${least} to ${most}`
  return [
    `The values of ${table.ticker} come from a file of yours: each is taken as published ${later} ` +
      `${most === 1 ? 'day' : 'days'} after its date, and used from then on.`,
  ]
}

function notesOfSeries(whole: SeriesTable, range: TimeRange, to: EpochDay): string[] {
  const table = rowsInRange(whole, range)
  if (table.timestamps.length === 0) return []
  return [...currencyNote(table), ...endNote(table, to), ...holeNotes(table), ...jumpNotes(table)]
}

function currencyNote({ ticker, currency }: SeriesTable): string[] {
  if (currency === 'USD') return []
  return [
    `${ticker} is quoted in ${currency} and not converted: its changes are those in ${currency}. Cash and amounts are shown in dollars.`,
  ]
}

function endNote({ ticker, timestamps, type }: SeriesTable, to: EpochDay): string[] {
  const last = epochDayOf(timestamps.at(-1)!)
  const missed = calendarOf(type)?.sessionsBetween(last + 1, to + 1).length ?? 0
  if (missed <= LATE_SESSIONS) return []
  return [
    `${ticker} has no prices after ${formatDate(last)}, ${missed} sessions before the requested end. If it was ` +
      'delisted, what happened to it afterwards is not part of this result.',
  ]
}

function holeNotes(table: SeriesTable): string[] {
  const { ticker, timestamps } = table
  const { gaps, missingRows } = findGaps(table)
  const holes = gaps.filter(({ rows }) => rows >= SHORTEST_HOLE_ROWS)
  const notes = holes
    .slice(0, MAX_LISTED)
    .map(
      ({ from, last, rows }) =>
        `${ticker} has no prices from ${dateOf(from)} to ${dateOf(last)} (${rows} bars): the time in between counts as one step.`,
    )
  if (holes.length > MAX_LISTED) notes.push(`${ticker} has ${holes.length - MAX_LISTED} more such gaps.`)
  const scattered = missingRows - holes.reduce((sum, { rows }) => sum + rows, 0)
  if (scattered > LARGE_MISSING_PART * timestamps.length) {
    notes.push(`${ticker} lacks ${scattered} single bars of ${timestamps.length + missingRows} in the period.`)
  }
  return notes
}

function jumpNotes(table: SeriesTable): string[] {
  const { ticker, timestamps, columns, type } = table
  const prices = columns[mainCategory(type)]
  if (!prices || table.granularity !== '1d') return []
  const rowOf = new Map(Array.from(timestamps, (stamp, row) => [stamp, row]))
  const notes: string[] = []
  let skipUntil = -1
  for (const { timestamp, change, splitRatio } of findJumps(table, prices)) {
    const row = rowOf.get(timestamp)!
    if (row <= skipUntil) continue
    const back = spikeEnd(prices, row)
    const moved = `${change > 0 ? 'rose' : 'fell'} by ${Math.round(Math.abs(change) * 100)}%`
    if (back !== undefined && Math.abs(change) >= LARGE_CHANGE) {
      skipUntil = back
      notes.push(
        `${ticker} ${moved} on ${dateOf(timestamp)} and was back on ${dateOf(timestamps[back]!)}: this looks like a wrong price.`,
      )
    } else if (splitRatio !== undefined) {
      notes.push(
        `${ticker} ${moved} on ${dateOf(timestamp)}, which looks like a ${splitWords(splitRatio)} split that the data does ` +
          `not report: it counts as a ${change > 0 ? 'gain' : 'loss'} here.`,
      )
    } else if (Math.abs(change) >= LARGE_CHANGE) {
      notes.push(`${ticker} ${moved} on ${dateOf(timestamp)}: check the price before you rely on the result.`)
    }
  }
  return notes.length > MAX_LISTED
    ? [...notes.slice(0, MAX_LISTED), `${ticker} has ${notes.length - MAX_LISTED} more unusual price changes.`]
    : notes
}

/** The row at which the price is back near the one before the jump; undefined where it stays away. */
function spikeEnd(prices: Float64Array, row: number): number | undefined {
  const before = prices[row - 1]!
  for (let next = row + 1; next <= row + SPIKE_BARS && next < prices.length; next++) {
    if (Math.abs(prices[next]! / before - 1) < SPIKE_TOLERANCE) return next
  }
  return undefined
}

const splitWords = (ratio: number): string => (ratio >= 1 ? `${ratio}:1` : `1:${Math.round(1 / ratio)} reverse`)

const dateOf = (stamp: number): string => formatDate(epochDayOf(stamp))
