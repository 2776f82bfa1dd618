import { EVENTS_PATH, EVENTS_SCOPE } from '@tradewright/contract/events'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { JobFeed } from '../../events/job-feed.ts'
import { EventStream } from '../answer/event-stream.ts'
import type { Authenticate, CallerSession } from '../server/handle.ts'
import { toJobEvent } from './job-wire.ts'

const HEARTBEAT_INTERVAL_MS = 15_000
/** A few dozen tabs; more is a loop in a user's program. */
const STREAMS_PER_USER = 30

interface EventsDeps {
  authenticate: Authenticate
  feed: JobFeed
  /** Calls back with a user whose proposals changed. */
  onProposals: (listener: (userId: number) => void) => Promise<void>
  countProposals: (userId: number) => Promise<number>
  /** Calls back with the id of each session that ends. */
  onSessionEnd: (listener: (sessionId: string) => void) => Promise<void>
  beatEveryMs?: number
}

interface OpenStream {
  stream: EventStream
  session: CallerSession
  request: FastifyRequest
}

const SCHEMA = {
  summary:
    'Server-sent events of the signed-in user: `job` as their jobs change, `proposals` when one was made or answered, `resync` when some were missed.',
  tags: ['Jobs'],
  description: `API keys need the scope \`${EVENTS_SCOPE}\`.`,
  security: [{ cookie: [] }, { bearer: [] }, { apiKey: [] }],
  produces: ['text/event-stream'],
}

/** Streams end when the client disconnects, the session ends, or the server closes. */
export async function serveEvents(app: FastifyInstance, deps: EventsDeps): Promise<void> {
  const { authenticate, feed, onSessionEnd, onProposals, countProposals, beatEveryMs = HEARTBEAT_INTERVAL_MS } = deps
  const open = new Set<OpenStream>()

  await onSessionEnd((id) => {
    for (const { stream, session } of open) if (session.id === id) stream.end()
  })
  await onProposals((userId) => {
    const streams = [...open].filter(({ session }) => session.user.id === userId)
    if (streams.length === 0) return
    countProposals(userId).then(
      (count) => streams.forEach(({ stream }) => stream.send('proposals', { open: count })),
      // The database is away for a moment: the page asks again by itself.
      () => streams.forEach(({ stream }) => stream.send('resync', {})),
    )
  })
  const beat = setInterval(() => open.forEach((each) => void beatOrEnd(each, authenticate)), beatEveryMs)
  app.addHook('preClose', (done) => {
    clearInterval(beat)
    for (const { stream } of open) stream.end()
    done()
  })

  // A HEAD of it would never end: the stream has no end, and its headers come with its first bytes.
  app.get(EVENTS_PATH, { schema: SCHEMA, exposeHeadRoute: false }, async (request, reply) => {
    const session = await authenticate(request, EVENTS_SCOPE)
    if (!session) throw new Problem('unauthenticated', 'session.missing', 'Please sign in first.')
    const { id: userId } = session.user
    const others = [...open].filter((each) => each.session.user.id === userId)
    if (others.length >= STREAMS_PER_USER) throw tooManyStreams()
    const stream = new EventStream(reply)
    const entry = { stream, session, request }
    open.add(entry)
    const unsubscribe = feed.subscribe(userId, {
      onJob: (job) => stream.send('job', toJobEvent(job)),
      onGap: () => stream.send('resync', {}),
    })
    stream.onClose(() => {
      open.delete(entry)
      unsubscribe()
    })
    // The client had a stream before and lost it; events since then were not sent to it.
    if (request.headers['last-event-id'] !== undefined) stream.send('resync', {})
  })
}

/** The session is looked up again with each heartbeat, in case the message of its end was lost or it expired. */
async function beatOrEnd({ stream, request }: OpenStream, authenticate: Authenticate): Promise<void> {
  try {
    if (await authenticate(request, EVENTS_SCOPE, { isCounted: false })) stream.beat()
    else stream.end()
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unauthenticated') return stream.end()
    // The database is away for a moment; the next heartbeat asks again.
    stream.beat()
  }
}

function tooManyStreams(): Problem {
  const sentence = `Too many open pages: at most ${STREAMS_PER_USER} may receive live updates at once. Close some of them.`
  return new Problem('limited', 'events.connections', sentence)
}
