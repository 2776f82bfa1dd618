import { refuseForeignExchanges } from '@tradewright/core/exchange'
import { parseTicker } from '@tradewright/core/ticker'
import { CASHX, TBILLX } from '@tradewright/core/ticker-kind'
import { type EpochDay, HOUR, MINUTE, SECOND, type UtcMillis } from '@tradewright/core/time'
import { type MarketDataProvider, type TickerFacts, ProviderFailure } from '@tradewright/engine/market/provider'
import { type ProvidersOf, realProvidersFor, syntheticProviderFor } from '../market-data/providers.ts'
import { catalogueEntry } from './catalogue.ts'
import type { SearchDeps } from './search.ts'

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
