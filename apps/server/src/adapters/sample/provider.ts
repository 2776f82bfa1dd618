import type { Clock } from '@tradewright/core/clock'
import { DAY } from '@tradewright/core/time'
import type { FetchRequest, MarketDataProvider, TickerResult } from '@tradewright/engine/market/provider'
import { sampleMarket } from '@tradewright/engine/market/sample/sample-market'
import { sampleProvider } from '@tradewright/engine/market/sample/sample-provider'
import type { SampleRequest } from '../../market-data/sample-task.ts'

type ComputeSample = (order: SampleRequest, signal: AbortSignal) => Promise<TickerResult>

interface SampleOnThreads extends MarketDataProvider {
  /** Computes what all its series are made from, which takes a tenth of a second. */
  prepare(): void
}

const FIRST_TICKER = 'SPY'

/** Made at once, in a few milliseconds: a quote does not wait for a thread. */
const SHORT = 2 * DAY

/** The sample market, whose bars within the day are made minute by minute: long ranges of them on compute threads. */
export function sampleOnThreads(clock: Clock, compute: ComputeSample): SampleOnThreads {
  const market = sampleMarket()
  const provider = sampleProvider(clock, market)

  async function* onThreads(request: FetchRequest, signal: AbortSignal): AsyncIterable<TickerResult> {
    for (const ticker of request.tickers) {
      yield await compute({ ticker, request, now: clock.now().getTime() }, signal)
    }
  }
  return {
    ...provider,
    prepare: () => void market.series(FIRST_TICKER, '1d', { from: 0, to: 0 }),
    fetch: (request, signal) => (isLong(request) ? onThreads(request, signal) : provider.fetch(request, signal)),
  }
}

const isLong = ({ granularity, range }: FetchRequest): boolean => granularity !== '1d' && range.to - range.from > SHORT
