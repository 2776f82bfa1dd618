import { observationCategory } from '@tradewright/core/category'
import { type Column, lastAtOrBefore } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { civilDate, type EpochDay, epochDayOf, toEpochDay } from '@tradewright/core/time'
import type { SeriesTable } from '../market/series.ts'
import type { SeriesLookup } from './market-data.ts'

/** Consumer prices, best first: not seasonally adjusted, as contracts use them. */
export const PRICE_INDEXES: readonly string[] = ['CPIAUCNS', 'CPIAUCSL']

/**
 * The value of each day's dollar in dollars of the first day, below 1 once prices have risen. The index of a month is
 * pinned to the month's last day and interpolated day by day; after the newest one prices stand still.
 */
export function deflator(lookUp: SeriesLookup, days: Int32Array): Column {
  const table = PRICE_INDEXES.map(lookUp).find((one) => one !== undefined)
  if (!table) {
    throw new Problem(
      'invalid',
      'backtest.no-inflation',
      'Inflation cannot be adjusted for: there is no consumer price index (CPIAUCNS or CPIAUCSL).',
    )
  }
  const level = priceLevels(table, days)
  return level.map((now) => level[0]! / now)
}

/** The days that the price level is known for; undefined without an index. */
export function priceLevelDays(lookUp: SeriesLookup): { readonly from: EpochDay; readonly to: EpochDay } | undefined {
  const table = PRICE_INDEXES.map(lookUp).find((one) => one !== undefined)
  const pins = table && monthEndPins(table).days
  return pins && pins.length > 0 ? { from: pins[0]!, to: pins.at(-1)! } : undefined
}

function priceLevels(table: SeriesTable, days: Int32Array): Column {
  const pins = monthEndPins(table)
  return Float64Array.from(days, (day) => {
    const before = lastAtOrBefore(pins.days, day)
    if (before < 0) return pins.levels[0]!
    const after = before + 1
    if (after === pins.days.length) return pins.levels[before]!
    const share = (day - pins.days[before]!) / (pins.days[after]! - pins.days[before]!)
    return pins.levels[before]! + share * (pins.levels[after]! - pins.levels[before]!)
  })
}

/** A month that was never published is bridged by its neighbours. */
function monthEndPins({ timestamps, columns }: SeriesTable): { days: Float64Array; levels: Float64Array } {
  const values = columns[observationCategory]!
  const rows = [...timestamps.keys()].filter((row) => values[row]! > 0)
  return {
    days: Float64Array.from(rows, (row) => lastDayOfMonth(epochDayOf(timestamps[row]!))),
    levels: Float64Array.from(rows, (row) => values[row]!),
  }
}

function lastDayOfMonth(day: number): number {
  const { year, month } = civilDate(day)
  return (month === 12 ? toEpochDay(year + 1, 1, 1) : toEpochDay(year, month + 1, 1)) - 1
}
