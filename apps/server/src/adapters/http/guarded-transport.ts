import { type Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { addressGuard, type AddressGuard, AddressRefused, type GuardOptions } from './address-guard.ts'
import { HttpFailure } from './http-failure.ts'
import type { HttpRequest, HttpResponse, Transport } from './transport.ts'

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Headers that may go to another host than the one they were meant for. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(['accept', 'user-agent'])

/**
 * For addresses that a user or a model has chosen. Every connection goes through the address guard. Redirects are
 * followed by hand through the same guard, and carry no key to another host.
 */
export function guardedTransport(options: GuardOptions = {}): Transport {
  const guard = addressGuard(options)
  return async (request) => {
    let current = request
    for (let hop = 0; ; hop++) {
      const response = await guardedExchange(guard, withGzip(current)).catch(asFailure)
      const location = response.headers.location
      if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return toResponse(response)
      response.destroy()
      if (hop === MAX_REDIRECTS) throw new HttpFailure('malformed', `it redirected more than ${MAX_REDIRECTS} times`)
      current = redirected(current, location)
    }
  }
}

const withGzip = (request: HttpRequest): HttpRequest => ({
  ...request,
  headers: { ...request.headers, 'accept-encoding': 'gzip' },
})

const refused = (reason: string, cause?: unknown) => new HttpFailure('bad-request', reason, { cause })

function asFailure(error: unknown): never {
  throw error instanceof AddressRefused ? refused(error.message, error) : error
}

function redirected(request: HttpRequest, location: string): HttpRequest {
  if (request.method !== 'GET') throw refused('it redirected a request that may be sent only once')
  if (!URL.canParse(location, request.url))
    throw new HttpFailure('malformed', 'it redirected to something that is not an address')
  const url = new URL(location, request.url)
  if (request.url.protocol === 'https:' && url.protocol !== 'https:')
    throw refused('it redirected to an address without encryption')
  if (url.origin === request.url.origin) return { ...request, url }
  const harmless = Object.entries(request.headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase()))
  return { ...request, url, headers: Object.fromEntries(harmless) }
}

export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Readable | undefined
  /** Ends the request, and the reading of its answer's body. */
  readonly signal: AbortSignal
  /** Sent as it is, where the form that `url` gives a path would not match its signature. */
  readonly path?: string
  /** Keeps connections that were checked when they were opened; without one each request has its own. */
  readonly agent?: Agent
}

/** One request and its answer. A connection is opened only where the guard allows it; redirects are not followed. */
export async function guardedExchange(guard: AddressGuard, exchange: Exchange): Promise<IncomingMessage> {
  const { method, url, headers, body, signal, path, agent = false } = exchange
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(`${url.protocol} addresses are not allowed`)
  }
  signal.throwIfAborted()
  guard.assertAllowed(url.hostname)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const options = { method, headers, lookup: guard.lookup, agent, ...(path !== undefined && { path }) }
  const outgoing = send(url, options, (message) => {
    // The code that reads it sees its errors as well; before it does, they must not end the process.
    message.on('error', () => undefined)
    resolve(message)
  })
  // Not by an option of the request: an answer without a length that is aborted so would end as if it were whole.
  const abort = () => {
    void promise.then((message) => message.destroy(signal.reason as Error)).catch(() => undefined)
    outgoing.destroy(signal.reason as Error)
  }
  signal.addEventListener('abort', abort, { once: true })
  outgoing.on('close', () => signal.removeEventListener('abort', abort))
  outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : error))
  if (signal.aborted) abort()
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body)
  else {
    outgoing.on('close', () => body.destroy())
    body.on('error', (error) => outgoing.destroy(error)).pipe(outgoing)
  }
  return promise
}

function toResponse(message: IncomingMessage): HttpResponse {
  return {
    status: message.statusCode ?? 0,
    header: (name) => {
      const value = message.headers[name.toLowerCase()]
      return Array.isArray(value) ? value.join(', ') : value
    },
    body: message.headers['content-encoding'] === 'gzip' ? unzipped(message) : message,
  }
}

async function* unzipped(message: IncomingMessage): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip()
  message.on('error', (error) => gunzip.destroy(error))
  yield* message.pipe(gunzip)
}
