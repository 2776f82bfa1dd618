import { Problem } from '@tradewright/core/problem'
import type { Passwords } from './passwords.ts'
import type { UserStore } from './ports.ts'
import type { Sessions, SignedIn, Visit } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import type { Account } from './user.ts'
import { usernameKey } from './username-key.ts'

export interface SignInDeps {
  users: UserStore
  sessions: Sessions
  passwords: Passwords
  throttle: Throttle
}

export interface Login {
  /** A username, or the e-mail address of one user. */
  login: string
  password: string
}

/** The attempt as a whole takes a turn: many at once could otherwise all pass the check before one has failed. */
export async function signIn(deps: SignInDeps, { login, password }: Login, visit: Visit): Promise<SignedIn> {
  const key = usernameKey(login)
  const account = await deps.passwords.turns.run(() => checkedAccount(deps, key, password, visit.address))
  return deps.sessions.open(account, visit)
}

async function checkedAccount(
  { users, passwords, throttle }: SignInDeps,
  key: string,
  password: string,
  address: string,
): Promise<Account> {
  const account = await users.findByLogin(key)
  const throttled = account ? `user ${account.id}` : key
  await throttle.checkSignIn(throttled, address)
  const hash = account?.signIn.passwordHash ?? null
  const isRight = await passwords.verify(hash, password)
  if (!account || !hash || !isRight) {
    await throttle.countFailure(throttled, address)
    throw new Problem('unauthenticated', 'sign-in.wrong', 'Wrong username or password.')
  }
  await throttle.forgive(throttled)
  refusePasswordWhenOff(account)
  if (passwords.isOutdated(hash)) await rehash(users, account, await passwords.hash(password))
  return account
}

/** Said only to somebody who knows the password: to anybody else the account looks like any other. */
function refusePasswordWhenOff({ signIn }: Account): void {
  if (signIn.isPasswordEnabled) return
  throw new Problem(
    'denied',
    'sign-in.password-off',
    'Password sign-in is switched off for this account. Please sign in with Google.',
  )
}

async function rehash(users: UserStore, { id, signIn }: Account, passwordHash: string): Promise<void> {
  await users.changeSignIn(id, (now) => (now.passwordHash === signIn.passwordHash ? { ...now, passwordHash } : now))
}
