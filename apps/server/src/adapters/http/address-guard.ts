import { lookup as systemLookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction, Socket } from 'node:net'
import { type Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { HttpFailure } from './http-failure.ts'
import type { HttpRequest, HttpResponse, Transport } from './transport.ts'

/** Everything in IPv4 that is not an ordinary address of the internet (IANA special-purpose registry). */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure's platform service, which looks like any other address.
  ['168.63.129.16', 32],
]

const special = new BlockList()
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4')
// Inside 2000::/3: IETF protocols with Teredo, documentation, and 6to4, which can hide a private IPv4 address.
special.addSubnet('2001::', 23, 'ipv6')
special.addSubnet('2001:db8::', 32, 'ipv6')
special.addSubnet('2002::', 16, 'ipv6')
special.addSubnet('3fff::', 20, 'ipv6')

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an address may be called on behalf of a user who chose it: only ordinary public ones. Loopback, private,
 * link-local (with the metadata services of clouds), carrier, multicast and translated addresses are not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  if (isIP(address) !== 6 || address.includes('%')) return false
  // Mapped IPv4 (::ffff:10.0.0.1) lies outside 2000::/3 as well: no public host needs it.
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface GuardOptions {
  /** Which addresses may be connected to; by default only public ones. */
  readonly isAllowed?: (address: string) => boolean
  readonly resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>
}

/** A host that a user entered and that this server does not call. Thrown before any connection is opened. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Decides which hosts that users enter may be called. Everything that opens such a connection takes one. */
export interface AddressGuard {
  /** Throws for an address that may not be called. Sockets look up names only, so this is asked for before. */
  assertAllowed(host: string): void
  /** The same for a name as well, where a driver would hide the refusal. A name that cannot be resolved passes. */
  assertHost(host: string): Promise<void>
  /**
   * For sockets. Resolves a name once and hands over what was checked, so the address that was checked is the one that
   * is connected to, whatever the name server says the next time. One address that is not allowed refuses the name.
   */
  readonly lookup: LookupFunction
}

export function addressGuard(options: GuardOptions = {}): AddressGuard {
  const { isAllowed = isPublicAddress, resolve = (hostname) => resolveName(hostname) } = options

  async function checkedAddresses(hostname: string): Promise<readonly ResolvedAddress[]> {
    const addresses = await resolve(hostname)
    if (addresses.length === 0) throw Object.assign(new Error('the host name has no address'), { code: 'ENOTFOUND' })
    if (!addresses.every(({ address }) => isAllowed(address))) throw refusalOf(hostname)
    return addresses
  }

  function assertAllowed(host: string): void {
    const literal = host.replace(/^\[(.*)\]$/, '$1')
    if (isIP(literal) !== 0 && !isAllowed(literal)) throw refusalOf(literal)
  }

  return {
    assertAllowed,
    async assertHost(host) {
      assertAllowed(host)
      if (isIP(host) !== 0) return
      try {
        await checkedAddresses(host)
      } catch (error) {
        if (error instanceof AddressRefused) throw error
      }
    },
    lookup(hostname, { all }, callback) {
      checkedAddresses(hostname).then(
        (addresses) => {
          if (all) callback(null, [...addresses])
          else callback(null, addresses[0]!.address, addresses[0]!.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      )
    },
  }
}

const nameServers = new Resolver({ timeout: 2_000, tries: 2 })

/**
 * Asks the name servers without a thread of the process: names that get no answer would hold all of them, and with them
 * the lookups of everything else. Only a name that no server knows is looked up by the system, which has a file of its own.
 */
export async function resolveName(
  hostname: string,
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = nameServers,
): Promise<readonly ResolvedAddress[]> {
  if (hostname === 'localhost') return systemLookup(hostname, { all: true })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (found.length > 0) return found
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
  const isMute = (error: Error) => (error as NodeJS.ErrnoException).code === 'ETIMEOUT'
  if (failures.some(isMute)) throw failures.find(isMute)!
  return systemLookup(hostname, { all: true })
}

const refusalOf = (host: string) =>
  new AddressRefused(`${host} is a private or reserved address, which this server does not call`)

/** Drivers hide the guard's refusal in causes. */
export function refusalIn(error: unknown): AddressRefused | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof AddressRefused) return inner
    const first: unknown = inner instanceof AggregateError ? inner.errors[0] : undefined
    if (first instanceof AddressRefused) return first
  }
  return undefined
}

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

/** A peer that sent more than any answer may have. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
  readonly code = 'EANSWERTOOLARGE'

  constructor(max: number, unit: 'bytes' | 'rows' = 'bytes') {
    super(`the answer has more than ${max} ${unit}`)
  }
}

/**
 * A socket for drivers that speak a protocol of questions and answers over TCP. It connects only where the guard
 * allows it, never to a socket file, and breaks when the peer sends more than `maxAnswerBytes` without being asked anew.
 */
export class GuardedSocket extends Socket {
  readonly #guard: AddressGuard

  constructor(guard: AddressGuard, maxAnswerBytes: number) {
    super()
    this.#guard = guard
    let received = 0
    this.on('data', (chunk) => {
      received = this.#asked ? chunk.length : received + chunk.length
      this.#asked = false
      if (received > maxAnswerBytes) this.destroy(new AnswerTooLarge(maxAnswerBytes))
    })
  }

  #asked = true

  override write(...args: unknown[]): boolean {
    this.#asked = true
    return (super.write as (...all: unknown[]) => boolean).apply(this, args)
  }

  /** Drivers call `connect(port, host)`. */
  override connect(...args: unknown[]): this {
    const [port, host] = args
    if (typeof port !== 'number' || typeof host !== 'string') return this.#refuse(new TypeError('a port and a host'))
    try {
      this.#guard.assertAllowed(host)
    } catch (error) {
      return this.#refuse(error as Error)
    }
    return super.connect({ port, host, lookup: this.#guard.lookup })
  }

  #refuse(error: Error): this {
    // The caller attaches its listeners after `connect`.
    process.nextTick(() => this.destroy(error))
    return this
  }
}
