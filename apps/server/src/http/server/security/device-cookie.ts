import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieScope } from './session-cookie.ts'

/** By it an account knows a browser again, so that strangers' failed sign-ins do not shut it out. It signs nothing in. */
const DEVICE_COOKIE = 'tradewright_device'
const COOKIE_MAX_AGE_SECONDS = 400 * 86_400

export function setDeviceCookie(reply: FastifyReply, { secure }: CookieScope, secret: string): void {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: COOKIE_MAX_AGE_SECONDS } as const
  void reply.setCookie(DEVICE_COOKIE, secret, attributes)
}

export const deviceCookieOf = (request: FastifyRequest): string | undefined => request.cookies[DEVICE_COOKIE]
