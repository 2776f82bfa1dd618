import { MINUTE, type UtcMillis } from '@tradewright/core/time'
import { HttpFailure } from './http-failure.ts'
import type { HttpResponse } from './transport.ts'

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
