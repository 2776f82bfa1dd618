import { Problem } from '@tradewright/core/problem'
import type { FastifyRequest } from 'fastify'
import { isIP } from 'node:net'

/** The address that links to this site begin with: the operator's, or the one that the request came to. */
export function siteOf(request: FastifyRequest, appUrl: string | undefined): string {
  const site = appUrl ?? URL.parse(`${request.protocol}://${request.host}`)?.origin
  if (site === undefined) throw new Problem('invalid', 'request.host', 'The Host header could not be understood.')
  return site
}

/**
 * Where links in e-mails lead. A server that listens everywhere answers to any address, so that a Host header could lead
 * the reader of a mail to a foreign server: an address counts only when the request arrived at it.
 */
export function mailSiteOf(request: FastifyRequest, appUrl: string | undefined): string | undefined {
  const host = request.hostname.replace(/^\[|\]$/g, '')
  const arrivedAt = request.socket.localAddress?.replace(/^::ffff:/, '')
  return appUrl === undefined && isIP(host) !== 0 && host !== arrivedAt ? undefined : siteOf(request, appUrl)
}
