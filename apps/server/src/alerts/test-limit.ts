import type { Clock } from '@tradewright/core/clock'
import { HOUR } from '@tradewright/core/time'
import type { AttemptCounters } from '../auth/ports.ts'
import { hashSecret } from '../auth/secret.ts'
import { tooMany } from '../auth/throttle.ts'
import { usernameKey } from '../auth/username-key.ts'
import { AddressRefused } from '../live-trading/notifications/notifications.ts'

const TESTS_AN_HOUR = 10
/** A morning's worth of a receiver that was away. */
const RESENDS_AN_HOUR = 100

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

/** A receiver that refuses is asked again at each press: without a limit it would be a way to flood strangers. */
export const resendLimit =
  ({ counters, clock }: { readonly counters: AttemptCounters; readonly clock: Clock }): CountTest =>
  async (userId) => {
    const now = clock.now()
    const count = await counters.add(`messages-again:${userId}`, now, new Date(now.getTime() + HOUR))
    if (count.attempts > RESENDS_AN_HOUR) throw tooMany('messages sent again', count.windowEndsAt, now)
  }

const MAILS_AN_HOUR = 100

/** Mails of deployments go to the addresses in their forms: no inbox is flooded, by however many deployments. */
export const mailLimit =
  ({ counters, clock }: { readonly counters: AttemptCounters; readonly clock: Clock }) =>
  async (address: string): Promise<void> => {
    const now = clock.now()
    const inbox = hashSecret(usernameKey(address)).toString('base64url')
    const count = await counters.add(`mails to ${inbox}`, now, new Date(now.getTime() + HOUR))
    if (count.attempts > MAILS_AN_HOUR)
      throw new AddressRefused(`it was sent ${MAILS_AN_HOUR} e-mails within the last hour`)
  }
