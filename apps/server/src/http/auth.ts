import { getUser, login, logout, register } from '@tradewright/contract/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { register as registerUser, type RegisterDeps } from '../auth/register.ts'
import type { Sessions, SignedIn, Visit } from '../auth/sessions.ts'
import { signIn, type SignInDeps } from '../auth/sign-in.ts'
import type { Handle } from './handle.ts'
import {
  bearerTokenOf,
  clearSessionCookie,
  sessionCookieOf,
  setSessionCookie,
  type CookieScope,
} from './session-cookie.ts'

/** Register, sign in and out, and who am I. */
export function serveAuth(
  handle: Handle,
  services: RegisterDeps & SignInDeps & { sessions: Sessions },
  scope: CookieScope,
): void {
  handle(register, async ({ body, request, reply }) =>
    answerSignedIn(reply, scope, await registerUser(services, body, visitOf(request))),
  )

  handle(login, async ({ body, request, reply }) => {
    const { email, password } = body
    return answerSignedIn(reply, scope, await signIn(services, { login: email, password }, visitOf(request)))
  })

  handle(logout, async ({ request, reply }) => {
    clearSessionCookie(reply, scope)
    await services.sessions.end('cookie', sessionCookieOf(request))
    await services.sessions.end('bearer', bearerTokenOf(request))
    return { success: true as const }
  })

  handle(getUser, async ({ user }) => user)
}

export function visitOf(request: FastifyRequest): Visit {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    oldCookie: sessionCookieOf(request),
  }
}

function answerSignedIn(reply: FastifyReply, scope: CookieScope, { user, cookieSecret, bearerToken }: SignedIn) {
  setSessionCookie(reply, scope, cookieSecret)
  return { ...user, token: bearerToken }
}
