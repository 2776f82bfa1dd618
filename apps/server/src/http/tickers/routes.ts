import * as contract from '@tradewright/contract/tickers'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { type EpochDay, formatDate } from '@tradewright/core/time'
import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import { realProvidersFor } from '../../market-data/providers.ts'
import { lookUpTicker, type LookUpDeps, searchTickers } from '../../tickers/look-up.ts'
import type { Handle } from '../server/handle.ts'
import { turnsPerUser } from '../../turn-queue.ts'

const success = true as const

/** A form with many rows looks up all of them at once. */
const MAX_WAITING = 60

export function serveTickers(handle: Handle, deps: LookUpDeps): void {
  handle(contract.searchTickers, async ({ user, query }) => {
    const found = await searchTickers(deps, user.id, query.q, query.limit)
    const providers = await deps.providersOf(user.id)
    return {
      success,
      tickers: found.map(({ ticker, name, source, provider, first, sinceYear }) => ({
        ticker,
        name,
        source,
        provider: providerName(providers, provider ?? askedFor(providers, ticker)),
        data_since: sinceOf(first, sinceYear),
      })),
    }
  })
  const turns = turnsPerUser(MAX_WAITING)
  handle(contract.lookUpTicker, async ({ user, query }) =>
    turns(user.id, async () => {
      const { ticker, name, state, provider, since, sinceYear, hasSample } = await lookUpTicker(
        deps,
        user.id,
        query.ticker,
      )
      return {
        success,
        ticker,
        name: name ?? null,
        state,
        provider: providerName(await deps.providersOf(user.id), provider),
        data_since: sinceOf(since, sinceYear),
        sample: hasSample,
      }
    }),
  )
}

/** The provider that a run would ask first. */
const askedFor = (providers: readonly MarketDataProvider[], symbol: string): string | undefined =>
  realProvidersFor(providers, { symbol, kind: tickerKind(symbol), leverage: undefined })[0]?.id

const OWN_NAMES: Readonly<Record<string, string>> = { csv: 'your CSV', transform: 'your transform' }

const providerName = (providers: readonly MarketDataProvider[], id: string | undefined): string | null =>
  id === undefined ? null : (OWN_NAMES[id] ?? providers.find((one) => one.id === id)?.displayName ?? id)

const sinceOf = (first: EpochDay | undefined, year: number | undefined): string | null =>
  first === undefined ? (year?.toString() ?? null) : formatDate(first)
