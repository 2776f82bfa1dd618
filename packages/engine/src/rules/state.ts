import type { EpochDay } from '@tradewright/core/time'

/**
 * All that a check leaves to the next one, as plain JSON by the ids of blocks and conditions. A deployment keeps it with
 * each decision.
 */
export interface RulesState {
  readonly version: 1
  /** The day after the last check, by the calendar; before the first check the first day itself. */
  readonly clock: EpochDay
  /** How many checks there were. */
  readonly checks: number
  /** Last answers; null where there was none. */
  readonly answers: Readonly<Record<string, boolean | null>>
  /** How many checks in a row a condition was true, of streaks. */
  readonly streaks: Readonly<Record<string, number>>
  readonly branches: Readonly<Record<string, 'yes' | 'no'>>
  /** How each held block is divided: its parts in their order, then the rest. They add up to 1. */
  readonly held: Readonly<Record<string, readonly number[]>>
  /** Closes at the last check, by ticker. */
  readonly prices: Readonly<Record<string, number>>
}
