import type { Clock } from '@tradewright/core/clock'
import { argon2Hasher } from '../adapters/argon2/password-hasher.ts'
import { limitConcurrency } from '../auth/concurrency-limit.ts'
import { createPasswords } from '../auth/passwords.ts'
import { createSessionCache } from '../auth/session-cache.ts'
import { createSessions } from '../auth/sessions.ts'
import { createThrottle } from '../auth/throttle.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import { serveAuth } from '../http/auth.ts'
import { createAuthenticate } from '../http/authenticate.ts'
import type { Authenticate, Handle } from '../http/handle.ts'
import { cookieScope } from '../http/session-cookie.ts'
import { createAttemptCounters } from '../stores/attempt-counters.ts'
import { createSessionStore, SESSION_REVOKED_CHANNEL } from '../stores/sessions.ts'
import { createUserStore } from '../stores/users.ts'

/** Passwords hashed at the same moment, 19 MiB each, and how many more may wait. */
const HASHES_AT_ONCE = 4
const HASHES_WAITING = 500

export interface AuthArea {
  authenticate: Authenticate
  serve(handle: Handle): void
}

/** Joins accounts and sessions to their tables, the password hasher and the routes. */
export async function openAuthArea(config: Config, foundation: Foundation, clock: Clock): Promise<AuthArea> {
  const { database, notifications } = foundation
  const cache = createSessionCache(clock)
  await notifications.listen(
    SESSION_REVOKED_CHANNEL,
    (sessionId) => cache.forget(sessionId),
    () => cache.forgetAll(),
  )
  const sessions = createSessions({
    store: createSessionStore(database),
    cache,
    isCacheTrusted: () => notifications.isListening(),
    clock,
  })
  const services = {
    users: createUserStore(database),
    sessions,
    passwords: createPasswords(argon2Hasher(), limitConcurrency(HASHES_AT_ONCE, HASHES_WAITING)),
    throttle: createThrottle(createAttemptCounters(database), clock),
    clock,
  }
  return {
    authenticate: createAuthenticate(sessions, config.appUrl),
    serve: (handle) => serveAuth(handle, services, cookieScope(config.appUrl)),
  }
}
