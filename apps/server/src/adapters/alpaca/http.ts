import { MINUTE } from '@tradewright/core/time'
import type { Urgency } from '@tradewright/engine/trading/broker'
import { z } from 'zod'
import {
  type HttpClient,
  httpClient,
  type HttpLog,
  type HttpSurroundings,
  type Query,
  readEach,
} from '../http/http-client.ts'
import { HttpFailure } from '../http/http-failure.ts'
import { alpacaProblem } from './failures.ts'

export interface AlpacaKeys {
  readonly keyId: string
  readonly secretKey: string
}

interface AlpacaList<Element> {
  readonly read: Element[]
  /** As it came, for paging: the last of a page may be one that was left out. */
  readonly sent: readonly unknown[]
}

/** Calls to one account. Whatever fails is a Problem. */
export interface AlpacaHttp {
  get<Schema extends z.ZodType>(schema: Schema, path: string, query?: Query): Promise<z.output<Schema>>
  /** Element by element: what is of an unexpected form is left out of `read` and logged. */
  list<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    query?: Query,
    urgency?: Urgency,
  ): Promise<AlpacaList<z.output<Schema>>>
  /** Undefined where Alpaca has no such thing. */
  find<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    query?: Query,
    urgency?: Urgency,
  ): Promise<z.output<Schema> | undefined>
  /** Sent once, whatever happens. */
  post<Schema extends z.ZodType>(schema: Schema, path: string, json: object): Promise<z.output<Schema>>
  delete(path: string): Promise<void>
}

/**
 * The allowance of an account, whatever the number of processes. A stop with 20 open orders needs 20 cancellations and
 * a list.
 */
const LIMIT = { calls: 200, windowMillis: MINUTE, reservedForOrders: 60, reservedForCancels: 30 }

export function alpacaClient(
  baseUrl: string,
  keys: AlpacaKeys,
  surroundings: HttpSurroundings,
  attempts = 3,
): HttpClient {
  return httpClient(
    {
      service: 'alpaca',
      baseUrl,
      headers: { 'apca-api-key-id': keys.keyId, 'apca-api-secret-key': keys.secretKey },
      secrets: [keys.keyId, keys.secretKey],
      bucket: surroundings.buckets.of(`alpaca:${keys.keyId}`, LIMIT),
      retry: { attempts, limitBackOffMillis: 2_000, longestWaitMillis: 5_000 },
    },
    surroundings,
  )
}

export function alpacaHttp(client: HttpClient, signal: AbortSignal, log: HttpLog): AlpacaHttp {
  const ask = async <Schema extends z.ZodType>(schema: Schema, path: string, query: Query = {}, urgency?: Urgency) =>
    schema.parse(await client.json({ path, query, signal, priority: urgency?.isUrgent ? 'cancel' : 'read' }))

  return {
    get: (schema, path, query) => ask(schema, path, query).catch(rethrow('question')),
    async list(schema, path, query, urgency) {
      const sent = await ask(z.array(z.unknown()), path, query, urgency).catch(rethrow('question'))
      return { read: readEach(schema, { service: 'alpaca', list: path, elements: sent }, log), sent }
    },
    async find(schema, path, query, urgency) {
      try {
        return await ask(schema, path, query, urgency)
      } catch (error) {
        if (error instanceof HttpFailure && error.kind === 'not-found') return undefined
        throw alpacaProblem(error, 'question')
      }
    },
    async post(schema, path, json) {
      try {
        return schema.parse(await client.json({ method: 'POST', path, json, signal, priority: 'order' }))
      } catch (error) {
        throw alpacaProblem(error, 'order')
      }
    },
    async delete(path) {
      try {
        await client.text({ method: 'DELETE', path, signal, priority: 'cancel' })
      } catch (error) {
        throw alpacaProblem(error, 'order')
      }
    },
  }
}

const rethrow =
  (kind: 'question' | 'order') =>
  (error: unknown): never => {
    throw alpacaProblem(error, kind)
  }
