import { Problem } from '@tradewright/core/problem'
import type { Ticker } from '@tradewright/core/ticker'
import { byPrecedence, providerPrecedence } from '@tradewright/engine/market/layers/rows'
import type { MarketDataProvider } from '@tradewright/engine/market/provider'

/** The providers that exist for a user: the configuration's, and their own. */
export type ProvidersOf = (userId: number) => Promise<readonly MarketDataProvider[]>

export function findProvider(providers: readonly MarketDataProvider[], id: string): MarketDataProvider {
  const provider = providers.find((one) => one.id === id)
  if (!provider) throw new Problem('invalid', 'provider.unknown', `There is no data provider "${id}".`)
  return provider
}

/** Real providers that may have the ticker, best first. A custom one is asked only where the user names it. */
export function realProvidersFor(providers: readonly MarketDataProvider[], ticker: Ticker): MarketDataProvider[] {
  const inOrder = byPrecedence(providerPrecedence(ticker.kind))
  return providers
    .filter((provider) => !provider.synthetic && !provider.isCustom && provider.serves(ticker))
    .sort((a, b) => inOrder(a.id, b.id))
}

export const syntheticProviderFor = (
  providers: readonly MarketDataProvider[],
  ticker: Ticker,
): MarketDataProvider | undefined => providers.find((provider) => provider.synthetic && provider.serves(ticker))
