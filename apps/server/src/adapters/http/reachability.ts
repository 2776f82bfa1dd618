import { HOUR, MINUTE, SECOND, type UtcMillis } from '@tradewright/core/time'
import { Socket } from 'node:net'
import { untilAborted } from '../../until-aborted.ts'
import { HttpFailure } from './http-failure.ts'

/** fetch waits 10 seconds for a connection and cannot be told otherwise. */
const CONNECT_LIMIT_MS = 1.2 * SECOND
const UNREACHABLE_MS = MINUTE
const NEVER = new AbortController().signal
/** For so long after an answer a host is taken to be there, and a failed call is repeated as usual. */
const ANSWERED_MS = HOUR

/**
 * Which hosts did not answer at all a moment ago, for one process: without a network, a user would otherwise wait for every
 * ticker anew. Any answer, also a refusal, shows that the host is there.
 */
export interface Reachability {
  /** Throws at once where the host was found unreachable a moment ago; a host that has not answered yet is connected to. */
  assertReachable(url: URL, signal: AbortSignal): Promise<void>
  /** Finds out about these hosts now, before anyone waits for them. */
  probe(urls: readonly URL[]): Promise<void>
  noteAnswer(url: URL): void
  /** A call that got no answer, after all its tries. */
  noteSilence(url: URL): void
  /** Whether it was found unreachable a moment ago. */
  isSilent(url: URL): boolean
  /** Whether it answered lately, so that another try makes sense. */
  hasAnswered(url: URL): boolean
  /** Ask every host again: the user wants it. */
  forget(): void
}

export type Connect = (url: URL, limitMillis: number, signal: AbortSignal) => Promise<void>

export function rememberReachability(now: () => UtcMillis, connect: Connect = connectTo): Reachability {
  const answeredAt = new Map<string, UtcMillis>()
  const silentAt = new Map<string, UtcMillis>()
  const isWithin = (times: ReadonlyMap<string, UtcMillis>, { host }: URL, millis: number) =>
    now() - (times.get(host) ?? -Infinity) < millis
  const isSilent = (url: URL) => isWithin(silentAt, url, UNREACHABLE_MS)
  const hasAnswered = (url: URL) => isWithin(answeredAt, url, ANSWERED_MS)
  const noteSilence = (url: URL) => {
    // One slow answer of a host that answers others says nothing about those.
    if (!isWithin(answeredAt, url, UNREACHABLE_MS)) silentAt.set(url.host, now())
  }
  const connecting = new Map<string, Promise<void>>()
  /** Calls at the same time share one connection, also with a probe that began before them. */
  const connected = (url: URL): Promise<void> => {
    const known = connecting.get(url.host)
    if (known) return known
    const attempt = connect(url, CONNECT_LIMIT_MS, NEVER)
      .catch((error: unknown) => {
        noteSilence(url)
        throw unreachable(error)
      })
      .finally(() => connecting.delete(url.host))
    connecting.set(url.host, attempt)
    return attempt
  }
  const assertReachable = async (url: URL, signal: AbortSignal): Promise<void> => {
    if (isSilent(url)) throw unreachable()
    if (!hasAnswered(url)) await untilAborted(connected(url), signal)
  }
  return {
    assertReachable,
    probe: async (urls) => void (await Promise.allSettled(urls.map((url) => assertReachable(url, NEVER)))),
    noteAnswer(url) {
      silentAt.delete(url.host)
      answeredAt.set(url.host, now())
    },
    noteSilence,
    isSilent,
    hasAnswered,
    forget: () => silentAt.clear(),
  }
}

const unreachable = (cause?: unknown) => new HttpFailure('network', 'it cannot be reached', { cause })

/** Name look-up and TCP connection. With a proxy of the environment only fetch knows the way. */
async function connectTo(url: URL, limitMillis: number, signal: AbortSignal): Promise<void> {
  if (process.env['NODE_USE_ENV_PROXY'] === '1') return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = new Socket({ signal: AbortSignal.any([signal, AbortSignal.timeout(limitMillis)]) })
  socket.on('connect', () => resolve()).on('error', reject)
  const defaultPort = url.protocol === 'https:' ? 443 : 80
  socket.connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || defaultPort })
  await promise.finally(() => socket.destroy())
}
