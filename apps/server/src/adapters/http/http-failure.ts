import type { ProviderFailureKind } from '@tradewright/engine/market/provider'

interface HttpFailureDetails {
  readonly status?: number
  /** The start of the answer's body, for adapters that know what their vendor says in it. Secrets are masked. */
  readonly body?: string
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/**
 * A call that did not succeed. The message is the reason as half a sentence ("it did not answer within 15 seconds"),
 * which the adapter completes with the vendor's name and what was asked for. It holds no address and no key.
 */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly kind: ProviderFailureKind
  readonly status: number | undefined
  readonly body: string
  readonly retryAfterSeconds: number | undefined

  constructor(kind: ProviderFailureKind, reason: string, details: HttpFailureDetails = {}) {
    super(reason, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.status = details.status
    this.body = details.body ?? ''
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export function kindOfStatus(status: number): ProviderFailureKind {
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'not-found'
  if (status === 429) return 'limit'
  if (status === 408 || status >= 500) return 'network'
  if (status < 400) return 'malformed'
  return 'bad-request'
}

const REASONS = {
  auth: 'it refused the request as not allowed',
  limit: 'it is limiting our calls',
  'not-found': 'it does not have what was requested',
  'bad-request': 'it refused the request',
  network: 'it has an internal error',
  malformed: 'it redirected the call instead of answering',
} as const satisfies Record<ProviderFailureKind, string>

export const reasonOfStatus = (status: number): string => `${REASONS[kindOfStatus(status)]} (HTTP ${status})`
