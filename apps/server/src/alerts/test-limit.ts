import type { Clock } from '@tradewright/core/clock'
import { HOUR } from '@tradewright/core/time'
import type { AttemptCounters } from '../auth/ports.ts'
import { tooMany } from '../auth/throttle.ts'

const TESTS_AN_HOUR = 10

/** Counts a test message of a user, and refuses one too many. */
export type CountTest = (userId: number) => Promise<void>

/** Tests go at once to any address that a user enters: without a limit they would be a way to flood strangers. */
export const testLimit =
  ({ counters, clock }: { readonly counters: AttemptCounters; readonly clock: Clock }): CountTest =>
  async (userId) => {
    const now = clock.now()
    const count = await counters.add(`test-messages:${userId}`, now, new Date(now.getTime() + HOUR))
    if (count.attempts > TESTS_AN_HOUR) throw tooMany('test messages', count.windowEndsAt, now)
  }
