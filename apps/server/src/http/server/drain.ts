import { EVENTS_PATH } from '@tradewright/contract/events'
import { getHealth, getReady } from '@tradewright/contract/health'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'

export interface DrainSettings {
  /** How long a process that closes still takes requests, so that balancers notice `/ready` before it is gone; 0: there is none. */
  readonly acceptMs: number
  /** How long a balancer that is late may go on sending requests after that, and those under way may take. */
  readonly finishMs: number
}

/** The time in which a process closes; tests let it pass. */
export interface DrainTiming {
  now(): number
  pause(milliseconds: number): Promise<unknown>
}

const realTiming: DrainTiming = { now: () => performance.now(), pause }

const POLL_INTERVAL_MS = 20
/** Without a request for so long, no balancer sends any. */
const QUIET_MS = 1_000
const PROBES: ReadonlySet<string | undefined> = new Set([getHealth.path, getReady.path])

/**
 * Keeps a process that closes answering until no balancer sends it requests, and until those it has are answered. Streams
 * of events have no end of their own: browsers connect again, elsewhere. To be added before what ends streams.
 */
export function drainBeforeClose(
  app: FastifyInstance,
  { acceptMs, finishMs }: DrainSettings,
  timing: DrainTiming = realTiming,
): void {
  const underWay = new Set<FastifyRequest>()
  let lastRequestAt = -Infinity
  app.addHook('onRequest', (request, reply, next) => {
    const { url } = request.routeOptions
    if (!PROBES.has(url)) lastRequestAt = timing.now()
    if (url !== EVENTS_PATH) {
      underWay.add(request)
      reply.raw.once('close', () => underWay.delete(request))
    }
    next()
  })
  app.addHook('preClose', async () => {
    await timing.pause(acceptMs)
    const deadline = timing.now() + finishMs
    const isAsked = () => acceptMs > 0 && timing.now() - lastRequestAt < QUIET_MS
    while ((underWay.size > 0 || isAsked()) && timing.now() < deadline) await timing.pause(POLL_INTERVAL_MS)
    if (underWay.size > 0)
      app.log.warn({ requests: underWay.size }, 'closing while requests are under way; their clients see an end')
  })
}
