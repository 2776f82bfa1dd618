import type { Clock } from '@tradewright/core/clock'
import type { FastifyInstance } from 'fastify'
import { argon2Hasher } from '../adapters/argon2/password-hasher.ts'
import { googleProvider } from '../adapters/google/provider.ts'
import { passkeys } from '../adapters/webauthn/passkeys.ts'
import { smtpMailer } from '../adapters/smtp/mailer.ts'
import type { Notifications } from '../adapters/postgres/notifications.ts'
import type { DeleteUserDeps } from '../auth/delete-user.ts'
import { createPasswords } from '../auth/passwords.ts'
import type { IsOperator } from '../auth/operator.ts'
import type { PasswordHasher, UserFiles } from '../auth/ports.ts'
import { createPasswordPolicy } from '../auth/password-policy.ts'
import { removeExpired } from '../auth/remove-expired.ts'
import { requireFactor } from '../auth/second-factor.ts'
import { createSecurityLog } from '../auth/security-log.ts'
import { createSessionCache, type SessionCache } from '../auth/session-cache.ts'
import { createSessions } from '../auth/sessions.ts'
import { createThrottle } from '../auth/throttle.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import { serveAccountActions } from '../http/operator/routes.ts'
import { serveApiKeys } from '../http/auth/api-keys.ts'
import { serveAuth } from '../http/auth/routes.ts'
import { createAuthenticate } from '../http/server/security/authenticate.ts'
import { serveGoogle } from '../http/auth/google.ts'
import type { Downloads } from '../http/server/downloads.ts'
import type { Authenticate, Handle } from '../http/server/handle.ts'
import { serveOwnFormats } from '../http/auth/own-formats.ts'
import { serveOwnEmail } from '../http/auth/own-email.ts'
import { serveOwnSessions } from '../http/auth/own-sessions.ts'
import { serveSecondFactor } from '../http/auth/second-factor.ts'
import { serveSecurityLog } from '../http/auth/security-log.ts'
import { cookieScope } from '../http/server/security/session-cookie.ts'
import { serveSignInMethods } from '../http/auth/sign-in-methods.ts'
import { serveUserData } from '../http/auth/user-data.ts'
import { isLoopbackOnly } from '../loopback-only.ts'
import type { Logger } from '../log.ts'
import { createAccountStateStore } from '../stores/auth/account-states.ts'
import { createApiKeyStore } from '../stores/auth/api-keys.ts'
import { createAttemptCounters } from '../stores/auth/attempt-counters.ts'
import { createEmailVerificationStore } from '../stores/auth/email-verifications.ts'
import { createGoogleFlowStore } from '../stores/auth/google-flows.ts'
import { createInvitationStore } from '../stores/auth/invitations.ts'
import { createKnownPlaceStore } from '../stores/auth/known-places.ts'
import { createSessionStore, SESSION_CHANGED_CHANNEL, SESSION_REVOKED_CHANNEL } from '../stores/auth/sessions.ts'
import { createSecondFactorStore } from '../stores/auth/second-factors.ts'
import { createSecurityEventStore } from '../stores/auth/security-events.ts'
import { newestMigration } from '../stores/migrate.ts'
import { createUserRows } from '../stores/auth/user-rows.ts'
import { createUserFormatsStore } from '../stores/auth/user-formats.ts'
import { createUserStore } from '../stores/auth/users.ts'

/** Where other machines reach the instance. */
const DEFAULT_MIN_PASSWORD_LENGTH = 8
const HOUR_MS = 3_600_000

interface AuthArea {
  authenticate: Authenticate
  requireFactor: (userId: number, factorAt: Date | null) => Promise<void>
  /** `tidy` is done every hour, with what this area has to remove. */
  serve(app: FastifyInstance, handle: Handle, tidy: () => Promise<void>): void
  /** For the operator; an account leaves with its files. */
  serveAccountActions(handle: Handle, isOperator: IsOperator, files: UserFiles): void
  /** Needs the other areas: a user leaves with what they have in them. */
  serveUserData(
    app: FastifyInstance,
    handle: Handle,
    others: Pick<DeleteUserDeps, 'files' | 'runningDeployments'>,
    downloads: Downloads,
  ): void
}

/** Joins accounts and sessions to their tables, the password hasher, Google and the routes. */
export async function openAuthArea(
  config: Config,
  foundation: Foundation,
  { clock, log, hasher = argon2Hasher() }: { clock: Clock; log: Logger; hasher?: PasswordHasher | undefined },
): Promise<AuthArea> {
  const { database, notifications } = foundation
  const sessionStore = createSessionStore(database)
  const attemptCounters = createAttemptCounters(database)
  const apiKeys = createApiKeyStore(database)
  const googleFlows = createGoogleFlowStore(database)
  const cache = createSessionCache(clock)
  await forgetChanged(notifications, cache)
  const isCacheTrusted = () => notifications.isListening()
  const places = createKnownPlaceStore(database)
  const maxAgeDays = config.sessionMaxDays
  const isLocal = isLoopbackOnly(config)
  const mailer = smtpMailer({ url: config.smtpUrl, from: config.mailFrom })
  const users = createUserStore(database)
  const events = createSecurityEventStore(database)
  const securityLog = createSecurityLog({ events, users, mailer, counters: attemptCounters, clock, log })
  const sessions = createSessions({
    store: sessionStore,
    cache,
    isCacheTrusted,
    clock,
    places,
    maxAgeDays,
    securityLog,
  })
  const factors = createSecondFactorStore(database, foundation.seal)
  const services = {
    users,
    factors,
    passkeys,
    securityLog,
    sessions,
    passwords: createPasswords(hasher),
    passwordPolicy: createPasswordPolicy(config.minPasswordLength ?? (isLocal ? 1 : DEFAULT_MIN_PASSWORD_LENGTH)),
    throttle: createThrottle({ counters: attemptCounters, clock, exemptsLoopback: isLocal }),
    places,
    maxAgeDays,
    registration: config.registration,
    operatorUser: config.operatorUser,
    invitations: createInvitationStore(database),
    verifications: createEmailVerificationStore(database),
    counters: attemptCounters,
    mailer,
    log,
    google: config.google && googleProvider(config.google),
    googleFlows,
    apiKeys,
    clock,
  }
  const { appUrl } = config
  const scope = cookieScope(appUrl)
  const authenticate = createAuthenticate(sessions, { apiKeys, counters: attemptCounters, clock, securityLog }, appUrl)
  return {
    authenticate,
    requireFactor: (userId, factorAt) => requireFactor(services, userId, factorAt),
    serve(app, handle, tidy) {
      serveAuth(handle, services, { ...scope, appUrl })
      serveOwnEmail(handle, services, appUrl)
      serveOwnFormats(handle, { formats: createUserFormatsStore(database) })
      serveSignInMethods(handle, services)
      serveApiKeys(handle, services)
      serveSecondFactor(handle, services, { ...scope, appUrl })
      serveSecurityLog(handle, events)
      serveOwnSessions(handle, { ...services, sessionStore }, scope)
      serveGoogle({ app, handle, authenticate, appUrl, scope }, services)
      hourly(app, async () => {
        await removeExpired({ ...services, sessionStore, attemptCounters })
        await tidy()
      })
      app.addHook('onClose', () => mailer.close())
    },
    serveAccountActions(handle, isOperator, files) {
      const accounts = createAccountStateStore(database)
      serveAccountActions(handle, isOperator, { ...services, accounts, sessionStore, hasher, files })
    },
    serveUserData(app, handle, others, downloads) {
      const rows = createUserRows(database)
      serveUserData(
        { app, handle, authenticate, scope, downloads },
        { ...services, ...others, rows, schema: newestMigration },
      )
    },
  }
}

async function forgetChanged(notifications: Notifications, cache: SessionCache): Promise<void> {
  for (const channel of [SESSION_REVOKED_CHANNEL, SESSION_CHANGED_CHANNEL]) {
    await notifications.listen(
      channel,
      (sessionId) => cache.forget(sessionId),
      () => cache.forgetAll(),
    )
  }
}

/** At the start as well: a program that is stopped every evening would otherwise never come to it. */
function hourly(app: FastifyInstance, work: () => Promise<void>): void {
  const tryWork = () =>
    work().catch((error: unknown) => app.log.warn({ err: error }, 'removing what has expired failed'))
  const timer = setInterval(() => void tryWork(), HOUR_MS)
  timer.unref()
  app.addHook('onReady', tryWork)
  app.addHook('onClose', () => clearInterval(timer))
}
