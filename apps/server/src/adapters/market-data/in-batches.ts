import type { ProviderFailure, TickerResult } from '@tradewright/engine/market/provider'
import { providerFailure, type Vendor } from './provider-failures.ts'

/** Failures in a row after which the service is taken to be down, and the rest of a long list is not tried. */
const FAILURES_IN_A_ROW = 3

/**
 * Asks for batches one after the other and yields what became of each ticker. A failure costs its batch only, until
 * the vendor is limiting us or plainly down; then the remaining tickers fail with the same reason at once. A rejected
 * key ends everything.
 */
export async function* inBatches(
  vendor: Vendor,
  batches: readonly (readonly string[])[],
  signal: AbortSignal,
  fetchBatch: (tickers: readonly string[]) => Promise<readonly TickerResult[]> | AsyncIterable<TickerResult>,
): AsyncIterable<TickerResult> {
  let failuresInARow = 0
  let givenUp: ProviderFailure | undefined
  for (const tickers of batches) {
    signal.throwIfAborted()
    if (givenUp) {
      yield* failed(tickers, givenUp)
      continue
    }
    try {
      const answer = fetchBatch(tickers)
      if (Symbol.asyncIterator in answer) yield* answer
      else yield* await answer
      failuresInARow = 0
    } catch (error) {
      signal.throwIfAborted()
      const failure = providerFailure(error, vendor, tickers)
      if (failure.failure === 'auth') throw failure
      failuresInARow = failure.failure === 'network' ? failuresInARow + 1 : 0
      if (failure.failure === 'limit' || failuresInARow >= FAILURES_IN_A_ROW) givenUp = failure
      yield* failed(tickers, failure)
    }
  }
}

const failed = (tickers: readonly string[], failure: ProviderFailure): TickerResult[] =>
  tickers.map((ticker) => ({ outcome: 'failed', ticker, failure }))

export const oneByOne = (tickers: readonly string[]): string[][] => tickers.map((ticker) => [ticker])

export function batchesOf(tickers: readonly string[], size: number): string[][] {
  const batches: string[][] = []
  for (let start = 0; start < tickers.length; start += size) batches.push(tickers.slice(start, start + size))
  return batches
}
