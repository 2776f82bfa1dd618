import type { Clock } from '@tradewright/core/clock'
import type { FastifyInstance } from 'fastify'
import { argon2Hasher } from '../adapters/argon2/password-hasher.ts'
import { googleProvider } from '../adapters/google/provider.ts'
import type { Notifications } from '../adapters/postgres/notifications.ts'
import { limitConcurrency } from '../auth/concurrency-limit.ts'
import type { DeleteUserDeps } from '../auth/delete-user.ts'
import { createPasswords } from '../auth/passwords.ts'
import { removeExpired } from '../auth/remove-expired.ts'
import { createSessionCache, type SessionCache } from '../auth/session-cache.ts'
import { createSessions } from '../auth/sessions.ts'
import { createThrottle } from '../auth/throttle.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import { serveAuth } from '../http/auth.ts'
import { createAuthenticate } from '../http/authenticate.ts'
import { serveGoogle } from '../http/google.ts'
import type { Authenticate, Handle } from '../http/handle.ts'
import { serveOwnSessions } from '../http/own-sessions.ts'
import { cookieScope } from '../http/session-cookie.ts'
import { serveSignInMethods } from '../http/sign-in-methods.ts'
import { serveUserData } from '../http/user-data.ts'
import { createAttemptCounters } from '../stores/attempt-counters.ts'
import { createGoogleFlowStore } from '../stores/google-flows.ts'
import { createSessionStore, SESSION_REVOKED_CHANNEL } from '../stores/sessions.ts'
import { createUserRows } from '../stores/user-rows.ts'
import { createUserStore } from '../stores/users.ts'

/** Passwords hashed at the same moment, 19 MiB each, and how many more may wait. */
const HASHES_AT_ONCE = 4
const HASHES_WAITING = 500
const HOUR_MS = 3_600_000

export interface AuthArea {
  authenticate: Authenticate
  serve(app: FastifyInstance, handle: Handle): void
  /** Needs the other areas: a user leaves with what he has in them. */
  serveUserData(
    app: FastifyInstance,
    handle: Handle,
    others: Pick<DeleteUserDeps, 'files' | 'runningDeployments'>,
  ): void
}

/** Joins accounts and sessions to their tables, the password hasher, Google and the routes. */
export async function openAuthArea(config: Config, foundation: Foundation, clock: Clock): Promise<AuthArea> {
  const { database, notifications } = foundation
  const sessionStore = createSessionStore(database)
  const attemptCounters = createAttemptCounters(database)
  const googleFlows = createGoogleFlowStore(database)
  const cache = createSessionCache(clock)
  await forgetRevoked(notifications, cache)
  const isCacheTrusted = () => notifications.isListening()
  const sessions = createSessions({ store: sessionStore, cache, isCacheTrusted, clock })
  const services = {
    users: createUserStore(database),
    sessions,
    passwords: createPasswords(argon2Hasher(), limitConcurrency(HASHES_AT_ONCE, HASHES_WAITING)),
    throttle: createThrottle(attemptCounters, clock),
    google: config.google && googleProvider(config.google),
    googleFlows,
    clock,
  }
  const { appUrl } = config
  const scope = cookieScope(appUrl)
  const authenticate = createAuthenticate(sessions, appUrl)
  return {
    authenticate,
    serve(app, handle) {
      serveAuth(handle, services, scope)
      serveSignInMethods(handle, services)
      serveOwnSessions(handle, { ...services, sessionStore }, scope)
      serveGoogle({ app, handle, authenticate, appUrl, scope }, services)
      hourly(app, () => removeExpired({ sessionStore, googleFlows, attemptCounters, clock }))
    },
    serveUserData(app, handle, others) {
      const rows = createUserRows(database)
      serveUserData({ app, handle, authenticate, scope }, { ...services, ...others, rows })
    },
  }
}

const forgetRevoked = (notifications: Notifications, cache: SessionCache): Promise<void> =>
  notifications.listen(
    SESSION_REVOKED_CHANNEL,
    (sessionId) => cache.forget(sessionId),
    () => cache.forgetAll(),
  )

/** At the start as well: a program that is stopped every evening would otherwise never come to it. */
function hourly(app: FastifyInstance, work: () => Promise<void>): void {
  const tryWork = () =>
    work().catch((error: unknown) => app.log.warn({ err: error }, 'removing what has expired failed'))
  const timer = setInterval(() => void tryWork(), HOUR_MS)
  timer.unref()
  app.addHook('onReady', tryWork)
  app.addHook('onClose', () => clearInterval(timer))
}
