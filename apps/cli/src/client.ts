import { EVENTS_PATH, JobEvent } from '@tradewright/contract/events'
import type { Route } from '@tradewright/contract/route'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { z } from 'zod'
import { EXIT, Failure, type ExitCode } from './failure.ts'

export interface Credentials {
  url: string
  key: string
}

type In<Schema> = NonNullable<Schema> extends z.ZodType ? z.input<NonNullable<Schema>> : undefined

interface CallParts<R extends Route> {
  params?: In<R['params']>
  query?: In<R['query']>
  body?: In<R['body']>
  /** In place of a body, for a route with an upload. */
  form?: FormData
  signal?: AbortSignal
}

/** A host that does not answer is given up then. */
const CONNECT_MS = 10_000
/** The whole of a call: the server itself gives up a run after ten minutes. */
const CALL_MS = 30 * 60_000
/** The server says something in a stream of events several times a minute. */
const EVENT_SILENCE_MS = 2 * 60_000
/** The longest answer, packed or unpacked: one of 20 years with every trade has 17 MB. */
const MAX_ANSWER_BYTES = 256 * 1024 ** 2
/** The longest event, and below it the longest sentence of a refusal. */
const MAX_EVENT_LENGTH = 1_000_000
const MAX_SENTENCE_LENGTH = 2_000
const GET_ATTEMPTS = 4
const FIRST_DELAY_MS = 500
/** Beyond this the user had better see the refusal. */
const MAX_WAIT_S = 65

const EXIT_OF_STATUS: Record<number, ExitCode> = {
  401: EXIT.forbidden,
  403: EXIT.forbidden,
  502: EXIT.away,
  503: EXIT.away,
  504: EXIT.away,
}

/** The client's limits, which tests make shorter. */
interface Limits {
  callMs: number
  silenceMs: number
  maxBytes: number
}

interface Sent {
  bytes?: Buffer
  headers: Record<string, string>
  signal?: AbortSignal
  /** Has no end, and is given up where it is silent. */
  isStream?: boolean
}

/** What later messages of one MCP client send along; the session is the server's answer to the first one. */
export interface McpHeaders {
  session?: string
  version?: string
}

interface Answer {
  status: number
  retryAfterS: number
  text: string
}

/** Calls below `/api/v1`. Node's own fetch gives up after five minutes, and a backtest may take ten. */
export class Client {
  readonly #credentials: Credentials
  readonly #onWait: (sentence: string) => void
  readonly #limits: Limits

  /** `onWait` is told why a call takes longer. */
  constructor(
    credentials: Credentials,
    onWait: (sentence: string) => void = () => {},
    { callMs = CALL_MS, silenceMs = EVENT_SILENCE_MS, maxBytes = MAX_ANSWER_BYTES }: Partial<Limits> = {},
  ) {
    this.#credentials = credentials
    this.#onWait = onWait
    this.#limits = { callMs, silenceMs, maxBytes }
  }

  /** The answer as it came, so that fields of a newer server are in it too; what the contract declares was checked. */
  async call<R extends Route>(route: R, parts: CallParts<NoInfer<R>> = {}): Promise<z.output<R['answer']>> {
    const answer = await this.#answer(route, parts)
    const value = jsonOf(answer.text)
    if (answer.status !== 200) throw refusal(answer, value, this.#credentials.url)
    if (!route.answer.safeParse(value).success) {
      const sentence = `The answer of ${this.#credentials.url} was not understood. It may run another version than this program.`
      throw new Failure(EXIT.negative, sentence, 'cli.not-understood')
    }
    return value as z.output<R['answer']>
  }

  /** A file, piece by piece; throws where the server refuses. */
  async *download(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const headers = { accept: '*/*', 'accept-encoding': 'identity' }
    const incoming = await this.#request('GET', versioned(path), { headers, signal })
    if (incoming.statusCode !== 200) {
      const answer = await this.#whole(incoming)
      throw refusal(answer, jsonOf(answer.text), this.#credentials.url)
    }
    try {
      for await (const chunk of incoming) yield chunk as Buffer
    } catch (error) {
      throw away(this.#credentials.url, error)
    } finally {
      incoming.destroy()
    }
  }

  /** Ends with the connection; throws where the server refuses. `resync` means that events may have been missed. */
  async *events(signal: AbortSignal): AsyncGenerator<JobEvent | 'resync'> {
    const incoming = await this.#send('GET', EVENTS_PATH, { signal })
    if (incoming.statusCode !== 200) {
      const answer = await this.#whole(incoming)
      throw refusal(answer, jsonOf(answer.text), this.#credentials.url)
    }
    yield 'resync'
    try {
      for await (const record of this.#records(incoming)) yield* eventIn(record)
    } catch (error) {
      if (error instanceof Failure) throw error
      if (!signal.aborted) throw away(this.#credentials.url, error)
    } finally {
      incoming.destroy()
    }
  }

  /** The records of a stream of server-sent events. */
  async *#records(incoming: IncomingMessage): AsyncGenerator<string> {
    let rest = ''
    for await (const chunk of incoming.setEncoding('utf8')) {
      const whole = (rest + String(chunk)).split('\n\n')
      rest = whole.pop() ?? ''
      if (rest.length > MAX_EVENT_LENGTH) throw tooLong(this.#credentials.url)
      yield* whole
    }
  }

  async #whole(incoming: IncomingMessage): Promise<Answer> {
    const { maxBytes } = this.#limits
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of incoming) {
      length += (chunk as Buffer).length
      if (length > maxBytes) throw tooLong(this.#credentials.url)
      chunks.push(chunk as Buffer)
    }
    return {
      status: incoming.statusCode ?? 0,
      retryAfterS: Number(incoming.headers['retry-after'] ?? Number.NaN) || 1,
      text: this.#unpacked(incoming, Buffer.concat(chunks)).toString('utf8'),
    }
  }

  #unpacked({ headers }: IncomingMessage, bytes: Buffer): Buffer {
    if (headers['content-encoding'] !== 'gzip') return bytes
    try {
      return gunzipSync(bytes, { maxOutputLength: this.#limits.maxBytes })
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? tooLong(this.#credentials.url)
        : away(this.#credentials.url, error)
    }
  }

  async #answer<R extends Route>(route: R, parts: CallParts<R>): Promise<Answer> {
    const path = pathOf(route.path, parts.params as Record<string, unknown> | undefined, parts.query)
    const content = await contentOf(route, parts)
    for (let attempt = 1; ; attempt++) {
      const mayRepeat = attempt < GET_ATTEMPTS && parts.signal?.aborted !== true
      const sent = { ...content, ...(parts.signal && { signal: parts.signal }) }
      try {
        const answer = await this.#whole(await this.#send(route.method, path, sent))
        // Refused calls did nothing, whatever their method.
        const isLimited = answer.status === 429 && answer.retryAfterS <= MAX_WAIT_S
        const isAway = answer.status === 503 && route.method === 'GET'
        if (!mayRepeat || !(isLimited || isAway)) return answer
        this.#onWait(isLimited ? `Too many calls; waiting ${answer.retryAfterS} s` : 'The server is busy; trying again')
        await pause(isLimited ? answer.retryAfterS * 1000 : backOffMs(attempt), parts.signal)
      } catch (error) {
        if (parts.signal?.aborted) throw new Failure(EXIT.interrupted, 'Interrupted.')
        const failure = error instanceof Failure ? error : away(this.#credentials.url, error)
        const wasReset = (failure.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET'
        if (!mayRepeat || !wasReset || route.method !== 'GET') throw failure
        await pause(backOffMs(attempt), parts.signal)
      }
    }
  }

  /** Sends a message of the Model Context Protocol, and yields those of the answer as they come. */
  async *mcp(message: string, given: McpHeaders, signal: AbortSignal): AsyncGenerator<object> {
    const incoming = await this.#request('POST', '/mcp', {
      bytes: Buffer.from(message),
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(given.session !== undefined && { 'mcp-session-id': given.session }),
        ...(given.version !== undefined && { 'mcp-protocol-version': given.version }),
      },
    })
    const { statusCode = 0, headers } = incoming
    const session = headers['mcp-session-id']
    if (typeof session === 'string') given.session = session
    if (headers['content-type']?.startsWith('text/event-stream')) {
      for await (const record of this.#records(incoming)) {
        const told = jsonOf(fieldOf(record, 'data') ?? '')
        if (isMessage(told)) yield told
      }
      return
    }
    const answer = await this.#whole(incoming)
    const value = jsonOf(answer.text)
    if (isMessage(value)) yield value
    else if (statusCode >= 300) throw refusal(answer, value, this.#credentials.url)
  }

  #send(
    method: string,
    path: string,
    { bytes, type, signal }: { bytes?: Buffer; type?: string; signal?: AbortSignal },
  ): Promise<IncomingMessage> {
    const isStream = path === EVENTS_PATH
    return this.#request(method, versioned(path), {
      ...(bytes && { bytes }),
      ...(signal && { signal }),
      isStream,
      headers: {
        accept: isStream ? 'text/event-stream' : 'application/json',
        'accept-encoding': isStream ? 'identity' : 'gzip',
        ...(type !== undefined && { 'content-type': type }),
      },
    })
  }

  #request(method: string, path: string, { bytes, headers, signal, isStream = false }: Sent): Promise<IncomingMessage> {
    const url = new URL(`${this.#credentials.url}${path}`)
    return new Promise((resolve, reject) => {
      const request: ClientRequest = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method,
        // A kept connection may have been closed by the server in between, which would look like a lost call.
        agent: false,
        headers: {
          ...headers,
          authorization: `Bearer ${this.#credentials.key}`,
          'user-agent': 'tradewright-cli',
          ...(bytes && { 'content-length': bytes.length }),
        },
        ...(signal && { signal }),
      })
      const { callMs, silenceMs } = this.#limits
      const late = setTimeout(() => request.destroy(new Error('no connection in time')), CONNECT_MS)
      request.once('socket', (socket) => {
        if (!socket.connecting) clearTimeout(late)
        else socket.once('connect', () => clearTimeout(late))
      })
      let incoming: IncomingMessage | undefined
      const giveUp = () => {
        const error = new Error('no answer in time')
        // First: an answer whose end is the end of the connection would else look whole.
        incoming?.destroy(error)
        request.destroy(error)
      }
      if (isStream) request.setTimeout(silenceMs, giveUp)
      else {
        const end = setTimeout(giveUp, callMs)
        request.once('close', () => clearTimeout(end))
      }
      request.once('response', (response: IncomingMessage) => {
        incoming = response
        resolve(response)
      })
      request.on('error', (error) => {
        clearTimeout(late)
        reject(away(this.#credentials.url, error))
      })
      request.end(bytes)
    })
  }
}

const backOffMs = (attempt: number): number => FIRST_DELAY_MS * 2 ** (attempt - 1)

/** Ends early where the call was given up; its next attempt then says so. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  delay(ms, undefined, signal ? { signal } : {}).catch(() => undefined)

const versioned = (path: string): string => `/api/v1${path.replace(/^\/api/, '')}`

function pathOf(path: string, params: Record<string, unknown> = {}, query: unknown = {}): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? filled : `${filled}?${search}`
}

async function contentOf(route: Route, { body, form }: CallParts<Route>): Promise<{ bytes?: Buffer; type?: string }> {
  const multipart =
    form ?? (route.encoding === 'multipart' ? formOf(body as Record<string, string | string[] | undefined>) : undefined)
  if (multipart) {
    const encoded = new Response(multipart)
    return { bytes: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type')! }
  }
  return body === undefined ? {} : { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' }
}

function formOf(fields: Record<string, string | string[] | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) if (one !== undefined) form.append(name, one)
  }
  return form
}

function refusal({ status }: Answer, value: unknown, url: string): Failure {
  const { error, code } = (value ?? {}) as { error?: unknown; code?: unknown }
  const exit = EXIT_OF_STATUS[status] ?? EXIT.negative
  if (typeof error === 'string' && typeof code === 'string') {
    return new Failure(exit, error.slice(0, MAX_SENTENCE_LENGTH).toWellFormed(), code)
  }
  const sentence = `${url} answered ${status}, and not as Tradewright does. Check the address.`
  return new Failure(status >= 500 ? EXIT.away : exit, sentence, 'cli.not-tradewright')
}

const tooLong = (url: string): Failure =>
  new Failure(
    EXIT.negative,
    `The answer of ${url} is longer than any answer of Tradewright. Check the address.`,
    'cli.too-long',
  )

function away(url: string, cause: unknown): Failure {
  const failure = new Failure(EXIT.away, `Tradewright cannot be reached at ${url}. Is it running?`)
  failure.cause = cause
  return failure
}

/** Lines of the same field are one value. */
const fieldOf = (record: string, name: string): string | undefined =>
  record
    .match(new RegExp(`^${name}: .*$`, 'gm'))
    ?.map((line) => line.slice(name.length + 2))
    .join('\n')

function* eventIn(record: string): Generator<JobEvent | 'resync'> {
  const name = fieldOf(record, 'event')
  if (name === 'resync') yield 'resync'
  if (name !== 'job') return
  const event = JobEvent.safeParse(jsonOf(fieldOf(record, 'data') ?? ''))
  if (event.success) yield event.data
}

/** Tells a message of the Model Context Protocol from other events. */
const isMessage = (value: unknown): value is object => typeof value === 'object' && value !== null && 'jsonrpc' in value

/** Undefined where it is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
