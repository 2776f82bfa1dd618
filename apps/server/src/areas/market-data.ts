import type { Clock } from '@tradewright/core/clock'
import { sampleProvider } from '@tradewright/engine/market/sample/sample-provider'
import { systemHttp } from '../adapters/http/http-client.ts'
import { builtInProviders } from '../adapters/market-data/built-in-providers.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import type { Logger } from '../log.ts'
import { AskedSeries } from '../market-data/collect/asked-series.ts'
import type { ProvidersOf } from '../market-data/providers.ts'
import { createSeriesFor, type SeriesFor } from '../market-data/series-for.ts'
import { createOpenStores } from '../market-data/stores/open-stores.ts'
import type { OpenStores } from '../market-data/stores/ports.ts'
import { createDataStoreRows } from '../stores/data-stores.ts'
import { seriesStoreOpener } from '../stores/series/open-series-store.ts'
import { createCoverageStore } from '../stores/series-coverage.ts'

/** Market data as the other areas use it, in the web process and in every worker. */
export interface MarketDataArea {
  seriesFor: SeriesFor
  stores: OpenStores
  providersOf: ProvidersOf
  close(): Promise<void>
}

export function openMarketData(
  config: Config,
  { database }: Pick<Foundation, 'database'>,
  clock: Clock,
  log: Logger,
): MarketDataArea {
  const now = () => clock.now().getTime()
  const opener = seriesStoreOpener({ dataDir: config.dataDir, threads: config.computeThreads, clock })
  const stores = createOpenStores(createDataStoreRows(database), opener.open)
  const providers = [
    ...builtInProviders(config, systemHttp(log)),
    ...(config.sampleData ? [sampleProvider(clock)] : []),
  ]
  const providersOf: ProvidersOf = async () => providers
  return {
    stores,
    providersOf,
    seriesFor: createSeriesFor({
      stores,
      providersOf,
      coverage: createCoverageStore(database),
      asked: new AskedSeries(now),
      now,
    }),
    async close() {
      await stores.close()
      await opener.close()
    },
  }
}
