import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { randomUUID } from 'node:crypto'
import type { Credential, Session, SessionStore } from './ports.ts'
import { type KnownPlacesDeps, type Place, rememberPlace } from './known-places.ts'
import { hashSecret, looksLikeSecret, newSecret } from './secret.ts'
import type { SecurityLog } from './security-log.ts'
import type { SessionCache } from './session-cache.ts'
import { accountSuspended, type User } from './user.ts'

const DAY_MS = 86_400_000
/** How long a session lasts without use. */
const IDLE_LIMIT_MS = 30 * DAY_MS
/** A used session lives on; writing that down once an hour is often enough for thirty days. */
const RENEW_AFTER_MS = 3_600_000
const USER_AGENT_LENGTH = 256

/** Where a sign-in comes from. */
export interface Visit extends Place {
  /** Whether a proxy passed the request on, trusted or not. */
  isForwarded: boolean
  /** The cookie the browser had already: its session ends with the new sign-in. */
  oldCookie: string | undefined
}

/** The only moment at which the secrets of a session are known. */
export interface SignedIn {
  user: User
  cookieSecret: string
  bearerToken: string
  /** For the cookie by which the account knows this browser again. Signs nothing in. */
  deviceSecret: string
}

interface OpenOptions {
  readonly passwordHash?: string | undefined
  readonly isFirst?: boolean
  /** When a second factor was given for it. */
  readonly factorAt?: Date
}

export interface Sessions {
  /**
   * Refused when the user has another password by now than the one of `passwordHash`, which was given for it. `isFirst`: the
   * account was made a moment ago.
   */
  open(user: User, visit: Visit, options?: OpenOptions): Promise<SignedIn>
  find(credential: Credential, secret: string | undefined): Promise<Session | null>
  end(credential: Credential, secret: string | undefined): Promise<void>
  /** The session gave a second factor. */
  confirmFactor(id: string): Promise<void>
  /** False when the user has no such session. */
  endOwn(userId: number, id: string): Promise<boolean>
  endAllOf(userId: number, keepId?: string): Promise<void>
}

interface SessionsDeps extends KnownPlacesDeps {
  store: SessionStore
  cache: SessionCache
  /** False while news of revoked sessions cannot arrive: then nothing is taken from the cache. */
  isCacheTrusted: () => boolean
  clock: Clock
  /** However much a session is used, it ends this long after the sign-in. */
  maxAgeDays: number
  securityLog: SecurityLog
}

/** Refuses a sign-in; the same whether the name or the password is wrong. */
export const wrongPassword = (): Problem =>
  new Problem('unauthenticated', 'sign-in.wrong', 'Wrong username or password.')

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, cache, isCacheTrusted, clock, maxAgeDays } = deps

  /** The setting may have been lowered since the session began. */
  const endOf = ({ createdAt, expiresAt }: Pick<Session, 'createdAt' | 'expiresAt'>): Date =>
    new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + maxAgeDays * DAY_MS))
  const idleEnd = (now: Date) => new Date(now.getTime() + IDLE_LIMIT_MS)

  async function end(credential: Credential, secret: string | undefined): Promise<void> {
    if (!looksLikeSecret(secret)) return
    const id = await store.revokeBySecret(credential, hashSecret(secret))
    if (id) cache.forget(id)
  }

  async function read(credential: Credential, hash: Buffer): Promise<Session | null> {
    const now = clock.now()
    const found = await store.find(credential, hash, now)
    const session = found && { ...found, expiresAt: endOf(found) }
    if (!session || session.expiresAt <= now) return null
    if (now.getTime() - session.lastUsedAt.getTime() < RENEW_AFTER_MS) return session
    const renewed = { ...session, lastUsedAt: now, expiresAt: endOf({ ...session, expiresAt: idleEnd(now) }) }
    await store.renew(session.id, renewed.lastUsedAt, renewed.expiresAt)
    return renewed
  }

  return {
    async open(user, visit, { passwordHash, isFirst = false, factorAt } = {}) {
      const { address, userAgent, oldCookie } = visit
      await end('cookie', oldCookie)
      const { secret: deviceSecret, isNew } = await rememberPlace(deps, user.id, visit)
      const cookieSecret = newSecret()
      const bearerToken = newSecret()
      const createdAt = clock.now()
      const session = {
        id: randomUUID(),
        userId: user.id,
        cookieHash: hashSecret(cookieSecret),
        bearerHash: hashSecret(bearerToken),
        userAgent: userAgent.slice(0, USER_AGENT_LENGTH),
        address,
        createdAt,
        factorAt: factorAt ?? null,
        expiresAt: endOf({ createdAt, expiresAt: idleEnd(createdAt) }),
      }
      const isOpened = await store.insert(session, passwordHash)
      if (isOpened === 'suspended') throw accountSuspended()
      if (!isOpened) throw wrongPassword()
      const kind = isFirst ? 'account.registered' : isNew ? 'sign-in.new-device' : 'sign-in'
      await deps.securityLog.record(kind, { userId: user.id, from: visit })
      return { user, cookieSecret, bearerToken, deviceSecret }
    },

    async find(credential, secret) {
      if (!looksLikeSecret(secret)) return null
      const hash = hashSecret(secret)
      if (!isCacheTrusted()) return read(credential, hash)
      const key = `${credential} ${hash.toString('base64')}`
      return cache.get(key) ?? cache.load(key, () => read(credential, hash))
    },

    end,

    async confirmFactor(id) {
      await store.confirmFactor(id, clock.now())
      cache.forget(id)
    },

    async endOwn(userId, id) {
      const hasEnded = await store.revokeOwn(userId, id)
      if (hasEnded) cache.forget(id)
      return hasEnded
    },

    async endAllOf(userId, keepId) {
      for (const id of await store.revokeAll(userId, keepId)) cache.forget(id)
    },
  }
}
