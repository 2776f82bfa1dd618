import { Problem } from '@tradewright/core/problem'

/** A sign-in this long ago still proves that the user is there. */
const FRESH_MINUTES = 15

/** In the place of a password, for accounts that have none: a stolen session must not add a lasting way to sign in. */
export function requireFreshSignIn(signedInAt: Date, now: Date): void {
  if (now.getTime() - signedInAt.getTime() < FRESH_MINUTES * 60_000) return
  throw new Problem(
    'denied',
    'sign-in.stale',
    `Please sign out and sign in again first: this is possible within ${FRESH_MINUTES} minutes of a sign-in.`,
  )
}
