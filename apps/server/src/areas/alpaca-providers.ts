import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import { alpacaDataProvider } from '../adapters/alpaca-data/provider.ts'
import type { HttpSurroundings } from '../adapters/http/http-client.ts'
import { readableKeys } from '../brokerage/account-keys.ts'
import type { AccountRows } from '../brokerage/ports.ts'
import type { ProvidersOf } from '../market-data/providers.ts'
import type { Seal } from '../secrets/seal.ts'

interface AlpacaProviderNeeds {
  readonly baseUrl: string
  readonly accounts: AccountRows
  readonly seal: Seal
  readonly http: HttpSurroundings
}

/** Alpaca's market data under the user's own keys: any of them do, so the default account's come first. */
export const alpacaProvidersOf =
  ({ baseUrl, accounts, seal, http }: AlpacaProviderNeeds): ProvidersOf =>
  async (userId): Promise<MarketDataProvider[]> => {
    const known = await accounts.list(userId)
    const keys = known
      .filter(({ broker, status }) => broker === 'alpaca' && status === 'verified')
      .map((account) => readableKeys(seal, account))
      .find((readable) => readable !== undefined)
    return keys ? [alpacaDataProvider(baseUrl, keys, http)] : []
  }
