import { Problem } from '@tradewright/core/problem'
import type { FastifyRequest } from 'fastify'

/** The address that links to this site begin with: the operator's, or the one that the request came to. */
export function siteOf(request: FastifyRequest, appUrl: string | undefined): string {
  const site = appUrl ?? URL.parse(`${request.protocol}://${request.host}`)?.origin
  if (site === undefined) throw new Problem('invalid', 'request.host', 'The Host header could not be understood.')
  return site
}
