import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StandInRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The query as it was sent, which signatures are made of. */
  readonly search: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface StandInAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is, anything else as JSON. */
  readonly body: unknown
}

/** Ways in which any service can fail. The `lost` ones do what was asked first, so that only the answer is missing. */
type TransportFault =
  | 'down'
  | 'slow'
  | 'html'
  | 'half-body'
  | 'limited'
  | 'unauthorised'
  | 'broken'
  | 'internal-error'
  | 'lost-answer'
  | 'lost-and-slow'

/** Ways in which market data can be wrong; each vendor's stand-in puts them into its own format. */
export type DataFault = 'nan' | 'negative-price' | 'time-runs-backwards'

export type Fault = TransportFault | DataFault

const DATA_FAULTS: ReadonlySet<Fault> = new Set<Fault>(['nan', 'negative-price', 'time-runs-backwards'])

const isDataFault = (fault: Fault | undefined): fault is DataFault => fault !== undefined && DATA_FAULTS.has(fault)

interface Misbehaviour {
  readonly fault: Fault
  readonly times: number
  readonly when: (request: StandInRequest) => boolean
}

/** A loopback server that speaks a vendor's bytes, counts what it was asked, and fails on demand. */
export interface StandIn {
  readonly url: string
  /** For what is not an exchange of requests and answers. */
  readonly server: Server
  readonly requests: StandInRequest[]
  /** From now on, for so many requests (default: all), and only for those that `when` accepts. */
  misbehave(fault: Fault, limits?: { times?: number; when?: (request: StandInRequest) => boolean }): void
  behave(): void
  /** Asked for every request before anything else, where a test decides one by one. */
  faultOf: (request: StandInRequest) => Fault | undefined
  /** Called when a `slow` request has arrived and will never be answered. */
  onStall: () => void
  close(): Promise<void>
}

type StandInHandler = (request: StandInRequest, fault: DataFault | undefined) => StandInAnswer

const HTML =
  '<!DOCTYPE html><html><head><title>Access denied</title></head><body>Please verify you are human</body></html>'

/** On a port of its own, or on one that was named. */
export async function startStandIn(vendor: string, handler: StandInHandler, port = 0): Promise<StandIn> {
  let misbehaviour: Misbehaviour | undefined
  let left = 0
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => serve(readRequest(incoming, Buffer.concat(chunks).toString()), outgoing))
  })
  const nextMisbehaviour = (request: StandInRequest): Fault | undefined => {
    if (!misbehaviour || left <= 0 || !misbehaviour.when(request)) return undefined
    left--
    return misbehaviour.fault
  }
  const serve = (request: StandInRequest, outgoing: ServerResponse) => {
    standIn.requests.push(request)
    const fault = standIn.faultOf(request) ?? nextMisbehaviour(request)
    outgoing.setHeader('x-stand-in', vendor)
    if (fault && !isDataFault(fault))
      answerBadly(
        fault,
        () => handler(request, undefined),
        outgoing,
        () => standIn.onStall(),
      )
    else answer(handler(request, isDataFault(fault) ? fault : undefined), outgoing)
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const standIn: StandIn = {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    server,
    requests: [],
    misbehave(fault, { times = Number.POSITIVE_INFINITY, when = () => true } = {}) {
      misbehaviour = { fault, times, when }
      left = times
    },
    behave() {
      misbehaviour = undefined
    },
    faultOf: () => undefined,
    onStall: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return standIn
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port')
  return address.port
}

function readRequest(incoming: IncomingMessage, body: string): StandInRequest {
  const url = new URL(incoming.url ?? '/', 'http://stand-in')
  return {
    method: incoming.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    search: (incoming.url ?? '').split('?')[1] ?? '',
    headers: incoming.headers,
    body,
  }
}

function answer({ status = 200, headers = {}, body }: StandInAnswer, outgoing: ServerResponse): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? (text.startsWith('<') ? 'text/html' : 'text/plain') : 'application/json'
  outgoing.writeHead(status, { 'content-type': type, ...headers })
  outgoing.end(status === 204 ? undefined : text)
}

function answerBadly(
  fault: TransportFault,
  good: () => StandInAnswer,
  outgoing: ServerResponse,
  stalled: () => void,
): void {
  switch (fault) {
    case 'down':
      outgoing.destroy()
      break
    case 'slow':
      stalled()
      break
    case 'lost-answer':
      good()
      outgoing.destroy()
      break
    case 'lost-and-slow':
      good()
      stalled()
      break
    case 'html':
      answer({ body: HTML }, outgoing)
      break
    case 'half-body': {
      const { body } = good()
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) })
      outgoing.write(text.slice(0, text.length / 2), () => outgoing.destroy())
      break
    }
    case 'limited':
      answer({ status: 429, headers: { 'retry-after': '7.5' }, body: 'Too Many Requests' }, outgoing)
      break
    case 'unauthorised':
      answer({ status: 401, body: { message: 'unauthorized' } }, outgoing)
      break
    case 'internal-error':
      answer({ status: 500, body: { code: 50010000, message: 'internal server error occurred' } }, outgoing)
      break
    case 'broken':
      answer({ status: 503, body: 'upstream connect error' }, outgoing)
      break
  }
}
