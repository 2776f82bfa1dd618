import type { Clock } from '@tradewright/core/clock'
import { randomUUID } from 'node:crypto'
import type { Credential, Session, SessionStore } from './ports.ts'
import { hashSecret, looksLikeSecret, newSecret } from './secret.ts'
import type { SessionCache } from './session-cache.ts'
import type { User } from './user.ts'

const DAY_MS = 86_400_000
const LASTS_MS = 30 * DAY_MS
/** A used session lives on; writing that down once an hour is often enough for thirty days. */
const RENEW_AFTER_MS = 3_600_000
const USER_AGENT_LENGTH = 256

/** Where a sign-in comes from. */
export interface Visit {
  address: string
  userAgent: string
  /** The cookie the browser had already: its session ends with the new sign-in. */
  oldCookie: string | undefined
}

/** The only moment at which the secrets of a session are known. */
export interface SignedIn {
  user: User
  cookieSecret: string
  bearerToken: string
}

export interface Sessions {
  open(user: User, visit: Visit): Promise<SignedIn>
  find(credential: Credential, secret: string | undefined): Promise<Session | null>
  end(credential: Credential, secret: string | undefined): Promise<void>
  /** False when the user has no such session. */
  endOwn(userId: number, id: string): Promise<boolean>
  endAllOf(userId: number, keepId?: string): Promise<void>
}

export interface SessionsDeps {
  store: SessionStore
  cache: SessionCache
  /** False while news of revoked sessions cannot arrive: then nothing is taken from the cache. */
  isCacheTrusted: () => boolean
  clock: Clock
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, cache, isCacheTrusted, clock } = deps

  async function end(credential: Credential, secret: string | undefined): Promise<void> {
    if (!looksLikeSecret(secret)) return
    const id = await store.revokeBySecret(credential, hashSecret(secret))
    if (id) cache.forget(id)
  }

  async function read(credential: Credential, hash: Buffer): Promise<Session | null> {
    const now = clock.now()
    const session = await store.find(credential, hash, now)
    if (!session || now.getTime() - session.lastUsedAt.getTime() < RENEW_AFTER_MS) return session
    const renewed = { ...session, lastUsedAt: now, expiresAt: new Date(now.getTime() + LASTS_MS) }
    await store.renew(session.id, renewed.lastUsedAt, renewed.expiresAt)
    return renewed
  }

  return {
    async open(user, { address, userAgent, oldCookie }) {
      await end('cookie', oldCookie)
      const cookieSecret = newSecret()
      const bearerToken = newSecret()
      const createdAt = clock.now()
      await store.insert({
        id: randomUUID(),
        userId: user.id,
        cookieHash: hashSecret(cookieSecret),
        bearerHash: hashSecret(bearerToken),
        userAgent: userAgent.slice(0, USER_AGENT_LENGTH),
        address,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + LASTS_MS),
      })
      return { user, cookieSecret, bearerToken }
    },

    async find(credential, secret) {
      if (!looksLikeSecret(secret)) return null
      const hash = hashSecret(secret)
      if (!isCacheTrusted()) return read(credential, hash)
      const key = `${credential} ${hash.toString('base64')}`
      return cache.get(key) ?? cache.load(key, () => read(credential, hash))
    },

    end,

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
