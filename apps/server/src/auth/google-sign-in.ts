import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { GoogleIdentity, UserStore } from './ports.ts'
import type { Account } from './user.ts'
import { usernameKey } from './username-key.ts'

interface Deps {
  users: UserStore
  clock: Clock
}

/** The user that a Google account is linked to, or a new one. */
export async function userOfGoogleAccount({ users, clock }: Deps, identity: GoogleIdentity): Promise<Account> {
  const known = await users.findByGoogleSubject(identity.subject)
  if (known) return known
  if (!identity.isEmailVerified) {
    throw new Problem('denied', 'google.email-unverified', 'Google has not verified the e-mail address.')
  }
  const created = await createUser(users, identity, clock.now())
  // Somebody else was a moment quicker: this visitor in another tab, or another who wants the name.
  const user = created ?? (await users.findByGoogleSubject(identity.subject))
  if (!user) throw emailTaken()
  return user
}

/**
 * Null when the address is somebody's. It is never attached to a user with that address by itself: nobody proved that
 * it is the same person.
 */
async function createUser(users: UserStore, { subject, email }: GoogleIdentity, now: Date): Promise<Account | null> {
  const key = usernameKey(email)
  if (await users.isKnown(key)) return null
  return users.insert({
    username: email,
    usernameKey: key,
    email,
    emailKey: key,
    signIn: { passwordHash: null, isPasswordEnabled: false, google: { subject, email } },
    createdAt: now,
  })
}

function emailTaken(): Problem {
  return new Problem(
    'conflict',
    'google.email-taken',
    'A user with this e-mail address exists. Sign in with the password and link Google in Settings.',
  )
}
