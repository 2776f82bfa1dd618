import { Problem } from '@tradewright/core/problem'
import type { Clock } from '@tradewright/core/clock'
import { forgetOtherPlaces } from './known-places.ts'
import type { PasswordPolicy } from './password-policy.ts'
import { ownSession, type Passwords } from './passwords.ts'
import type { ApiKeyStore, EmailVerificationStore, GoogleFlowStore, KnownPlaceStore, UserStore } from './ports.ts'
import type { Origin, SecurityLog } from './security-log.ts'
import type { Sessions } from './sessions.ts'
import { changeSignIn, signInMethodsOf } from './sign-in-methods.ts'
import type { Throttle } from './throttle.ts'

export interface PasswordCheckDeps {
  users: UserStore
  passwords: Passwords
  throttle: Throttle
  securityLog: SecurityLog
}

/** A visitor at a keyboard that was left alone, or with a stolen session, does not know the password. */
export interface PasswordProof {
  userId: number
  password: string
  sessionId: string
  from: Origin
}

/**
 * Guessing here is no easier than at sign-in. Counted per session: failures elsewhere do not keep a signed-in user from
 * changing the password. Answers the hash that the password matched.
 */
export async function provePassword(deps: PasswordCheckDeps, proof: PasswordProof): Promise<string> {
  const { users, passwords, throttle, securityLog } = deps
  const { userId, password, sessionId } = proof
  const account = `user ${userId}`
  const from = { kind: 'session', sessionId } as const
  const { passwordHash } = await signInMethodsOf(users, userId)
  if (!passwordHash) throw new Problem('conflict', 'password.unset', 'You have no password yet. Set a password first.')
  return passwords.turns.run(ownSession(userId), async () => {
    await throttle.checkSignIn(account, from)
    if (await passwords.verify(passwordHash, password)) {
      await throttle.forgive(account, from)
      return passwordHash
    }
    await throttle.countFailure(account, from)
    await securityLog.record('password.refused', { userId, from: proof.from })
    throw new Problem('denied', 'password.wrong', 'The current password is wrong.')
  })
}

export interface ChangePasswordDeps extends PasswordCheckDeps {
  sessions: Sessions
  passwordPolicy: PasswordPolicy
  places: KnownPlaceStore
  apiKeys: Pick<ApiKeyStore, 'revokeAll'>
  clock: Clock
  googleFlows: Pick<GoogleFlowStore, 'removeOf'>
  verifications: Pick<EmailVerificationStore, 'removeChanges'>
}

/**
 * A visitor who learned the old password is signed out with it, and what they began or made ends, API keys too: only
 * the session and the device that ask stay.
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  proof: PasswordProof & { names: readonly string[]; device: string | undefined },
  newPassword: string,
): Promise<void> {
  deps.passwordPolicy.check(newPassword, proof.names)
  const proven = await provePassword(deps, proof)
  const passwordHash = await deps.passwords.turns.run(ownSession(proof.userId), () => deps.passwords.hash(newPassword))
  await changeSignIn(deps.users, proof.userId, (now) => {
    if (now.passwordHash === proven) return { ...now, passwordHash }
    throw new Problem('conflict', 'password.changed', 'The password was changed in the meantime. Please try again.')
  })
  await deps.sessions.endAllOf(proof.userId, proof.sessionId)
  await deps.apiKeys.revokeAll(proof.userId, deps.clock.now())
  await deps.googleFlows.removeOf(proof.userId)
  await deps.verifications.removeChanges(proof.userId)
  await forgetOtherPlaces(deps.places, proof.userId, proof.device)
  await deps.securityLog.record('password.changed', { userId: proof.userId, from: proof.from })
}
