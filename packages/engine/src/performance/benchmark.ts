import { lastAtOrBefore } from '@tradewright/core/column'
import { dayStamp, type EpochDay, formatDate } from '@tradewright/core/time'
import { adjustPrices } from '../market/adjust.ts'
import { actionsOf } from '../market/corporate-actions.ts'
import type { SeriesTable } from '../market/series.ts'
import { type Figure, notAvailable } from './figure.ts'

/** Growth of one unit of a ticker with its dividends reinvested, on the account's dates. */
export interface BenchmarkGrowth {
  /** One entry per day; NaN where there is no price yet. */
  readonly growth: Float64Array
  readonly totalReturn: Figure
}

/** Prices may be this much older than the day they stand for. */
const STALE_DAYS = 10

export function benchmarkGrowth(table: SeriesTable | undefined, days: readonly EpochDay[]): BenchmarkGrowth {
  const growth = new Float64Array(days.length).fill(Number.NaN)
  const [first, last] = [days[0], days.at(-1)]
  if (!table || first === undefined || last === undefined) {
    return { growth, totalReturn: notAvailable('there are no prices for these dates') }
  }
  const prices = adjustPrices(table, actionsOf(table), 'total-return').columns['close'] ?? new Float64Array()
  const priceAt = (day: EpochDay): number => {
    const row = lastAtOrBefore(table.timestamps, dayStamp(day))
    return row < 0 || table.timestamps[row]! < dayStamp(day - STALE_DAYS) ? Number.NaN : prices[row]!
  }
  const start = priceAt(first)
  for (const [i, day] of days.entries()) growth[i] = priceAt(day) / start
  const end = growth.at(-1)!
  if (Number.isFinite(end) && last > first) return { growth, totalReturn: end - 1 }
  const missing = Number.isFinite(start) ? last : first
  return { growth, totalReturn: notAvailable(`there is no price for ${formatDate(missing)}`) }
}
