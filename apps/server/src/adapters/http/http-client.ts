import { randomUUID } from 'node:crypto'
import { firstSeen } from '@tradewright/core/first-seen'
import { z } from 'zod'
import { type CallOutcome, outsideCalls, serviceOf } from '../../observe/process-counts.ts'
import { inSpan } from '../../observe/tracing.ts'
import { HttpFailure, kindOfStatus, reasonOfStatus } from './http-failure.ts'
import {
  parseJson,
  readLimitedText,
  defaultRetry,
  retryAfterSeconds,
  retryWaitMillis,
  type RetryPolicy,
  vendorCountOf,
  fetchTransport,
  type HttpMethod,
  type HttpResponse,
  type Transport,
  systemTiming,
  type Timing,
} from './transport.ts'
import { type Allowance, type Allowances, type CallPriority, CallsPaused } from './rate-bucket.ts'
import type { Reachability } from './reachability.ts'
import { type AllowanceStore, sharedAllowances } from './shared-allowances.ts'

/** The part of a pino logger that is used here. */
export interface HttpLog {
  debug(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Shared by every client of one process. */
export interface HttpSurroundings {
  readonly transport: Transport
  readonly timing: Timing
  readonly buckets: Allowances
  readonly log: HttpLog
  /** For services that have a substitute; a broker is asked every time. */
  readonly reachability?: Reachability
}

/** Calls of this process; what it may spend of each vendor's allowance is counted in `store` for all processes. */
export function systemHttp(log: HttpLog, store: AllowanceStore): HttpSurroundings {
  const buckets = sharedAllowances({ store, timing: systemTiming, log })
  return { transport: fetchTransport, timing: systemTiming, buckets, log }
}

export interface HttpClientOptions {
  /** The service's id in the log. */
  readonly service: string
  readonly baseUrl: string
  /** Sent with every request; keys belong here or in `query`, and in `secrets`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Query
  /** Texts that appear in no log line and no failure, whatever the vendor echoes. */
  readonly secrets?: readonly string[]
  readonly bucket?: Allowance
  readonly timeoutMillis?: number
  readonly maxBytes?: number
  readonly retry?: Partial<RetryPolicy>
}

export type Query = Readonly<Record<string, string | number | undefined>>

export interface Call {
  readonly method?: HttpMethod
  readonly path: string
  readonly query?: Query
  readonly json?: unknown
  /** A body that is no JSON. */
  readonly text?: string
  /** The query after its question mark and the body, exactly as they were signed. They are not logged. */
  readonly signed?: { readonly query: string; readonly body: string | undefined }
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Tokens this call takes out of the bucket. */
  readonly cost?: number
  readonly priority?: CallPriority
}

/** Calls one outside service. Everything that goes wrong is an `HttpFailure`, except an abort, which is its reason. */
export interface HttpClient {
  text(call: Call): Promise<string>
  json(call: Call): Promise<unknown>
}

const MEGABYTE = 1024 * 1024
const IDEMPOTENT: ReadonlySet<HttpMethod> = new Set(['GET', 'DELETE'])

export function httpClient(options: HttpClientOptions, surroundings: HttpSurroundings): HttpClient {
  const { timing, log, reachability } = surroundings
  const host = new URL(options.baseUrl)
  const policy = { ...defaultRetry, ...options.retry }
  const exchange = singleExchange(options, surroundings, () => reachability?.noteAnswer(host))

  async function spend({ cost = 1, signal, priority }: Call): Promise<void> {
    const askedAt = timing.now()
    try {
      await options.bucket?.acquire(cost, signal, { priority, maxPauseMillis: policy.longestWaitMillis })
      outsideCalls.recordWait(options.service, (timing.now() - askedAt) / 1_000)
    } catch (error) {
      if (!(error instanceof CallsPaused)) throw error
      const details = { status: 429, retryAfterSeconds: error.milliseconds / 1_000 }
      throw new HttpFailure('limit', reasonOfStatus(429), details)
    }
  }

  /** Only what may be done twice is sent twice: it is not known what became of the first. */
  const mayRepeat = ({ method = 'GET' }: Call, failure: unknown): boolean =>
    IDEMPOTENT.has(method) && !(isSilence(failure) && reachability?.hasAnswered(host) === false)

  const text = (call: Call): Promise<string> => {
    const [service, method] = [serviceOf(options.service), call.method ?? 'GET']
    const attributes = { 'peer.service': service, 'http.request.method': method }
    return inSpan('outside', `${service} ${method}`, attributes, () => answered(call))
  }

  async function answered(call: Call): Promise<string> {
    await reachability?.assertReachable(host, call.signal)
    for (let attempt = 1; ; attempt++) {
      await spend(call)
      try {
        return await exchange(call)
      } catch (failure) {
        call.signal.throwIfAborted()
        const wait = mayRepeat(call, failure) ? retryWaitMillis(failure, attempt, policy) : undefined
        if (failure instanceof HttpFailure && failure.kind === 'limit') {
          options.bucket?.pause(wait ?? (failure.retryAfterSeconds ?? 0) * 1_000)
        }
        if (wait === undefined) {
          if (isSilence(failure)) reachability?.noteSilence(host)
          throw failure
        }
        log.debug({ service: options.service, attempt, waitMillis: wait }, 'trying again')
        await timing.sleep(wait, call.signal)
      }
    }
  }
  return { text, json: async (call) => parseJson(await text(call)) }
}

const OUTCOMES: Readonly<Record<HttpFailure['kind'], CallOutcome>> = {
  auth: 'refused',
  'bad-request': 'refused',
  'not-found': 'refused',
  limit: 'limit',
  network: 'network',
  malformed: 'failed',
}

/** No answer at all, not even a refusal. */
const isSilence = (failure: unknown): boolean =>
  failure instanceof HttpFailure && failure.kind === 'network' && failure.status === undefined

/** One request and its answer, without a second try. `onAnswer`: the host is there, whatever becomes of the rest. */
function singleExchange(
  options: HttpClientOptions,
  { transport, timing, log }: HttpSurroundings,
  onAnswer: () => void,
) {
  const { service, timeoutMillis = 15_000, maxBytes = 32 * MEGABYTE } = options
  const mask = (text: string) =>
    (options.secrets ?? []).filter(Boolean).reduce((masked, secret) => masked.replaceAll(secret, '***'), text)

  return async (call: Call): Promise<string> => {
    const method = call.method ?? 'GET'
    // The path and not the address: keys travel in queries.
    const line = { service, requestId: randomUUID(), method, path: mask(call.path) }
    const startedAt = timing.now()
    const deadline = timing.timeout(timeoutMillis)
    const signal = AbortSignal.any([call.signal, deadline])
    try {
      const response = await transport({
        method,
        url: addressOf(options, call),
        headers: sendable(headersOf(options, call)),
        body: call.text ?? (call.json === undefined ? call.signed?.body : JSON.stringify(call.json)),
        signal,
      })
      onAnswer()
      const text = await readLimitedText(response.body, maxBytes)
      const answered = { ...line, status: response.status, vendorRequestId: response.header('x-request-id') }
      log.debug({ ...answered, millis: timing.now() - startedAt, bytes: text.length }, 'outside call')
      const count = vendorCountOf(response, timing.now())
      if (count) options.bucket?.noteRemaining(count.remaining, count.untilResetMillis)
      if (response.status >= 200 && response.status < 300) {
        outsideCalls.record(service, 'answered', (timing.now() - startedAt) / 1_000)
        return text
      }
      throw statusFailure(response, mask(text.slice(0, 2_000)), timing.now())
    } catch (error) {
      call.signal.throwIfAborted()
      const failure = deadline.aborted ? timedOut(timeoutMillis, error) : asFailure(error)
      outsideCalls.record(service, OUTCOMES[failure.kind], (timing.now() - startedAt) / 1_000)
      log.warn(
        { ...line, failure: failure.kind, status: failure.status, reason: failure.message },
        'outside call failed',
      )
      throw failure
    }
  }
}

function addressOf(options: HttpClientOptions, call: Call): URL {
  const url = new URL(options.baseUrl + call.path + (call.signed?.query ? `?${call.signed.query}` : ''))
  for (const [name, value] of Object.entries({ ...options.query, ...call.query })) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

const headersOf = (options: HttpClientOptions, call: Call) => ({
  accept: 'application/json, text/csv;q=0.9, */*;q=0.1',
  ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
  ...options.headers,
  ...call.headers,
})

/** A key or an address of a user may have letters that no header can have, which says nothing about the host. */
function sendable(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    void new Headers(headers)
    return headers
  } catch (cause) {
    throw new HttpFailure('bad-request', 'a key or an address has characters that cannot be sent', { cause })
  }
}

function statusFailure(response: HttpResponse, body: string, now: number): HttpFailure {
  const { status } = response
  const count = status === 429 ? vendorCountOf(response, now) : undefined
  const asked = retryAfterSeconds(response.header('retry-after'), now)
  return new HttpFailure(kindOfStatus(status), reasonOfStatus(status), {
    status,
    body,
    retryAfterSeconds: asked ?? (count?.remaining === 0 ? count.untilResetMillis / 1_000 : undefined),
  })
}

const timedOut = (timeoutMillis: number, cause: unknown) =>
  new HttpFailure('network', `it did not answer within ${timeoutMillis / 1_000} seconds`, { cause })

function asFailure(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error
  const code = errorCode(error)
  const halfway = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  const reason = halfway ? 'the connection broke before the answer was complete' : 'it cannot be reached'
  // The code is for the log, which gets the cause.
  return new HttpFailure('network', reason, { cause: error })
}

/** fetch hides the interesting error in the cause of its TypeError. */
function errorCode(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code
  }
  return undefined
}

interface SentList {
  readonly service: string
  /** The list's name in the log, such as its path. */
  readonly list: string
  readonly elements: readonly unknown[]
}

/** A list that is polled complains about the same element at every poll: each complaint is one warning per process. */
const warnings = new WeakMap<HttpLog, (complaint: string) => boolean>()
/** Names of unexpected fields are the vendor's, so that complaints could be without end. */
const MAX_WARNED = 1_000

/**
 * Reads a vendor's list element by element. Elements of an unexpected form are left out and logged, so that one of them
 * (an option spread among plain orders) does not make the others unreadable.
 */
export function readEach<Schema extends z.ZodType>(schema: Schema, sent: SentList, log: HttpLog): z.output<Schema>[] {
  const read: z.output<Schema>[] = []
  for (const element of sent.elements) {
    const result = schema.safeParse(element)
    if (result.success) read.push(result.data)
    else tell(log, sent, result.error)
  }
  return read
}

/** The same for prices and catalogues: where no element is of the known form, the whole answer has changed. */
export function readMost<Schema extends z.ZodType>(schema: Schema, sent: SentList, log: HttpLog): z.output<Schema>[] {
  const read = readEach(schema, sent, log)
  return read.length === 0 && sent.elements.length > 0 ? z.array(schema).parse(sent.elements) : read
}

function tell(log: HttpLog, { service, list }: SentList, error: z.ZodError): void {
  const complaints = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const key = [service, list, ...complaints].join('\n')
  const isFirst = warnings.get(log) ?? firstSeen(MAX_WARNED)
  warnings.set(log, isFirst)
  const write = isFirst(key) ? log.warn.bind(log) : log.debug.bind(log)
  write({ service, list, complaints }, 'an element of an unexpected form was left out of a list')
}
