import type { Granularity } from '@tradewright/core/granularity'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'

/** When a market trades. Days are session dates of the market, instants are UTC. */
export interface TradingCalendar {
  readonly id: 'nyse' | 'crypto'
  /** For annualising: sessions in a usual year. */
  readonly sessionsPerYear: number
  isSession(day: EpochDay): boolean
  /** Both throw a RangeError for a day that is no session. */
  openOf(day: EpochDay): UtcMillis
  closeOf(day: EpochDay): UtcMillis
  /** Strictly after the given day. */
  nextSession(day: EpochDay): EpochDay
  /** Strictly before the given day. */
  previousSession(day: EpochDay): EpochDay
  /** Half-open, ascending. */
  sessionsBetween(from: EpochDay, to: EpochDay): Int32Array
  /** How many bars a usual, full session has. */
  barsPerSession(granularity: Granularity): number
}
