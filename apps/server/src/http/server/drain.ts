import { EVENTS_PATH } from '@tradewright/contract/events'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'

export interface DrainSettings {
  /** How long a process that closes still takes requests, so that balancers notice `/ready` before it is gone. */
  readonly acceptMs: number
  /** How long requests that are under way may take after that. */
  readonly finishMs: number
}

const POLL_INTERVAL_MS = 20

/**
 * Keeps a process that closes answering until no balancer sends it requests, and until those it has are answered. Streams
 * of events have no end of their own: browsers connect again, elsewhere. To be added before what ends streams.
 */
export function drainBeforeClose(app: FastifyInstance, { acceptMs, finishMs }: DrainSettings): void {
  const underWay = new Set<FastifyRequest>()
  app.addHook('onRequest', (request, reply, next) => {
    if (request.routeOptions.url !== EVENTS_PATH) {
      underWay.add(request)
      reply.raw.once('close', () => underWay.delete(request))
    }
    next()
  })
  app.addHook('preClose', async () => {
    await pause(acceptMs)
    const deadline = performance.now() + finishMs
    while (underWay.size > 0 && performance.now() < deadline) await pause(POLL_INTERVAL_MS)
    if (underWay.size > 0)
      app.log.warn({ requests: underWay.size }, 'closing while requests are under way; their clients see an end')
  })
}
