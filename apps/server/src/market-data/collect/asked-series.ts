import { type TimeRange, type UtcMillis, MINUTE } from '@tradewright/core/time'
import type { ProviderFailureKind } from '@tradewright/engine/market/provider'

/** How asking a provider for a series ended. */
export type AskOutcome =
  | { readonly kind: 'stored' }
  | {
      readonly kind: 'missing' | 'failed'
      readonly reason: string
      readonly appliesToAnyRange: boolean
      /** Undefined where the provider answered that it has nothing. */
      readonly failure: ProviderFailureKind | undefined
    }
  /** The caller disconnected before there was an answer. */
  | { readonly kind: 'abandoned' }

interface Answered {
  readonly outcome: AskOutcome
  readonly range: TimeRange
  readonly at: UtcMillis
  readonly until: UtcMillis
}

const REMEMBERED = { stored: 15 * MINUTE, missing: 15 * MINUTE, failed: 5 * MINUTE, abandoned: 0 } as const

/**
 * Requests for series in flight, and how recent ones ended. Many callers of one range share one request, and a provider
 * that is down is not asked again at once.
 */
export class AskedSeries {
  readonly #inFlight = new Map<string, { range: TimeRange; ended: Promise<AskOutcome> }>()
  readonly #answered = new Map<string, Answered>()
  readonly #now: () => UtcMillis

  constructor(now: () => UtcMillis) {
    this.#now = now
  }

  /** The answer to a request in flight. */
  waitingFor(key: string): Promise<AskOutcome> | undefined {
    return this.#inFlight.get(key)?.ended
  }

  /** Begins to ask; the function that is returned ends it. */
  begin(key: string, range: TimeRange): (outcome: AskOutcome) => void {
    const { promise, resolve } = Promise.withResolvers<AskOutcome>()
    const mine = { range, ended: promise }
    this.#inFlight.set(key, mine)
    return (outcome) => {
      if (this.#inFlight.get(key) === mine) this.#inFlight.delete(key)
      const forMillis = REMEMBERED[outcome.kind]
      const at = this.#now()
      if (forMillis > 0) this.#answered.set(key, { outcome, range, at, until: at + forMillis })
      resolve(outcome)
    }
  }

  /** A recent answer that holds for this range as well; none from before `since`. */
  recent(key: string, { from, to }: TimeRange, since = -Infinity): AskOutcome | undefined {
    const answered = this.#answered.get(key)
    if (!answered || answered.at < since) return undefined
    if (answered.until <= this.#now()) {
      this.#answered.delete(key)
      return undefined
    }
    const { outcome, range } = answered
    const holds =
      ('appliesToAnyRange' in outcome && outcome.appliesToAnyRange) || (from >= range.from && to <= range.to)
    return holds ? outcome : undefined
  }
}
