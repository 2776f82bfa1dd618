import type { FastifyReply, FastifyRequest } from 'fastify'

export const SESSION_COOKIE = 'tradewright_session'

/**
 * The longest that browsers keep a cookie. The session's row decides when it ends; so no answer has to renew the
 * cookie, and no late answer can bring an old one back.
 */
const COOKIE_MAX_AGE_SECONDS = 400 * 86_400

export interface CookieScope {
  /** Sent over TLS alone, when that is how users reach us. */
  secure: boolean
}

export const cookieScope = (appUrl: string | undefined): CookieScope => ({
  secure: appUrl?.startsWith('https://') ?? false,
})

const attributes = ({ secure }: CookieScope) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const

export function setSessionCookie(reply: FastifyReply, scope: CookieScope, secret: string): void {
  void reply.setCookie(SESSION_COOKIE, secret, { ...attributes(scope), maxAge: COOKIE_MAX_AGE_SECONDS })
}

export function clearSessionCookie(reply: FastifyReply, scope: CookieScope): void {
  void reply.clearCookie(SESSION_COOKIE, attributes(scope))
}

export const sessionCookieOf = (request: FastifyRequest): string | undefined => request.cookies[SESSION_COOKIE]

export const bearerTokenOf = (request: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
