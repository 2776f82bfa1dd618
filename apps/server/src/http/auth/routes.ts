import { getRegistration, getUser, login, logout, register } from '@tradewright/contract/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { offeredRegistration } from '../../auth/admission.ts'
import { register as registerUser, type RegisterDeps } from '../../auth/register.ts'
import { SecondStepNeeded } from '../../auth/second-factor.ts'
import type { Origin } from '../../auth/security-log.ts'
import type { SignedIn, Visit } from '../../auth/sessions.ts'
import { signIn, type SignInDeps } from '../../auth/sign-in.ts'
import { deviceCookieOf, setDeviceCookie } from '../server/security/device-cookie.ts'
import type { Handle } from '../server/handle.ts'
import {
  bearerTokenOf,
  clearSessionCookie,
  sessionCookieOf,
  setSessionCookie,
  type CookieScope,
} from '../server/security/session-cookie.ts'
import { mailSiteOf } from '../server/security/site-of.ts'

interface SiteScope extends CookieScope {
  appUrl: string | undefined
}

/** Register, sign in and out, and who am I. */
export function serveAuth(handle: Handle, services: RegisterDeps & SignInDeps, scope: SiteScope): void {
  handle(getRegistration, async () => ({
    registration: await offeredRegistration(services),
    min_password_length: services.passwordPolicy.minLength,
  }))

  handle(register, async ({ body, request, reply }) => {
    const signedIn = await registerUser(services, body, visitOf(request), mailSiteOf(request, scope.appUrl))
    return answerSignedIn(reply, scope, signedIn)
  })

  handle(login, async ({ body, request, reply }) => {
    const attempt = { login: body.email, password: body.password }
    try {
      const signedIn = await signIn(services, attempt, visitOf(request), mailSiteOf(request, scope.appUrl))
      return answerSignedIn(reply, scope, signedIn)
    } catch (error) {
      if (error instanceof SecondStepNeeded) setTicketCookie(reply, scope, error.ticket)
      throw error
    }
  })

  handle(logout, async ({ request, reply }) => {
    clearSessionCookie(reply, scope)
    await services.sessions.end('cookie', sessionCookieOf(request))
    await services.sessions.end('bearer', bearerTokenOf(request))
    return { success: true as const }
  })

  handle(getUser, async ({ user }) => user)
}

/** What the security log says of a call. */
export const originOf = ({ ip, headers }: FastifyRequest): Origin => ({
  address: ip,
  userAgent: headers['user-agent'] ?? '',
})

export function visitOf(request: FastifyRequest): Visit {
  const { headers } = request
  return {
    ...originOf(request),
    device: deviceCookieOf(request),
    isForwarded: headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined,
    oldCookie: sessionCookieOf(request),
  }
}

/** Names a sign-in whose password was right, and that waits for the second factor. It signs nothing in. */
export const TICKET_COOKIE = 'tradewright_second_step'
const TICKET_SECONDS = 600
export const ticketAttributes = ({ secure }: CookieScope) =>
  ({ path: '/api/login', httpOnly: true, sameSite: 'lax', secure }) as const

export const setTicketCookie = (reply: FastifyReply, scope: CookieScope, ticket: string): void =>
  void reply.setCookie(TICKET_COOKIE, ticket, { ...ticketAttributes(scope), maxAge: TICKET_SECONDS })

export function setSignInCookies(reply: FastifyReply, scope: CookieScope, { cookieSecret, deviceSecret }: SignedIn) {
  setSessionCookie(reply, scope, cookieSecret)
  setDeviceCookie(reply, scope, deviceSecret)
}

function answerSignedIn(reply: FastifyReply, scope: CookieScope, signedIn: SignedIn) {
  setSignInCookies(reply, scope, signedIn)
  const { id, username, email } = signedIn.user
  return { id, username, email, token: signedIn.bearerToken }
}
