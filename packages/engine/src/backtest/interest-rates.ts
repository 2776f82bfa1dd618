import { type Column, lastAtOrBefore } from '@tradewright/core/column'
import { observationCategory } from '@tradewright/core/category'
import type { SeriesTable } from '../market/series.ts'
import type { SeriesLookup } from './market-data.ts'

/** Rates of the cost of borrowing, best first: the fed funds rate, else the T-bill. */
export const BORROWING_RATES: readonly string[] = ['FEDFUNDS', 'DFF', 'TB3MS', 'DTB3']
/** Rates that idle money could have earned. */
export const BILL_RATES: readonly string[] = ['TB3MS', 'DTB3']

interface Rates {
  /** In percent a year, one per stamp. */
  readonly pct: Column
  /** The series they come from; undefined when none was at hand and they are all zero. */
  readonly symbol: string | undefined
}

/**
 * The rate in force at each stamp. What was charged is a fact and not a forecast, so a month's rate counts for that
 * month although it was published later; before the first observation the first one counts.
 */
export function ratesAt(lookUp: SeriesLookup, symbols: readonly string[], timestamps: Float64Array): Rates {
  const table = firstFound(lookUp, symbols)
  const values = table?.columns[observationCategory]
  if (!table || !values) return { pct: new Float64Array(timestamps.length), symbol: undefined }
  const pct = timestamps.map((stamp) => lastKnown(values, Math.max(0, lastAtOrBefore(table.timestamps, stamp))))
  return { pct, symbol: table.ticker }
}

/** Looks no further than needed: a series that is looked up counts as used. */
function firstFound(lookUp: SeriesLookup, symbols: readonly string[]): SeriesTable | undefined {
  for (const symbol of symbols) {
    const table = lookUp(symbol)
    if (table) return table
  }
  return undefined
}

function lastKnown(values: Column, from: number): number {
  for (let row = from; row >= 0; row--) if (!Number.isNaN(values[row]!)) return values[row]!
  return 0
}
