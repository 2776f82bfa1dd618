import type { CallScope, KeyScope } from '@tradewright/core/key-scopes'
import { Problem } from '@tradewright/core/problem'
import type { Route } from '@tradewright/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import { refuseTrading, type TradedMoney } from '../../auth/api-keys.ts'
import { inConnectionLane, onBehalfOf } from '../../connection-lane.ts'
import type { IsOperator } from '../../auth/operator.ts'
import { inSpan } from '../../observe/tracing.ts'
import type { IdempotentCalls } from '../../jobs/idempotent-calls.ts'
import { isLong, jsonSlices } from '../answer/json-slices.ts'
import { formFields } from '../input/multipart.ts'
import type { Admit } from './fair-calls.ts'
import { answerOnce } from './idempotency.ts'
import { openApiSchema } from './openapi.ts'
import { sentenceFor } from '../input/sentence.ts'
import { isStorable, excessOf, nameWithControls } from '../input/storable.ts'

/** The caller, as the session says. */
export interface SignedInUser {
  id: number
  username: string
  email: string
}

/** A caller's session, and by which of its two credentials it was named; or the API key in its place. */
export interface CallerSession {
  id: string
  user: SignedInUser
  credential: 'cookie' | 'bearer' | 'key'
  signedInAt: Date
  /** When it last gave a second factor; null: never. */
  factorAt: Date | null
  /** The API key that the call came with; absent for a session. */
  key?: { name: string; scopes: readonly KeyScope[]; expiresAt: Date }
}

/**
 * Finds the session that a request belongs to, or null. Throws a `Problem` when the request must be refused: `scope` is
 * what an API key needs for the call, and without one every key is refused. `isCounted: false` where an answer that goes on
 * looks its caller up again, which is no further call of a key.
 */
export type Authenticate = (
  request: FastifyRequest,
  scope?: CallScope,
  options?: { isCounted: boolean },
) => Promise<CallerSession | null>

/** A part that the route does not declare is `undefined`. */
type Out<Schema> = NonNullable<Schema> extends z.ZodType ? z.output<NonNullable<Schema>> : undefined

/** A handler's argument: the declared parts of the request, checked, and the caller. */
interface Call<R extends Route> {
  params: Out<R['params']>
  query: Out<R['query']>
  body: Out<R['body']>
  user: R['access'] extends 'signed in' | 'operator' ? SignedInUser : SignedInUser | null
  session: R['access'] extends 'signed in' | 'operator' ? CallerSession : CallerSession | null
  request: FastifyRequest
  reply: FastifyReply
}

export type Handle = <R extends Route>(
  route: R,
  serve: (call: Call<NoInfer<R>>) => Promise<z.input<NoInfer<R>['answer']>>,
) => void

/** Enough for names, passwords and tokens, which is all that calls without a session send. */
const OPEN_BODY_LIMIT_BYTES = 16 * 1024

/** Bytes counted for a body whose length is not said. */
const BODY_WITHOUT_LENGTH = 1024 * 1024

/** Throws a Problem when so many more bytes do not fit into the user's share of the database. */
type AssertRoom = (userId: number, bytes: number) => Promise<void>

interface HandleDeps {
  authenticate: Authenticate
  assertRoom?: AssertRoom
  /** Left out, no call is remembered, and keys do not trade. */
  idempotentCalls?: IdempotentCalls
  tradedMoney?: TradedMoney
  /** Left out, no call waits for its turn. */
  admit?: Admit
  /** Throws a Problem where the account has a second factor that the session did not give lately. */
  requireFactor?: (userId: number, factorAt: Date | null) => Promise<void>
  /** Left out, there is no operator. */
  isOperator?: IsOperator
}

/** Serves declared routes: checks who calls and what was sent, and lets out only what the answer's schema declares. */
export function createHandle(app: FastifyInstance, deps: HandleDeps): Handle {
  const { authenticate, assertRoom, idempotentCalls, tradedMoney, isOperator, admit, requireFactor } = deps
  const sessions = new WeakMap<FastifyRequest, CallerSession | null>()
  return (route, serve) => {
    const isOpen = route.access === 'anyone'
    const inLane = <Result>(work: () => Promise<Result>) => (route.urgent ? inConnectionLane('stop', work) : work())
    app.route({
      method: route.method,
      url: route.path,
      // Made when the document is asked for: for all routes it takes a third of a second of the start.
      config: {
        swaggerTransform: ({ url }) => ({ schema: openApiSchema(route), url }),
        ...(route.urgent && { isUrgent: true }),
      },
      ...(isOpen && { bodyLimit: OPEN_BODY_LIMIT_BYTES }),
      // Before the body is read: a visitor without a session cannot fill the memory with bodies.
      onRequest: async (request, reply) => {
        const session = await inLane(() => authenticate(request, route.scope))
        await admit?.(request, reply, {
          userId: session?.user.id,
          isUrgent: route.urgent === true,
          hasOwnQueue: route.ownQueue === true,
        })
        if (!isOpen && !session) throw new Problem('unauthenticated', 'session.missing', 'Please sign in first.')
        if (route.access === 'operator' && session && !(await isOperator?.(session.user.id))) {
          throw new Problem('missing', 'route.unknown', `There is nothing at ${route.method} ${pathOf(request)}.`)
        }
        if (route.addsRows && session) await assertRoom?.(session.user.id, sentBytes(request))
        sessions.set(request, session)
      },
      handler: async (request, reply) => {
        const session = sessions.get(request) ?? null
        const call = {
          params: checked(route.params, request.params),
          query: checked(route.query, request.query),
          body: checked(route.body, route.encoding === 'multipart' ? await formFields(request) : request.body),
          user: session?.user ?? null,
          session,
          request,
          reply,
        }
        if (route.scope === 'trade' && session?.key) {
          const { scopes } = session.key
          for (const money of await inLane(() => moneyOf(tradedMoney, session.user.id, call)))
            refuseTrading(scopes, money)
        }
        if (session && !session.key && requireFactor && (await asksFactor(route, tradedMoney, call, inLane))) {
          await inLane(() => requireFactor(session.user.id, session.factorAt))
        }
        const attributes = { 'http.request.method': route.method, 'http.route': route.path }
        const answered = async () =>
          route.answer.parse(
            await inSpan('call', `${route.method} ${route.path}`, attributes, () =>
              inLane(() => asCaller(session, () => serve(call as unknown as Call<typeof route>))),
            ),
          )
        void reply.header('cache-control', 'no-store')
        if (route.idempotent && session && idempotentCalls && request.headers['idempotency-key'] !== undefined) {
          void reply.type('application/json; charset=utf-8')
          const named = { userId: session.user.id, request, reply, body: call.body }
          return withinTime(await answerOnce(idempotentCalls, named, answered))
        }
        const answer = await answered()
        if (!isLong(answer)) return answer
        void reply.type('application/json; charset=utf-8')
        return withinTime(Readable.from(jsonSlices(answer)))
      },
    })
  }
}

const asCaller = <Result>(session: CallerSession | null, work: () => Result): Result =>
  session ? onBehalfOf(session.user.id, work) : work()

/** Real money begins to move where the deployment's name was typed: a stop carries none, and is never held up. */
async function asksFactor(
  { asksFactor: when }: Route,
  traded: TradedMoney | undefined,
  call: { params: unknown; body: unknown; user: SignedInUser | null },
  inLane: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<boolean> {
  if (when === undefined || call.user === null) return false
  if (when === 'always') return true
  const { confirmation } = (call.body ?? {}) as { confirmation?: unknown }
  if (typeof confirmation !== 'string' || confirmation.trim() === '') return false
  const { id } = call.user
  return (await inLane(() => moneyOf(traded, id, call))).includes('live')
}

/** Whose money a call moves: of the deployment in its path, of the account in its body, or of all deployments. */
async function moneyOf(
  traded: TradedMoney | undefined,
  userId: number,
  { params, body }: { params: unknown; body: unknown },
): Promise<('paper' | 'live' | undefined)[]> {
  if (!traded) return ['paper', 'live']
  const { id } = (params ?? {}) as { id?: number }
  const { alpaca_account_id: account } = (body ?? {}) as { alpaca_account_id?: unknown }
  const named = [
    ...(id === undefined ? [] : [traded.ofDeployment(userId, id)]),
    ...(typeof account === 'number' ? [traded.ofAccount(userId, account)] : []),
  ]
  return named.length === 0 ? traded.ofAll(userId) : Promise.all(named)
}

/** The longest that reading an answer may take: one whose reader stops would hold all of its values for ever. */
const MAX_READING_MS = 2 * 60_000

function withinTime(answer: Readable): Readable {
  const limit = setTimeout(() => answer.destroy(), MAX_READING_MS)
  limit.unref()
  return answer.once('close', () => clearTimeout(limit))
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!

const sentBytes = (request: FastifyRequest): number => Number(request.headers['content-length']) || BODY_WITHOUT_LENGTH

function checked(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const excess = excessOf(value)
  if (excess) throw new Problem('invalid', 'request.excess', `The request ${excess}.`)
  // A missing body reads as an empty one, so that the sentence names the first missing field.
  const result = schema.safeParse(value ?? {})
  if (!result.success) throw new Problem('invalid', 'request.invalid', sentenceFor(result.error))
  if (!isStorable(result.data)) {
    throw new Problem('invalid', 'request.text', 'The request contains characters that cannot be stored.')
  }
  const name = nameWithControls(result.data)
  if (name !== undefined) {
    throw new Problem('invalid', 'request.name', `${name} must not contain control characters or line breaks.`)
  }
  return result.data
}
