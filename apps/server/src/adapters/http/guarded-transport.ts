import { lookup as systemLookup } from 'node:dns/promises'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createGunzip } from 'node:zlib'
import { isPublicAddress } from './address-guard.ts'
import { HttpFailure } from './http-failure.ts'
import { untilAborted } from './until-aborted.ts'
import type { HttpRequest, HttpResponse, Transport } from './transport.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface GuardOptions {
  /** Which addresses may be connected to. */
  readonly isAllowed?: (address: string) => boolean
  readonly resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>
}

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Headers that may go to another host than the one they were meant for. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(['accept', 'user-agent'])

/**
 * For addresses that a user or a model has chosen. A host name is resolved once, every address it has is checked, and
 * the connection goes to one of those, so that a name which answers differently the next time gains nothing. Redirects
 * are followed by hand through the same door, and carry no key to another host.
 */
export function guardedTransport(options: GuardOptions = {}): Transport {
  const { isAllowed = isPublicAddress, resolve = (hostname) => systemLookup(hostname, { all: true }) } = options

  async function checkedAddresses({ url, signal }: HttpRequest): Promise<readonly ResolvedAddress[]> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(`${url.protocol} addresses are not called`)
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const family = isIP(hostname)
    const addresses = family === 0 ? await untilAborted(resolve(hostname), signal) : [{ address: hostname, family }]
    if (addresses.length === 0) throw new HttpFailure('network', 'its host name has no address')
    if (!addresses.every(({ address }) => isAllowed(address))) {
      throw refused(`${hostname} is a private or reserved address, which this server does not call`)
    }
    return addresses
  }

  return async (request) => {
    let current = request
    for (let hop = 0; ; hop++) {
      const response = await exchange(current, await checkedAddresses(current))
      const location = response.headers.location
      if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return toResponse(response)
      response.destroy()
      if (hop === MAX_REDIRECTS) throw new HttpFailure('malformed', `it redirected more than ${MAX_REDIRECTS} times`)
      current = redirected(current, location)
    }
  }
}

const refused = (reason: string) => new HttpFailure('bad-request', reason)

function redirected(request: HttpRequest, location: string): HttpRequest {
  if (request.method !== 'GET') throw refused('it redirected a request that may be sent only once')
  if (!URL.canParse(location, request.url))
    throw new HttpFailure('malformed', 'it redirected to something that is no address')
  const url = new URL(location, request.url)
  if (request.url.protocol === 'https:' && url.protocol !== 'https:')
    throw refused('it redirected to an address without encryption')
  if (url.origin === request.url.origin) return { ...request, url }
  const harmless = Object.entries(request.headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase()))
  return { ...request, url, headers: Object.fromEntries(harmless) }
}

function exchange(request: HttpRequest, addresses: readonly ResolvedAddress[]): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    if (all) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
  const send = request.url.protocol === 'https:' ? httpsRequest : httpRequest
  const { method, headers, signal } = request
  // No pooled connection: each one goes where this call's check allowed it.
  const outgoing = send(
    request.url,
    { method, headers: { ...headers, 'accept-encoding': 'gzip' }, signal, lookup, agent: false },
    resolve,
  )
  outgoing.on('error', reject)
  outgoing.end(request.body)
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
