import { createHash, timingSafeEqual } from 'node:crypto'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../observe/metrics.ts'
import { bearerTokenOf } from '../server/security/session-cookie.ts'

export const METRICS_PATH = '/metrics'

/** Counts every answer by the pattern of its path, from now on. */
export function countCalls(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const isStream = String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream')
    metrics.recordCall({
      method: request.method,
      // A path that no route has would be a label of its own.
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      seconds: isStream ? undefined : reply.elapsedTime / 1_000,
    })
  })
}

/** For Prometheus alone: to any other caller there is nothing at this path. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, token: string): void {
  app.get(METRICS_PATH, { schema: { hide: true } }, async (request, reply) => {
    if (!isToken(bearerTokenOf(request), token)) {
      throw new Problem('missing', 'route.unknown', `There is nothing at GET ${METRICS_PATH}.`)
    }
    const text = await metrics.text()
    return reply.type(metrics.contentType).header('cache-control', 'no-store').send(text)
  })
}

/** Compared by their hashes, which takes as long whatever was sent. */
export function isToken(sent: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return sent !== undefined && timingSafeEqual(hash(sent), hash(token))
}
