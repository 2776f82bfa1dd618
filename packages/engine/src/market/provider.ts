import type { Category } from '@tradewright/core/category'
import type { Granularity } from '@tradewright/core/granularity'
import type { Ticker } from '@tradewright/core/ticker'
import { type EpochDay, type TimeRange, formatDate } from '@tradewright/core/time'
import { Problem, type ProblemKind } from '@tradewright/core/problem'
import { Decimal } from '@tradewright/core/decimal'
import type { CorporateActions } from './corporate-actions.ts'
import type { RefusedRow } from './layers/rows.ts'
import type { SeriesBlock } from './series.ts'

/** How far back a provider reaches at one granularity, and in what portions. */
export interface HistoryDepth {
  /** Days before today; undefined is "all there is". */
  readonly daysBack?: number
  /** The longest range of one call; the adapter cuts longer ones itself. */
  readonly daysPerCall?: number
}

/** A provider's own limits. The adapter keeps them; the job form and the scheduler show and plan with them. */
export interface ProviderLimits {
  readonly maxTickerBatch: number
  /** Undefined where the provider has not published one. */
  readonly callsPerMinute?: number
  /** Granularities that are missing here are not served. */
  readonly history: Readonly<Partial<Record<Granularity, HistoryDepth>>>
  /** In the order of the job form; the first one is its fallback. */
  readonly supportedCategories: readonly Category[]
  readonly bulkMode: boolean
}

export interface FetchRequest {
  /** Symbols without leverage, each of which the provider `serves`. More than a batch is cut by the provider. */
  readonly tickers: readonly string[]
  readonly granularity: Granularity
  /** Half-open; for daily rows in `dayStamp`s. */
  readonly range: TimeRange
  /**
   * Some of `supportedCategories`. Corporate actions and `releaseCategories` come with the answer, asked for or not.
   */
  readonly categories: readonly Category[]
  /** `additional_params.mode = bulk`; only where `limits.bulkMode`. */
  readonly bulk?: boolean
}

/** Why a ticker has no rows although nothing went wrong. */
type MissingReason = 'unknown-ticker' | 'no-data-in-range' | 'granularity-not-served' | 'beyond-history'

/**
 * The outcome of one ticker of the request: exactly one of these each, in any order. Before it may come parts of a
 * ticker whose rows are too many to be held at once.
 */
export type TickerResult =
  | {
      readonly outcome: 'delivered'
      readonly ticker: string
      /** The values as sent, in the provider's words. */
      readonly bronze: SeriesBlock
      /**
       * The same in ours: only finished bars inside the range, prices raw (a provider that sends split-adjusted ones
       * has them undone with `undoSplits`), `knownAt` filled for economic series.
       */
      readonly silver: SeriesBlock
      readonly actions: CorporateActions
      /**
       * Later values of economic observations, a block for each revision with release dates of its own. They stay in
       * silver: gold has what was published first.
       */
      readonly revisions?: readonly SeriesBlock[]
      /** Impossible rows, which are in bronze and not in silver. */
      readonly refused: readonly RefusedRow[]
      /** More of this ticker follows. */
      readonly isPart?: true
    }
  | {
      readonly outcome: 'missing'
      readonly ticker: string
      readonly reason: MissingReason
      /** A sentence that names the ticker. */
      readonly message: string
    }
  | { readonly outcome: 'failed'; readonly ticker: string; readonly failure: ProviderFailure }

/**
 * A source of market data. It handles limits, waiting, timeouts and retries itself, so a caller simply asks.
 *
 * `fetch` yields results as they arrive, so that a long run can store and report as it goes. One ticker's failure is a
 * `failed` result; only what makes every further ticker pointless (a rejected key, a refused request) is thrown, as a
 * `ProviderFailure`. An aborted signal ends it with the signal's reason.
 */
export interface MarketDataProvider {
  readonly id: string
  readonly displayName: string
  /** The card's type: `equities`, `economic`, `crypto`, `crypto derivatives`, `synthetic`, … */
  readonly providerType: string
  readonly isCustom: boolean
  readonly requiresAuth: boolean
  /** True only for made-up data, which must never pass for real. */
  readonly synthetic: boolean
  readonly limits: ProviderLimits
  /** Whether a symbol looks like one of its own. It may be generous: an unknown one comes back as `missing`. */
  readonly serves: (ticker: Ticker) => boolean
  readonly fetch: (request: FetchRequest, signal: AbortSignal) => AsyncIterable<TickerResult>
  /**
   * Whether it has a ticker, in one call without prices; undefined where it does not know it. Throws a `ProviderFailure`.
   * Absent where the provider has no such call.
   */
  readonly lookUp?: (ticker: string, signal: AbortSignal) => Promise<TickerFacts | undefined>
  /**
   * Mergers, changes of symbol, spin-offs and the like of these tickers in these days, both included. Throws a
   * `ProviderFailure`. Absent where the provider has no such list.
   */
  readonly listedActions?: (
    tickers: readonly string[],
    days: { readonly from: EpochDay; readonly last: EpochDay },
    signal: AbortSignal,
  ) => Promise<readonly ListedAction[]>
}

export interface TickerFacts {
  /** The first day with data. */
  readonly since: EpochDay | undefined
}

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

/** A corporate action that changes what a holding consists of, as market data list it. */
export interface ListedAction {
  /** Whose shares it is about. */
  readonly ticker: string
  readonly day: EpochDay
  /** What each of its shares becomes, or brings where they are kept. */
  readonly shares: readonly { readonly ticker: string; readonly perShare: number }[]
  /** In dollars. */
  readonly cashPerShare: number
  /** The shares stay, as in a spin-off. */
  readonly isKept: boolean
}

/** "each LSI became 0.895 EXR on 2023-07-20" */
export function listedInWords({ ticker, day, shares, cashPerShare, isKept }: ListedAction): string {
  const amount = (value: number) => String(Decimal.fromNumber(value).rounded(6))
  const parts = shares.map((share) => `${amount(share.perShare)} ${share.ticker}`)
  if (cashPerShare > 0) parts.push(`$${amount(cashPerShare)}`)
  const brought = parts.length === 0 ? 'nothing' : parts.join(' and ')
  return `each ${ticker} ${isKept ? 'brought' : 'became'} ${brought} on ${formatDate(day)}`
}
