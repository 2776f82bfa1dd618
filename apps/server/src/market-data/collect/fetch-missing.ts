import type { Granularity } from '@tradewright/core/granularity'
import { type TimeRange, type UtcMillis, MINUTE } from '@tradewright/core/time'
import {
  type MarketDataProvider,
  type TickerResult,
  ProviderFailure,
  type ProviderFailureKind,
} from '@tradewright/engine/market/provider'
import type { RefusedRow } from '@tradewright/engine/market/layers/rows'
import type { OpenStore } from '../stores/data-store.ts'
import { collect, type CoverageStore, missingRanges, expectsRows, knowableRange } from './collect.ts'
import { untilAborted } from '../../until-aborted.ts'

export interface FetchMissingDeps {
  readonly coverage: CoverageStore
  readonly asked: AskedSeries
  readonly now: () => UtcMillis
}

interface Wanted {
  readonly store: OpenStore
  readonly tickers: readonly string[]
  readonly granularity: Granularity
  readonly range: TimeRange
  /** Whose earlier answers count as having the range. */
  readonly counts: (provider: string) => boolean
  /** Ask again what has just failed: the user named this provider, or asked to retry. */
  readonly insists: boolean
  /** Answers from before this instant do not count: rows that were not there then may be there now. */
  readonly since?: UtcMillis | undefined
  /** An earlier answer does not count: the store does not have the rows. */
  readonly isGone: boolean
  /** After so many tickers that the provider does not know the others are not asked for. */
  readonly maxUnknown?: number | undefined
  /** Called with rows that are left out because they cannot be true. */
  readonly onRefused: (rows: readonly RefusedRow[]) => void
}

/** What could not be had, by ticker. */
export type Shortfalls = Map<string, Shortfall>

interface Shortfall {
  readonly range: TimeRange
  readonly reason: string
  /** The display name of the provider that was asked. */
  readonly provider: string
  /** Undefined where it answered that it has nothing. */
  readonly failure: ProviderFailureKind | undefined
  /** It may well have it: too many before were unknown. */
  readonly isNotAsked: boolean
}

/** Asks the provider for what the store does not have yet, and stores it. */
export async function fetchMissing(
  deps: FetchMissingDeps,
  provider: MarketDataProvider,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Shortfalls> {
  const shortfalls: Shortfalls = new Map()
  const settled = new Set<string>()
  /** Reported as stored a moment ago, and not there when read: it may have been read just before. */
  const doubtful = new Set<string>()
  for (;;) {
    signal.throwIfAborted()
    const needs = (await missingParts(deps, wanted)).filter(({ ticker }) => !settled.has(ticker))
    const settle = ({ ticker, range }: Need, outcome: AskOutcome) => {
      if (outcome.kind === 'abandoned') return
      settled.add(ticker)
      if (outcome.kind === 'stored') return
      const { reason, failure } = outcome
      const isNotAsked = outcome.isNotAsked === true
      shortfalls.set(ticker, { range, reason, failure, isNotAsked, provider: provider.displayName })
    }
    const waits: { need: Need; ended: Promise<AskOutcome> }[] = []
    const mine: Need[] = []
    const doubted = doubtful.size
    for (const need of needs) {
      const key = keyOf(wanted, provider, need.ticker)
      const recent = recentAnswer(deps, wanted, key, need)
      const waiting = deps.asked.waitingFor(key)
      const isDoubtful = recent?.kind === 'stored' && !need.isStored
      if (isDoubtful && !doubtful.has(need.ticker)) doubtful.add(need.ticker)
      else if (recent && !isDoubtful) settle(need, recent)
      else if (waiting) waits.push({ need, ended: waiting })
      else mine.push(need)
    }
    // Together: when this caller goes away, both fail, and a wait that nothing listens to would end the process.
    await Promise.all([
      mine.length > 0 && ask(deps, provider, wanted, mine, signal, settle),
      ...waits.map(async ({ need, ended }) => settleOthers(need, await untilAborted(ended, signal), settle)),
    ])
    if (waits.length === 0 && doubtful.size === doubted) return shortfalls
  }
}

interface Need {
  readonly ticker: string
  /** The part that is missing; where two parts are, from the first to the last. */
  readonly range: TimeRange
  /** Whether the store has something of it. */
  readonly isStored: boolean
}

type Settle = (need: Need, outcome: AskOutcome) => void

const keyOf = ({ store, granularity }: Wanted, { id }: MarketDataProvider, ticker: string): string =>
  [store.id, id, ticker, granularity].join(' ')

function recentAnswer({ asked }: FetchMissingDeps, { insists, since }: Wanted, key: string, need: Need) {
  const recent = asked.recent(key, need.range, since)
  return recent?.kind === 'failed' && insists ? undefined : recent
}

/** The other request may have been for another range: the stored rows are checked again. */
function settleOthers(need: Need, outcome: AskOutcome, settle: Settle): void {
  if (outcome.kind === 'missing' || outcome.kind === 'failed') settle(need, outcome)
}

async function missingParts({ coverage, now }: FetchMissingDeps, wanted: Wanted): Promise<Need[]> {
  const { store, tickers, granularity, range, counts, isGone } = wanted
  const covered = isGone ? [] : await coverage.find(store.id, tickers, granularity)
  return tickers.flatMap((ticker) => {
    const known = covered.filter((series) => series.ticker === ticker && counts(series.provider))
    const missing = missingRanges(
      knowableRange(ticker, granularity, range, now()),
      known.flatMap(({ ranges }) => ranges),
    ).filter((part) => expectsRows(ticker, granularity, part))
    const [first, last] = [missing[0], missing.at(-1)]
    return first && last ? [{ ticker, range: { from: first.from, to: last.to }, isStored: known.length > 0 }] : []
  })
}

async function ask(
  deps: FetchMissingDeps,
  provider: MarketDataProvider,
  wanted: Wanted,
  needs: readonly Need[],
  signal: AbortSignal,
  settle: Settle,
): Promise<void> {
  const open = new Map(
    needs.map((need) => {
      const end = deps.asked.begin(keyOf(wanted, provider, need.ticker), need.range)
      return [
        need.ticker,
        // Another caller, who wants fewer tickers, may ask for what this one gave up.
        (outcome: AskOutcome, forOthers = outcome) => {
          open.delete(need.ticker)
          settle(need, outcome)
          end(forOthers)
        },
      ]
    }),
  )
  const givingUp = new AbortController()
  let unknown = 0
  try {
    const byRange = Map.groupBy(needs, ({ range }) => `${range.from} ${range.to}`)
    for (const group of byRange.values()) {
      const request = {
        tickers: group.map(({ ticker }) => ticker),
        granularity: wanted.granularity,
        range: group[0]!.range,
        categories: provider.limits.supportedCategories,
      }
      await collect(deps, wanted.store, provider, request, AbortSignal.any([signal, givingUp.signal]), {
        onStored: ({ refused }) => wanted.onRefused(refused),
        onFetched(_ticker, _records, _isPart, result) {
          if (result.outcome === 'missing' && result.reason === 'unknown-ticker') unknown += 1
          if (unknown === wanted.maxUnknown) givingUp.abort()
        },
        onOutcome: ({ ticker, result }) => open.get(ticker)?.(outcomeOf(result)),
      })
    }
  } catch (error) {
    if (givingUp.signal.aborted && !signal.aborted) {
      for (const end of open.values()) end(notAsked(provider, unknown), { kind: 'abandoned' })
      return
    }
    if (!(error instanceof ProviderFailure)) throw error
    for (const end of open.values()) end(failed(error))
  } finally {
    for (const end of open.values()) end({ kind: 'abandoned' })
  }
}

const notAsked = ({ displayName }: MarketDataProvider, unknown: number): AskOutcome => ({
  kind: 'missing',
  reason: `${displayName} was not asked for it, since it does not know ${unknown} others.`,
  appliesToAnyRange: false,
  failure: undefined,
  isNotAsked: true,
})

function outcomeOf(result: TickerResult): AskOutcome {
  if (result.outcome === 'delivered') return { kind: 'stored' }
  if (result.outcome === 'failed') return failed(result.failure)
  const { message: reason } = result
  return { kind: 'missing', reason, appliesToAnyRange: result.reason === 'unknown-ticker', failure: undefined }
}

/** The others may be about the days that were asked for. */
const FOR_ANY_RANGE: ReadonlySet<ProviderFailureKind> = new Set<ProviderFailureKind>([
  'network',
  'limit',
  'auth',
  'not-found',
])

const failed = ({ message, failure }: ProviderFailure): AskOutcome => ({
  kind: 'failed',
  reason: message,
  appliesToAnyRange: FOR_ANY_RANGE.has(failure),
  failure,
})

/** How asking a provider for a series ended. */
type AskOutcome =
  | { readonly kind: 'stored' }
  | {
      readonly kind: 'missing' | 'failed'
      readonly reason: string
      readonly appliesToAnyRange: boolean
      /** Undefined where the provider answered that it has nothing. */
      readonly failure: ProviderFailureKind | undefined
      /** The provider was not asked, since it did not know too many before. */
      readonly isNotAsked?: true
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
