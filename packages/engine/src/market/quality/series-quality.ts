import type { Granularity } from '@tradewright/core/granularity'
import { mainCategory } from '@tradewright/core/ticker-kind'
import type { UtcMillis } from '@tradewright/core/time'
import type { SeriesTable } from '../series.ts'
import { findGaps, type Gap } from './gaps.ts'
import { findJumps, type Jump } from './jumps.ts'
import { sessionsBehind } from './staleness.ts'

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
