import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { isApiKey } from '../../auth/api-keys.ts'
import type { Authenticate, CallerSession } from '../server/handle.ts'
import { excessOf } from '../input/storable.ts'
import { refuseForeignOrigin } from '../server/security/origin-check.ts'
import { bearerTokenOf } from '../server/security/session-cookie.ts'
import type { exchange, McpDeps, RequestCaller } from './protocol.ts'

interface RouteDeps {
  readonly authenticate: Authenticate
  readonly appUrl: string | undefined
  readonly mcp: McpDeps
  /** Tells every process that a client cancels a request, and calls back when one is told. */
  readonly cancellations: {
    publish(cancelled: string): Promise<void>
    listen(listener: (cancelled: string) => void): Promise<void>
  }
  /** Calls back with the id of each API key that ends. */
  readonly onKeyEnd: (listener: (keyId: string) => void) => Promise<void>
}

const PATH = '/mcp'
const BODY_LIMIT_BYTES = 256 * 1024
/** Requests under way with one key. */
const MAX_AT_ONCE = 8
/** How soon an answer under way ends once its key is revoked. */
const REVOKED_WITHIN_MS = 500

const Cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string().max(200), z.number()]) }),
})
/** Told back with every answer and every note about progress. */
const Name = z.union([z.string().max(200), z.number()])
const Message = z.object({
  method: z.string().optional(),
  id: Name.optional(),
  params: z.object({ _meta: z.object({ progressToken: Name.optional() }).optional() }).optional(),
})

/** The protocol describes itself to its clients: it is no part of the OpenAPI document. */
const SCHEMA = { hide: true }

interface OpenRequest {
  readonly keyId: string
  readonly reply: FastifyReply
  /** The name under which the call's client would cancel it. */
  readonly name: string
  readonly cancelled: AbortController
}

/** API keys alone: the cookie of a browser opens nothing here. No session is kept, so that any process may answer. */
export async function serveMcp(app: FastifyInstance, deps: RouteDeps): Promise<void> {
  const { cancellations, onKeyEnd } = deps
  const open = new Set<OpenRequest>()
  const callers = new WeakMap<FastifyRequest, CallerSession>()
  await onKeyEnd((id) => {
    for (const { keyId, reply, cancelled } of open) {
      if (keyId !== id) continue
      // The client is told why where the work ends by itself, and is disconnected where it does not.
      cancelled.abort(new Problem('unauthenticated', 'api-key.revoked', 'The API key was revoked.'))
      setTimeout(() => reply.raw.destroy(), REVOKED_WITHIN_MS).unref()
    }
  })
  await cancellations.listen((named) => {
    for (const { name, cancelled } of open) if (name === named) cancelled.abort()
  })
  app.addHook('preClose', (done) => {
    for (const { reply } of open) reply.raw.destroy()
    done()
  })

  // Before the body is read: a visitor without a key cannot fill the memory with bodies.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseForeignOrigin(request, deps.appUrl)
    const bearer = bearerTokenOf(request)
    void reply.header('www-authenticate', 'Bearer')
    if (bearer === undefined || !isApiKey(bearer)) throw keyNeeded()
    const session = await deps.authenticate(request, 'any key')
    if (!session?.key) throw keyNeeded()
    void reply.removeHeader('www-authenticate')
    callers.set(request, session)
  }

  app.post(PATH, { schema: SCHEMA, bodyLimit: BODY_LIMIT_BYTES, onRequest }, async (request, reply) => {
    const caller = callers.get(request)!
    const keyId = caller.id
    const session = sessionOf(request)
    if (Array.isArray(request.body)) throw new Problem('invalid', 'mcp.batch', 'Send one message at a time.')
    const excess = excessOf(request.body)
    if (excess) throw new Problem('invalid', 'request.excess', `The request ${excess}.`)
    const message = Message.safeParse(request.body)
    const isNamedTooLong = message.error?.issues.some(({ path }) =>
      /^(id|params\._meta\.progressToken)$/.test(path.join('.')),
    )
    if (isNamedTooLong) {
      throw new Problem('invalid', 'mcp.name', 'The id and the progress token have at most 200 characters.')
    }
    const { method, id } = message.data ?? {}
    const cancel = Cancelled.safeParse(request.body)
    if (cancel.success) await cancellations.publish(nameOf(keyId, session, cancel.data.params.requestId))
    if ([...open].filter((other) => other.keyId === keyId).length >= MAX_AT_ONCE) throw tooManyAtOnce()
    const cancelled = new AbortController()
    const entry: OpenRequest = { keyId, reply, name: nameOf(keyId, session, id ?? ''), cancelled }
    open.add(entry)
    try {
      const newSession = method === 'initialize' ? randomUUID() : undefined
      await answer(deps, request, reply, { caller: callerOf(caller, cancelled.signal), newSession })
    } finally {
      open.delete(entry)
    }
  })
  // There is nothing that the server would say unasked.
  app.get(PATH, { schema: SCHEMA, exposeHeadRoute: false, onRequest }, (_, reply) =>
    reply.code(405).header('allow', 'POST, DELETE').send(NOT_OFFERED),
  )
  app.delete(PATH, { schema: SCHEMA, onRequest }, (_, reply) => reply.code(204).send())
}

const NOT_OFFERED = { jsonrpc: '2.0', error: { code: -32000, message: 'Method not allowed.' }, id: null }

let loaded: Promise<{ exchange: typeof exchange }> | undefined
/** The protocol's package has a hundred modules, and many users never connect an agent: it is loaded with the first call. */
const protocol = () => (loaded ??= import('./protocol.ts'))

interface Asking {
  readonly caller: RequestCaller
  readonly newSession: string | undefined
}

async function answer(
  { mcp }: RouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { caller, newSession }: Asking,
): Promise<void> {
  const headers = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'last-event-id']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const asked = new Request(new URL(PATH, 'http://localhost'), { method: 'POST', headers })
  const { response, close } = await (await protocol()).exchange(mcp, asked, request.body ?? null, caller)
  // Taken out of the framework's hands: nothing may compress or collect what is written.
  reply.hijack()
  reply.raw.writeHead(response.status, {
    ...(reply.getHeaders() as Record<string, string>),
    ...Object.fromEntries(response.headers),
    ...(newSession !== undefined && response.ok && { 'mcp-session-id': newSession }),
  })
  try {
    if (response.body) await sent(Readable.fromWeb(response.body as never), reply)
    else reply.raw.end()
  } finally {
    await close()
  }
}

/** Waits until the answer has ended, or the client has disconnected. */
const sent = (body: Readable, { raw }: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    const ended = () => {
      body.destroy()
      resolve()
    }
    raw.once('close', ended).once('finish', ended)
    body.once('error', () => raw.destroy())
    body.pipe(raw)
  })

const callerOf = ({ id, user, key }: CallerSession, signal: AbortSignal): RequestCaller => ({
  signal,
  userId: user.id,
  username: user.username,
  key: { id, name: key!.name, scopes: key!.scopes },
})

/** The client's own name for its calls, so that it cancels none of another client with the same key. */
const sessionOf = ({ headers }: FastifyRequest): string => {
  const session = headers['mcp-session-id']
  return typeof session === 'string' && /^[\x21-\x7e]{1,100}$/.test(session) ? session : ''
}

const nameOf = (keyId: string, session: string, requestId: string | number): string =>
  JSON.stringify([keyId, session, requestId])

const keyNeeded = () =>
  new Problem(
    'unauthenticated',
    'api-key.needed',
    'This address needs an API key (Authorization: Bearer tw_…). Make one in Settings, API Keys.',
  )

const tooManyAtOnce = () =>
  new Problem('limited', 'mcp.at-once', `At most ${MAX_AT_ONCE} calls may be under way with one API key.`, {
    retryAfterSeconds: 5,
  })
