import type { TimeRange } from '@tradewright/core/time'
import type { FetchRequest, MarketDataProvider, TickerResult } from '@tradewright/engine/market/provider'
import type { ProviderUnderTest } from './provider-suite.ts'
import type { DataFault, StandIn, StandInRequest } from './stand-ins/stand-in.ts'
import type { testSurroundings } from './test-surroundings.ts'

interface RemoteProvider {
  readonly provider: MarketDataProvider
  readonly standIn: StandIn
  readonly surroundings: ReturnType<typeof testSurroundings>
  readonly tickers: readonly [string, string]
  readonly unknownTicker: string
  readonly range: TimeRange
  readonly isAbout: (request: StandInRequest, ticker: string) => boolean
  readonly secrets?: readonly string[]
  readonly dataFaults?: readonly DataFault[]
}

const EVERY_FAULT: readonly DataFault[] = ['nan', 'negative-price', 'time-runs-backwards']

/** A provider that calls a stand-in, as the suite wants it. */
export const remoteProvider = ({ standIn, surroundings, isAbout, ...more }: RemoteProvider): ProviderUnderTest => ({
  provider: more.provider,
  tickers: more.tickers,
  unknownTicker: more.unknownTicker,
  range: more.range,
  now: surroundings.timing.now(),
  close: () => standIn.close(),
  remote: {
    standIn,
    timing: surroundings.timing,
    log: surroundings.log,
    secrets: more.secrets ?? [],
    isAbout,
    dataFaults: more.dataFaults ?? EVERY_FAULT,
  },
})

type Asked = Pick<FetchRequest, 'tickers' | 'range'> & Partial<FetchRequest>

/** Daily rows of all categories, unless something else is asked for. */
export function askProvider(provider: MarketDataProvider, request: Asked): Promise<TickerResult[]> {
  const categories = provider.limits.supportedCategories
  const never = new AbortController().signal
  return Array.fromAsync(provider.fetch({ granularity: '1d', categories, ...request }, never))
}

type Delivered = Extract<TickerResult, { outcome: 'delivered' }>

/** The rows of the provider's only ticker. */
export async function deliveredBy(provider: MarketDataProvider, request: Asked): Promise<Delivered> {
  const [result] = await askProvider(provider, request)
  if (result?.outcome !== 'delivered') throw new Error(`${request.tickers[0]} was ${result?.outcome}`)
  return result
}
