import { Problem, type ProblemKind } from '@tradewright/core/problem'

export type ProviderFailureKind = 'auth' | 'limit' | 'not-found' | 'bad-request' | 'network' | 'malformed'

const PROBLEM_KIND = {
  auth: 'denied',
  limit: 'limited',
  'not-found': 'missing',
  'bad-request': 'invalid',
  network: 'unavailable',
  malformed: 'upstream',
} as const satisfies Record<ProviderFailureKind, ProblemKind>

interface ProviderFailureDetails {
  readonly provider: string
  readonly ticker?: string
  readonly cause?: unknown
  readonly retryAfterSeconds?: number
}

/**
 * A provider that did not deliver, as a Problem of code `provider.<failure>`: `limit` and `network` may be tried again,
 * the others not. The message is a sentence for the user and holds no key and no URL with one.
 */
export class ProviderFailure extends Problem {
  readonly failure: ProviderFailureKind
  readonly provider: string
  readonly ticker: string | undefined

  constructor(failure: ProviderFailureKind, message: string, details: ProviderFailureDetails) {
    const { cause, retryAfterSeconds } = details
    super(PROBLEM_KIND[failure], `provider.${failure}`, message, {
      ...(cause === undefined ? {} : { cause }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
    this.failure = failure
    this.provider = details.provider
    this.ticker = details.ticker
  }

  get mayRetry(): boolean {
    return this.failure === 'limit' || this.failure === 'network'
  }
}
