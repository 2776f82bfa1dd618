import type { UtcMillis } from '@tradewright/core/time'
import type { FetchRequest, TickerResult } from '@tradewright/engine/market/provider'
import { sampleMarket } from '@tradewright/engine/market/sample/sample-market'
import { sampleResult } from '@tradewright/engine/market/sample/sample-provider'

export interface SampleRequest {
  readonly ticker: string
  readonly request: FetchRequest
  readonly now: UtcMillis
}

/** Each thread builds the market on first use and keeps it in its memory. */
const market = sampleMarket()

/** A compute task: rows of one ticker of the sample market. */
export const run = ({ ticker, request, now }: SampleRequest): TickerResult => sampleResult(market, ticker, request, now)
