import { Problem } from '@tradewright/core/problem'
import type { FastifyRequest } from 'fastify'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Browsers send our cookie along with what other sites make them send, but they say who that was. Programs say
 * nothing and pass.
 */
export function refuseForeignOrigin(request: FastifyRequest, appUrl: string | undefined): void {
  if (SAFE_METHODS.has(request.method)) return
  const { origin } = request.headers
  const isForeign = request.headers['sec-fetch-site'] === 'cross-site'
  if (!isForeign && (origin === undefined || isOurs(origin, request, appUrl))) return
  throw new Problem('denied', 'origin.foreign', 'This request came from another site and was refused.')
}

function isOurs(origin: string, request: FastifyRequest, appUrl: string | undefined): boolean {
  const from = URL.parse(origin)
  if (!from) return false
  // The Host header is one of ours, host-check.ts has seen to that. The scheme is not compared with our own: a proxy
  // that speaks TLS for us leaves us none to compare.
  const { host = '' } = request.headers
  return from.host === URL.parse(`${from.protocol}//${host}`)?.host || from.origin === originOf(appUrl)
}

const originOf = (appUrl: string | undefined): string | undefined => (appUrl ? URL.parse(appUrl)?.origin : undefined)
