import type { RebalanceFrequency } from '@tradewright/core/backtest-settings'
import { civilDate, type EpochDay, weekday } from '@tradewright/core/time'

/** A number that is the same for all days of one period and differs between neighbours. */
const PERIOD_OF = {
  daily: (day) => day,
  // Weeks begin on Monday; 1970-01-01 was a Thursday.
  weekly: (day) => day - ((weekday(day) + 6) % 7),
  monthly: (day) => monthOf(day),
  quarterly: (day) => Math.floor(monthOf(day) / 3),
  yearly: (day) => civilDate(day).year,
} as const satisfies Record<Exclude<RebalanceFrequency, 'none'>, (day: EpochDay) => number>

/** A number that tells the period of a day from its neighbours. */
export const periodOf = (frequency: Exclude<RebalanceFrequency, 'none'>, day: EpochDay): number =>
  PERIOD_OF[frequency](day)

function monthOf(day: EpochDay): number {
  const { year, month } = civilDate(day)
  return year * 12 + month - 1
}

/**
 * The bars at whose close a period ends: 1 where the next bar belongs to another period. The first bar never ends one,
 * since the account is only just invested. Whether the last bar does is decided by the session that follows the data.
 */
export function periodEnds(days: Int32Array, frequency: RebalanceFrequency, sessionAfter: EpochDay): Uint8Array {
  const ends = new Uint8Array(days.length)
  if (frequency === 'none' || days.length === 0) return ends
  const periodOf = PERIOD_OF[frequency]
  let period = periodOf(days[0]!)
  for (let bar = 0; bar < days.length; bar++) {
    const nextDay = bar + 1 < days.length ? days[bar + 1]! : sessionAfter
    // Within a day nothing can end, and a year of minutes has many bars in a day.
    if (nextDay === days[bar]) continue
    const next = periodOf(nextDay)
    if (next !== period && bar > 0) ends[bar] = 1
    period = next
  }
  return ends
}
