import { Problem } from '@tradewright/core/problem'
import { type AdmissionDeps, admissionOf, notAdmitted } from './admission.ts'
import type { GoogleIdentity, UserStore } from './ports.ts'
import type { Account } from './user.ts'
import { usernameKey } from './username-key.ts'

export interface GoogleSignInDeps extends AdmissionDeps {
  users: UserStore
}

/** The user that a Google account is linked to, or a new one, where a new account is admitted. */
export async function userOfGoogleAccount(
  deps: GoogleSignInDeps,
  identity: GoogleIdentity,
  invitationHash: Buffer | undefined,
): Promise<Account> {
  const known = await deps.users.findByGoogleSubject(identity.subject)
  if (known) return known
  if (!identity.isEmailVerified) {
    throw new Problem('denied', 'google.email-unverified', 'Google has not verified the e-mail address.')
  }
  return createUser(deps, identity, invitationHash)
}

/**
 * An account that proved the same address is never attached by itself: it may be another person's by now. An account that
 * only claims the address does not stand in the way; if it has the address as its username, the new account gets another.
 */
async function createUser(
  deps: GoogleSignInDeps,
  { subject, email }: GoogleIdentity,
  invitationHash: Buffer | undefined,
): Promise<Account> {
  const { users, registration, clock } = deps
  const emailKey = usernameKey(email)
  const admission = await admissionOf(deps, invitationHash)
  let refusal = emailTaken()
  for (const username of usernamesFor(email)) {
    if (await users.isVerifiedEmail(emailKey)) break
    const created = await users.insert(
      {
        username,
        usernameKey: usernameKey(username),
        email,
        emailKey,
        emailState: 'verified',
        signIn: { passwordHash: null, isPasswordEnabled: false, google: { subject, email } },
        createdAt: clock.now(),
      },
      admission,
    )
    if (created === 'not admitted') {
      refusal = notAdmitted(registration)
      break
    }
    if (created !== 'taken') return created
  }
  // The same visitor in another tab was a moment quicker.
  const user = await users.findByGoogleSubject(subject)
  if (!user) throw refusal
  return user
}

const MAX_NAMES = 20

const usernamesFor = (email: string): string[] => [
  email,
  ...Array.from({ length: MAX_NAMES }, (_, index) =>
    index === 0 ? `${email} (Google)` : `${email} (Google ${index + 1})`,
  ),
]

function emailTaken(): Problem {
  return new Problem(
    'conflict',
    'google.email-taken',
    'A user with this e-mail address exists. Sign in with the password and link Google in Settings.',
  )
}
