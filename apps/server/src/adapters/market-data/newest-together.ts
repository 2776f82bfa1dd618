import { DAY, SECOND } from '@tradewright/core/time'
import type { FetchRequest, MarketDataProvider, TickerResult } from '@tradewright/engine/market/provider'
import { untilAborted } from '../../until-aborted.ts'
import { inBatches, oneByOne } from './in-batches.ts'

interface Answer {
  readonly results: Promise<readonly TickerResult[]>
  readonly until: number
}

/** As long as a quote is taken for the newest one. */
const CACHE_MS = 15 * SECOND
const MAX_FETCH = 60 * SECOND

/**
 * A shared provider gives every user the same answer, and its rate limit counts all of them together: concurrent
 * requests for the newest bars of a ticker share one answer.
 */
export function newestTogether(provider: MarketDataProvider, now: () => number): MarketDataProvider {
  const answers = new Map<string, Answer>()

  function answerFor(request: FetchRequest): Answer {
    for (const [question, { until }] of answers) if (until <= now()) answers.delete(question)
    return answers.getOrInsertComputed(JSON.stringify(request), () => ({
      results: Array.fromAsync(provider.fetch(request, AbortSignal.timeout(MAX_FETCH))),
      until: now() + CACHE_MS,
    }))
  }

  /** One that was given up is a failure like the first time: the rest of a long list is not tried in vain. */
  async function ask(request: FetchRequest, ticker: string, signal: AbortSignal): Promise<readonly TickerResult[]> {
    const results = await untilAborted(answerFor({ ...request, tickers: [ticker] }).results, signal)
    for (const result of results) if (result.outcome === 'failed') throw result.failure
    return results
  }

  return {
    ...provider,
    fetch: (request, signal) =>
      isOfNewest(request)
        ? inBatches(provider, oneByOne(request.tickers), signal, ([ticker]) => ask(request, ticker!, signal))
        : provider.fetch(request, signal),
  }
}

const isOfNewest = ({ granularity, range }: FetchRequest): boolean =>
  granularity !== '1d' && range.to - range.from <= DAY
