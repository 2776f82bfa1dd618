import { MINUTE, type UtcMillis } from '@tradewright/core/time'
import { setTimeout as wait } from 'node:timers/promises'
import { HttpFailure } from './http-failure.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface HttpRequest {
  readonly method: HttpMethod
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  header(name: string): string | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/** Sends one request and gives what came back, whatever its status. Rejects when nothing did. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

async function* nothing(): AsyncIterable<Uint8Array> {}

/**
 * For the services of the configuration. Redirects come back as they are: none of these services redirects, and
 * following one would carry key headers to another host.
 */
export const fetchTransport: Transport = async ({ method, url, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    signal,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: response.body ?? nothing(),
  }
}

export interface RetryPolicy {
  /** Tries in all, the first one included. */
  readonly attempts: number
  /** The pause before the second try; doubled before each further one. */
  readonly backOffMillis: number
  /** The same after a 429 without Retry-After. */
  readonly limitBackOffMillis: number
  /** A vendor that asks for a longer wait than this gets a failure now instead of a caller that hangs. */
  readonly longestWaitMillis: number
}

export const defaultRetry: RetryPolicy = {
  attempts: 3,
  backOffMillis: 500,
  limitBackOffMillis: 5_000,
  longestWaitMillis: 120_000,
}

/** How long to wait before trying again; undefined when that is pointless. `attempt` counts from 1. */
export function retryWaitMillis(failure: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (!(failure instanceof HttpFailure) || attempt >= policy.attempts) return undefined
  if (failure.kind !== 'limit' && failure.kind !== 'network') return undefined
  const base = failure.kind === 'limit' ? policy.limitBackOffMillis : policy.backOffMillis
  const wait =
    failure.retryAfterSeconds === undefined ? base * 2 ** (attempt - 1) : Math.ceil(failure.retryAfterSeconds * 1_000)
  return wait > policy.longestWaitMillis ? undefined : wait
}

/** `Retry-After` in seconds (some vendors send fractions) or as a date. */
export function retryAfterSeconds(header: string | undefined, now: UtcMillis): number | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const instant = Date.parse(header)
  return Number.isNaN(instant) ? undefined : Math.max(0, (instant - now) / 1_000)
}

const MAX_RESET_MILLIS = 2 * MINUTE

interface VendorCount {
  readonly remaining: number
  readonly untilResetMillis: number
}

/**
 * The vendor's own count of our calls: `X-RateLimit-Remaining` with `X-RateLimit-Reset` in seconds since 1970, as Alpaca
 * sends them. Other forms are ignored.
 */
export function vendorCountOf(response: Pick<HttpResponse, 'header'>, now: UtcMillis): VendorCount | undefined {
  const remaining = response.header('x-ratelimit-remaining')?.trim() ?? ''
  const untilResetMillis = Number(response.header('x-ratelimit-reset')) * 1_000 - now
  const isUsable = /^\d+$/.test(remaining) && untilResetMillis > 0 && untilResetMillis <= MAX_RESET_MILLIS
  return isUsable ? { remaining: Number(remaining), untilResetMillis } : undefined
}

/** All waiting that an adapter does, passed in so that a test can make a minute pass at once. */
export interface Timing {
  now(): UtcMillis
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  /** A signal that aborts after so many milliseconds. */
  timeout(milliseconds: number): AbortSignal
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await wait(milliseconds, undefined, { signal })
    } catch (error) {
      // Node rejects with an AbortError of its own; callers promised their signal's reason.
      signal.throwIfAborted()
      throw error
    }
  },
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
}

const MEGABYTE = 1024 * 1024

/** Reads a body as text, and stops reading one that is larger than anything the vendor should send. */
export async function readLimitedText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) {
      throw new HttpFailure('malformed', `it sent more than ${Math.round(maxBytes / MEGABYTE)} MB in one answer`)
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Block pages and login pages come as HTML with status 200, so the body is inspected and not only its label. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(text, cause)
  }
}

/** What was sent instead. The parser's message quotes the body, so it stays in the cause. */
export function notJson(text: string, cause?: unknown): HttpFailure {
  const start = text.slice(0, 10_000).trimStart()
  if (start === '') return new HttpFailure('malformed', 'it sent an empty answer')
  if (start.startsWith('<'))
    return new HttpFailure('malformed', 'it sent a web page instead of data', { body: text.slice(0, 500) })
  return new HttpFailure('malformed', 'it sent an answer that is incomplete or not JSON', { cause })
}

/** The bytes of a body, until there are more than allowed. */
export async function* limitedBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new HttpFailure('malformed', 'it sent too much in one answer')
    yield chunk
  }
}

/** `fetch` for SDKs that read whatever a service sends. Time is bounded by the signal they pass. */
export const limitedFetch =
  (maxBytes: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    const { status, statusText, headers } = response
    return new Response(ReadableStream.from(limitedBytes(response.body, maxBytes)), { status, statusText, headers })
  }
