import type { Clock } from '@tradewright/core/clock'
import { type CallScope, isTradeScope, type KeyScope } from '@tradewright/core/key-scopes'
import { Problem } from '@tradewright/core/problem'
import { randomUUID } from 'node:crypto'
import { type PasswordCheckDeps, provePassword } from './change-password.ts'
import { requireFreshSignIn } from './fresh-sign-in.ts'
import type { ApiKey, ApiKeyStore, AttemptCounters, FoundKey } from './ports.ts'
import { networkHash } from './known-places.ts'
import { hashSecret, looksLikeSecret, newSecret } from './secret.ts'
import type { Origin, SecurityLog } from './security-log.ts'
import { signInMethodsOf } from './sign-in-methods.ts'
import { tooMany } from './throttle.ts'
import { accountSuspended, type User } from './user.ts'

/** No bearer token of a session begins so: those are 43 characters without it. */
const PREFIX = 'tw_'
const SHOWN_CHARACTERS = 8
const MAX_KEYS = 50
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Revoked and expired keys, so that a call with one can be told why it is refused. */
export const KEY_RETENTION_DAYS = 90

export interface ApiKeyDeps extends OwnerProofDeps {
  readonly apiKeys: ApiKeyStore
}

interface Wish {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly days: number
  readonly callsPerMinute: number
}

export interface OwnerProof {
  readonly sessionId: string
  readonly from: Origin
  readonly signedInAt: Date
  readonly password: string
}

export interface OwnerProofDeps extends PasswordCheckDeps {
  readonly clock: Clock
}

/**
 * Proves that it is the owner, and not only a session that was taken over: by the password, or a fresh sign-in where
 * there is none.
 */
export async function proveOwner(
  deps: OwnerProofDeps,
  userId: number,
  { password, sessionId, signedInAt, from }: OwnerProof,
  missing: string,
): Promise<void> {
  const { passwordHash } = await signInMethodsOf(deps.users, userId)
  if (passwordHash === null) requireFreshSignIn(signedInAt, deps.clock.now())
  else if (password === '') throw new Problem('invalid', 'password.missing', missing)
  else await provePassword(deps, { userId, password, sessionId, from })
}

export const isApiKey = (bearer: string): boolean => bearer.startsWith(PREFIX)

/** A key outlives the session that makes it, so a stolen session must not be enough. */
export async function createApiKey(
  deps: ApiKeyDeps,
  user: User,
  { name, scopes, days, callsPerMinute }: Wish,
  proof: OwnerProof,
): Promise<{ key: ApiKey; secret: string }> {
  const { apiKeys, clock } = deps
  const createdAt = clock.now()
  await proveOwner(deps, user.id, proof, 'Enter your password to create an API key.')
  const secret = PREFIX + newSecret()
  const key: ApiKey = {
    id: randomUUID(),
    name,
    beginsWith: secret.slice(0, SHOWN_CHARACTERS),
    scopes: [...new Set(scopes)],
    callsPerMinute,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + days * DAY_MS),
    lastUsedAt: null,
  }
  if (await apiKeys.insert(user.id, { ...key, keyHash: hashSecret(secret) }, MAX_KEYS)) {
    await deps.securityLog.record('key.created', { userId: user.id, from: proof.from, detail: name })
    return { key, secret }
  }
  throw new Problem('conflict', 'api-key.many', `You have ${MAX_KEYS} API keys. Revoke one that you do not need.`)
}

export async function revokeApiKey(
  { apiKeys, clock, securityLog }: ApiKeyDeps,
  userId: number,
  id: string,
  from: Origin,
): Promise<void> {
  const name = await apiKeys.revoke(userId, id, clock.now())
  if (name !== undefined) return securityLog.record('key.revoked', { userId, from, detail: name })
  throw new Problem('missing', 'api-key.missing', 'There is no such API key.')
}

interface CheckDeps {
  readonly apiKeys: ApiKeyStore
  readonly counters: AttemptCounters
  readonly clock: Clock
  readonly securityLog: SecurityLog
}

/** The key behind a bearer token, for a call that needs `scope`; undefined: one that no key may make. */
export async function checkApiKey(
  { apiKeys, counters, clock, securityLog }: CheckDeps,
  bearer: string,
  from: Origin,
  scope: CallScope | undefined,
  { isCounted = true }: { isCounted?: boolean } = {},
): Promise<FoundKey> {
  const secret = bearer.slice(PREFIX.length)
  const key = looksLikeSecret(secret) ? await apiKeys.find(hashSecret(bearer)) : undefined
  if (!key) throw refused('unknown', 'This API key is unknown. Make one in Settings, API Keys.')
  const now = clock.now()
  if (key.revokedAt) throw refused('revoked', `The API key “${key.name}” was revoked on ${dayOf(key.revokedAt)}.`)
  if (key.expiresAt <= now) throw refused('expired', `The API key “${key.name}” expired on ${dayOf(key.expiresAt)}.`)
  if (key.isSuspended) throw accountSuspended()
  if (isCounted) {
    const count = await counters.add(`api key ${key.id}`, now, new Date(now.getTime() + MINUTE_MS))
    if (count.attempts > key.callsPerMinute) {
      throw tooMany(`calls with the API key “${key.name}” (${key.callsPerMinute} a minute)`, count.windowEndsAt, now)
    }
  }
  await apiKeys.used(key.id, now, new Date(now.getTime() - MINUTE_MS))
  if (await apiKeys.usedFrom(key.id, networkHash(from.address), now)) {
    await securityLog.record('key.new-place', { userId: key.user.id, from, detail: key.name })
  }
  refuseWithout(key.scopes, scope)
  return key
}

/** Whether the key has a scope for the call; for `trade`, any of the two: the account decides which one later. */
function refuseWithout(scopes: readonly KeyScope[], scope: CallScope | undefined): void {
  if (scope === undefined) {
    throw new Problem('denied', 'api-key.never', 'This call cannot be made with an API key. Use the web app.')
  }
  if (scope === 'any key') return
  const has = scope === 'trade' ? scopes.some(isTradeScope) : scopes.includes(scope)
  if (!has) throw lacks(scope === 'trade' ? 'trade-paper' : scope)
}

/** Whether a deployment trades real money, or an account does; undefined where there is none of the user's. */
export interface TradedMoney {
  ofDeployment(userId: number, id: number): Promise<'paper' | 'live' | undefined>
  ofAccount(userId: number, id: number): Promise<'paper' | 'live' | undefined>
  /** The kinds of money that the user's deployments trade: both, one or none. */
  ofAll(userId: number): Promise<('paper' | 'live')[]>
}

/** A call about what does not exist goes on, to be told so. */
export function refuseTrading(scopes: readonly KeyScope[], money: 'paper' | 'live' | undefined): void {
  if (money !== undefined && !scopes.includes(`trade-${money}`)) throw lacks(`trade-${money}`)
}

const lacks = (scope: KeyScope): Problem =>
  new Problem('denied', 'api-key.scope', `This API key does not have the scope “${scope}”, which this call needs.`, {
    facts: { scope },
  })

const refused = (code: string, sentence: string): Problem => new Problem('unauthenticated', `api-key.${code}`, sentence)

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
