import { refuseForeignExchanges } from '@tradewright/core/exchange'
import { parseTicker } from '@tradewright/core/ticker'
import { CASHX, TBILLX } from '@tradewright/core/ticker-kind'
import { type EpochDay, HOUR, MINUTE, SECOND, type UtcMillis, epochDayOf } from '@tradewright/core/time'
import { type MarketDataProvider, type TickerFacts, ProviderFailure } from '@tradewright/engine/market/provider'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { Problem } from '@tradewright/core/problem'
import { type ProvidersOf, realProvidersFor, syntheticProviderFor } from '../market-data/providers.ts'
import { catalogueEntry, catalogue, tickerName } from './catalogue.ts'
import type { OpenStores } from '../market-data/stores/data-store.ts'

/** What is known about the data of one ticker. */
interface LookedUp {
  readonly ticker: string
  readonly name: string | undefined
  /**
   * `stored`: in the user's default store. `available`: its provider has it. `computed`: needs no data. `unchecked`: its
   * provider cannot be asked about a ticker alone, or was asked too often. `missing`: its provider does not know it. `unreachable`: it does not
   * answer.
   */
  readonly state: 'stored' | 'available' | 'computed' | 'unchecked' | 'missing' | 'unreachable'
  /** The id of the provider of the rows, or the one that was asked or would be. */
  readonly provider: string | undefined
  readonly since: EpochDay | undefined
  readonly sinceYear: number | undefined
  /** Without real data, a run would use the sample market. */
  readonly hasSample: boolean
}

export interface LookUpDeps extends SearchDeps {
  readonly providersOf: ProvidersOf
  readonly ask: AskAboutTicker
}

/** Undefined where the provider does not know the ticker; a word where it did not say, or was not asked. */
type AskAboutTicker = (
  userId: number,
  provider: MarketDataProvider,
  ticker: string,
) => Promise<TickerFacts | undefined | 'unreachable' | 'unchecked'>

export async function lookUpTicker(deps: LookUpDeps, userId: number, text: string): Promise<LookedUp> {
  refuseForeignExchanges([text])
  const ticker = parseTicker(text)
  const { symbol } = ticker
  const known = catalogueEntry(symbol)
  const company = known ?? deps.secCompanies().find((one) => one.ticker === symbol)
  const base = {
    ticker: symbol,
    name: company?.name,
    sinceYear: known?.sinceYear,
    provider: undefined,
    since: undefined,
    hasSample: false,
  }
  if (symbol === CASHX || symbol === TBILLX) return { ...base, state: 'computed' }
  const stored = (await deps.stored(userId)).find((one) => one.ticker === symbol)
  if (stored) return { ...base, state: 'stored', provider: stored.provider, since: stored.first }
  const providers = await deps.providersOf(userId)
  const hasSample = syntheticProviderFor(providers, ticker) !== undefined
  const real = realProvidersFor(providers, ticker)
  const asked = real.find(({ lookUp }) => lookUp !== undefined)
  if (!asked) return { ...base, state: real.length > 0 ? 'unchecked' : 'missing', provider: real[0]?.id, hasSample }
  const facts = await deps.ask(userId, asked, symbol)
  if (typeof facts === 'string') return { ...base, state: facts, provider: asked.id, hasSample }
  if (!facts) return { ...base, state: 'missing', provider: asked.id, hasSample }
  return { ...base, state: 'available', provider: asked.id, since: facts.since }
}

/** The longest wait while a user types. */
const ANSWER_LIMIT_MS = 3 * SECOND
const KNOWN_MS = HOUR
const UNKNOWN_MS = 15 * MINUTE
const MAX_ANSWERS = 2_000
/** Half-typed tickers must not use up what the provider allows for prices, nor one user what others may ask. */
const CALLS_PER_MINUTE = { user: 20, all: 60 }

/** Asks a provider about a ticker, each once an hour, and not too many a minute. */
export function askAboutTickers(now: () => UtcMillis): AskAboutTicker {
  const answers = new Map<string, { facts: TickerFacts | undefined; until: UtcMillis }>()
  let calls: { userId: number; at: UtcMillis }[] = []
  const mayAsk = (userId: number) => {
    calls = calls.filter(({ at }) => at > now() - MINUTE)
    const own = calls.filter((call) => call.userId === userId)
    return calls.length < CALLS_PER_MINUTE.all && own.length < CALLS_PER_MINUTE.user
  }
  return async (userId, provider, ticker) => {
    const key = `${provider.id} ${ticker}`
    const known = answers.get(key)
    if (known && known.until > now()) return known.facts
    if (!mayAsk(userId)) return 'unchecked'
    calls.push({ userId, at: now() })
    try {
      const facts = await provider.lookUp!(ticker, AbortSignal.timeout(ANSWER_LIMIT_MS))
      if (answers.size >= MAX_ANSWERS) answers.clear()
      answers.set(key, { facts, until: now() + (facts ? KNOWN_MS : UNKNOWN_MS) })
      return facts
    } catch (error) {
      const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
      if (!(error instanceof ProviderFailure) && !isTimeout) throw error
      return 'unreachable'
    }
  }
}

interface NamedTicker {
  readonly ticker: string
  readonly name: string
}

interface FoundTicker extends NamedTicker {
  /** `stored`: rows of it are in the user's default store. */
  readonly source: 'stored' | 'catalogue' | 'sec'
  /** The id of the provider of stored rows. */
  readonly provider?: string
  readonly first?: EpochDay
  /** The first year with data, where the built-in catalogue states it. */
  readonly sinceYear: number | undefined
}

interface SearchDeps {
  readonly stored: StoredSeriesOf
  /** What is known of the SEC's list of companies; never waited for. */
  readonly secCompanies: () => readonly NamedTicker[]
}

/**
 * Tickers whose symbol or name has the text: the exact symbol first, then symbols that begin so, then names that begin so,
 * then names with such a word, then the rest. Of equal ones the user's own come first, then the catalogue's, then the SEC's.
 */
export async function searchTickers(
  { stored, secCompanies }: SearchDeps,
  userId: number,
  text: string,
  limit: number,
): Promise<FoundTicker[]> {
  const own = (await stored(userId)).map(({ ticker, provider, first }): FoundTicker => ({
    ticker,
    name: tickerName(ticker),
    source: 'stored',
    provider,
    first,
    sinceYear: undefined,
  }))
  const wanted = text.trim().toUpperCase()
  const found: { rank: number; ticker: FoundTicker }[] = []
  const seen = new Set<string>()
  const consider = (one: FoundTicker) => {
    const rank = rankOf(one, wanted)
    if (rank === undefined || seen.has(one.ticker)) return
    seen.add(one.ticker)
    found.push({ rank, ticker: one })
  }
  for (const one of own) consider(one)
  for (const entry of catalogue) consider({ ...entry, source: 'catalogue' })
  if (wanted !== '')
    for (const { ticker, name } of secCompanies()) consider({ ticker, name, source: 'sec', sinceYear: undefined })
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ ticker }) => ticker)
}

function rankOf({ ticker, name }: NamedTicker, wanted: string): number | undefined {
  if (ticker === wanted) return 0
  if (ticker.startsWith(wanted)) return 1
  const upper = name.toUpperCase()
  if (upper.startsWith(wanted)) return 2
  if (upper.includes(` ${wanted}`)) return 3
  return upper.includes(wanted) || ticker.includes(wanted) ? 4 : undefined
}

/** Every key that is typed asks for the list. */
const CACHE_MS = 10 * SECOND
const MAX_USERS = 200

/** A store that cannot be reached has nothing to suggest, which is not worth an error while typing. */
export function storedSeriesOf(stores: OpenStores, now: () => UtcMillis): StoredSeriesOf {
  const cached = new Map<number, { series: Promise<readonly StoredSeries[]>; until: UtcMillis }>()
  const read = async (userId: number): Promise<readonly StoredSeries[]> => {
    try {
      const { series } = await stores.defaultOf(userId)
      const summaries = await series.summaries({ layer: 'gold', granularities: ['1d'] })
      return mergedByTicker(
        summaries
          .filter(({ provider }) => provider !== SAMPLE_PROVIDER_ID)
          .map(({ ticker, provider, first, last }) => ({
            ticker,
            provider,
            first: epochDayOf(first),
            last: epochDayOf(last),
          })),
      )
    } catch (error) {
      if (error instanceof Problem) return []
      throw error
    }
  }
  return (userId) => {
    const known = cached.get(userId)
    if (known && known.until > now()) return known.series
    if (cached.size >= MAX_USERS) cached.clear()
    const series = read(userId)
    cached.set(userId, { series, until: now() + CACHE_MS })
    series.catch(() => cached.delete(userId))
    return series
  }
}

/** A series whose rows came from several providers counts as that of the longest part. */
function mergedByTicker(parts: readonly StoredSeries[]): StoredSeries[] {
  const groups = Map.groupBy(parts, ({ ticker }) => ticker)
  return Array.from(groups.values(), (group) => {
    const main = group.reduce((a, b) => (b.last - b.first > a.last - a.first ? b : a))
    const first = Math.min(...group.map((part) => part.first))
    return { ...main, first, last: Math.max(...group.map((part) => part.last)) }
  })
}

/** A daily series in the user's default store, its best rows. */
interface StoredSeries {
  readonly ticker: string
  /** The provider's id. */
  readonly provider: string
  readonly first: EpochDay
  readonly last: EpochDay
}

/** Real series alone: synthetic rows are made anew wherever they are wanted. */
type StoredSeriesOf = (userId: number) => Promise<readonly StoredSeries[]>
