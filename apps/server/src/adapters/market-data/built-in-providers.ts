import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import type { Config } from '../../config.ts'
import { coinalyzeProvider } from '../coinalyze/provider.ts'
import { coinbaseProvider } from '../coinbase/provider.ts'
import { fredProvider } from '../fred/provider.ts'
import type { HttpSurroundings } from '../http/http-client.ts'
import { yahooProvider } from '../yahoo/provider.ts'
import { newestTogether } from './newest-together.ts'

/** The real providers that all users share. Alpaca's are made per user, whose keys they need. */
export function builtInProviders(
  { services, fredApiKey, coinalyzeApiKey }: Pick<Config, 'services' | 'fredApiKey' | 'coinalyzeApiKey'>,
  surroundings: HttpSurroundings,
): MarketDataProvider[] {
  const together = (provider: MarketDataProvider) => newestTogether(provider, () => surroundings.timing.now())
  return [
    together(yahooProvider(services.yahoo, surroundings)),
    fredProvider({ jsonUrl: services.fred, csvUrl: services.fredCsv, apiKey: fredApiKey }, surroundings),
    coinalyzeProvider({ baseUrl: services.coinalyze, apiKey: coinalyzeApiKey }, surroundings),
    together(coinbaseProvider(services.coinbase, surroundings)),
  ]
}
