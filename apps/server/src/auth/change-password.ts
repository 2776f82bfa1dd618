import { Problem } from '@tradewright/core/problem'
import type { Passwords } from './passwords.ts'
import type { UserStore } from './ports.ts'
import type { Sessions } from './sessions.ts'
import { changeSignIn, signInMethodsOf } from './sign-in-methods.ts'
import type { Throttle } from './throttle.ts'

export interface PasswordCheckDeps {
  users: UserStore
  passwords: Passwords
  throttle: Throttle
}

/** Somebody at a keyboard that was left alone, or with a stolen session, does not know the password. */
export interface PasswordProof {
  userId: number
  password: string
  address: string
}

/** Counts like a sign-in: guessing here is no easier than there. Answers the hash that the password matched. */
export async function provePassword(deps: PasswordCheckDeps, proof: PasswordProof): Promise<string> {
  const { users, passwords, throttle } = deps
  const { userId, password, address } = proof
  const account = `user ${userId}`
  const { passwordHash } = await signInMethodsOf(users, userId)
  if (!passwordHash) throw new Problem('conflict', 'password.unset', 'You have no password yet. Set a password first.')
  return passwords.turns.run(async () => {
    await throttle.checkSignIn(account, address)
    if (await passwords.verify(passwordHash, password)) {
      await throttle.forgive(account)
      return passwordHash
    }
    await throttle.countFailure(account, address)
    throw new Problem('denied', 'password.wrong', 'The current password is wrong.')
  })
}

/** Whoever learned the old password is signed out with it; only the session that asks stays. */
export async function changePassword(
  deps: PasswordCheckDeps & { sessions: Sessions },
  proof: PasswordProof & { sessionId: string },
  newPassword: string,
): Promise<void> {
  const proven = await provePassword(deps, proof)
  const passwordHash = await deps.passwords.turns.run(() => deps.passwords.hash(newPassword))
  await changeSignIn(deps.users, proof.userId, (now) => {
    if (now.passwordHash === proven) return { ...now, passwordHash }
    throw new Problem('conflict', 'password.changed', 'The password was changed meanwhile. Please try again.')
  })
  await deps.sessions.endAllOf(proof.userId, proof.sessionId)
}
