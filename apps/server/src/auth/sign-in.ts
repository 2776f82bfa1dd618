import { Problem } from '@tradewright/core/problem'
import type { Asker } from '../turn-queue.ts'
import { originOf } from './known-places.ts'
import { network } from './network.ts'
import type { Passwords } from './passwords.ts'
import type { KnownPlaceStore, UserStore } from './ports.ts'
import { beginSecondStep, type SecondFactorStore, SecondStepNeeded } from './second-factor.ts'
import type { SecurityLog } from './security-log.ts'
import { type Sessions, type SignedIn, type Visit, wrongPassword } from './sessions.ts'
import type { AttemptOrigin, Throttle } from './throttle.ts'
import type { Account } from './user.ts'
import { usernameKey } from './username-key.ts'
import { EMAIL_UNVERIFIED, refuseUnverified, sendVerificationLater, type VerifyEmailDeps } from './verify-email.ts'

export interface SignInDeps extends VerifyEmailDeps {
  users: UserStore
  sessions: Sessions
  passwords: Passwords
  throttle: Throttle
  places: KnownPlaceStore
  securityLog: SecurityLog
  factors: SecondFactorStore
}

interface Login {
  /** A username, or the e-mail address of an account. */
  login: string
  password: string
}

/** The attempt as a whole takes a turn: many at once could otherwise all pass the check before one has failed. */
export async function signIn(
  deps: SignInDeps,
  { login, password }: Login,
  visit: Visit,
  site: string | undefined,
): Promise<SignedIn> {
  const key = usernameKey(login)
  const asker = await askerOf(deps, key, visit)
  const account = await deps.passwords.turns.run(asker, () => checkedAccount(deps, key, password, visit))
  try {
    refuseUnverified(deps, account)
  } catch (error) {
    if (error instanceof Problem && error.code === EMAIL_UNVERIFIED) sendVerificationLater(deps, account, site)
    throw error
  }
  const { passwordHash } = account.signIn
  const ticket = await beginSecondStep(deps, account, { passwordHash })
  if (ticket !== undefined) throw new SecondStepNeeded(ticket)
  return deps.sessions.open(account, visit, { passwordHash: passwordHash ?? undefined })
}

/** A browser that has no device cookie is asked about in no table: most of a flood has none. */
async function askerOf(deps: SignInDeps, key: string, visit: Visit): Promise<Asker> {
  const stranger = { account: key, address: network(visit.address), isKnown: false }
  if (visit.device === undefined) return stranger
  const candidates = await candidatesFor(deps, key, visit)
  // Counted apart: strangers who try the name do not use up the places of its owner.
  const isKnown = candidates.some(({ from }) => from.kind === 'device')
  return isKnown ? { ...stranger, account: `known ${key}`, isKnown } : stranger
}

/** One account that a name may mean, as the throttle counts it. Without an account the name itself is counted. */
interface Candidate {
  account: Account | null
  counted: string
  from: AttemptOrigin
}

/**
 * A name means at most two accounts (one's username is the other's address). Each is throttled on its own, and the
 * password decides; where both have the same, the verified address wins.
 */
async function checkedAccount(deps: SignInDeps, key: string, password: string, visit: Visit): Promise<Account> {
  const { users, passwords, throttle, securityLog } = deps
  const candidates = await unthrottled(deps, await candidatesFor(deps, key, visit), visit)
  for (const { account, counted, from } of candidates) {
    const hash = account?.signIn.passwordHash ?? null
    if (!(await passwords.verify(hash, password)) || !account || !hash) continue
    await throttle.forgive(counted, from)
    refusePasswordWhenOff(account)
    return passwords.isOutdated(hash) ? rehash(users, account, await passwords.hash(password)) : account
  }
  for (const { account, counted, from } of candidates) {
    await throttle.countFailure(counted, from)
    await securityLog.record('sign-in.failed', { userId: account?.id ?? null, from: visit })
  }
  throw wrongPassword()
}

async function candidatesFor(deps: SignInDeps, key: string, visit: Visit): Promise<Candidate[]> {
  const accounts = await deps.users.findByLogin(key)
  if (accounts.length === 0) return [{ account: null, counted: key, from: await originOf(deps, null, visit) }]
  return Promise.all(
    accounts.map(async (account) => ({
      account,
      counted: `user ${account.id}`,
      from: await originOf(deps, account.id, visit),
    })),
  )
}

/** The candidates whose next attempt need not wait; the refusal of the first when all must. */
async function unthrottled(
  { throttle, securityLog }: SignInDeps,
  candidates: readonly Candidate[],
  visit: Visit,
): Promise<Candidate[]> {
  const refusals: unknown[] = []
  const free: Candidate[] = []
  for (const candidate of candidates) {
    try {
      await throttle.checkSignIn(candidate.counted, candidate.from)
      free.push(candidate)
    } catch (error) {
      refusals.push(error)
    }
  }
  if (free.length === 0) {
    for (const { account } of candidates) {
      await securityLog.record('sign-in.locked', { userId: account?.id ?? null, from: visit })
    }
    throw refusals[0]
  }
  return free
}

/** Said only to a visitor who knows the password: to all others the account looks like any other. */
function refusePasswordWhenOff({ signIn }: Account): void {
  if (signIn.isPasswordEnabled) return
  throw new Problem(
    'denied',
    'sign-in.password-off',
    'Password sign-in is switched off for this account. Please sign in with Google.',
  )
}

/** The account with its new hash; with the old one when the password was changed meanwhile. */
async function rehash(users: UserStore, account: Account, passwordHash: string): Promise<Account> {
  const { id, signIn } = account
  let isReplaced = false
  await users.changeSignIn(id, (now) => {
    isReplaced = now.passwordHash === signIn.passwordHash
    return isReplaced ? { ...now, passwordHash } : now
  })
  return isReplaced ? { ...account, signIn: { ...signIn, passwordHash } } : account
}
