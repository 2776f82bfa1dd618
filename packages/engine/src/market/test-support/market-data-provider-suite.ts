import { releaseCategories } from '@tradewright/core/category'
import { granularityMillis } from '@tradewright/core/granularity'
import { parseTicker } from '@tradewright/core/ticker'
import { DAY } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { findImpossibleRows } from '../layers/rows.ts'
import type { FetchRequest, MarketDataProvider, TickerResult } from '../provider.ts'

interface ProviderExample {
  readonly provider: MarketDataProvider
  /** A request that delivers rows for each of its tickers. */
  readonly request: FetchRequest
  /** Looks like one of the provider's and is not. */
  readonly unknownTicker: string
  /** The provider's clock: nothing may be known later than this. */
  readonly now: number
}

const fetchAll = async ({ provider }: ProviderExample, request: FetchRequest): Promise<TickerResult[]> =>
  await Array.fromAsync(provider.fetch(request, new AbortController().signal))

/** The contract of every provider, shown on an example. */
export function marketDataProviderSuite(name: string, open: () => Promise<ProviderExample>): void {
  describe(`${name} as a market data provider`, () => {
    it('says who it is and what its limits are [DATA-036]', async () => {
      const { provider, request } = await open()
      expect(provider.id && provider.displayName && provider.providerType).toBeTruthy()
      expect(provider.limits.maxTickerBatch).toBeGreaterThanOrEqual(1)
      expect(provider.limits.supportedCategories.length).toBeGreaterThan(0)
      expect(provider.limits.history).toHaveProperty([request.granularity])
      for (const ticker of request.tickers) expect(provider.serves(parseTicker(ticker))).toBe(true)
    })

    it('answers each ticker exactly once, also beyond a batch', async () => {
      const example = await open()
      const results = await fetchAll(example, example.request)
      expect(results.map(({ ticker }) => ticker).toSorted()).toEqual([...example.request.tickers].toSorted())
      expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => 'delivered'))
    })

    it('delivers possible, ascending rows inside the range, in our words', async () => {
      const example = await open()
      const { range, granularity, categories } = example.request
      for (const result of await fetchAll(example, example.request)) {
        if (result.outcome !== 'delivered') throw new Error(`${result.ticker} was not delivered`)
        const { silver, bronze } = result
        expect(findImpossibleRows(silver)).toEqual([])
        expect(silver).toMatchObject({ ticker: result.ticker, granularity, provider: example.provider.id })
        expect(bronze.provider).toBe(example.provider.id)
        expect(silver.timestamps.length).toBeGreaterThan(0)
        expect(silver.timestamps[0]).toBeGreaterThanOrEqual(range.from)
        expect(silver.timestamps.at(-1)).toBeLessThan(range.to)
        const offered = [...categories, ...example.provider.limits.supportedCategories, ...releaseCategories]
        for (const category of Object.keys(silver.columns)) expect(offered).toContain(category)
        if (granularity === '1d') for (const stamp of silver.timestamps) expect(stamp % DAY).toBe(0)
      }
    })

    it('delivers finished bars only', async () => {
      const example = await open()
      for (const result of await fetchAll(example, example.request)) {
        if (result.outcome !== 'delivered') continue
        const { timestamps, granularity } = result.silver
        const step = granularity === '1d' ? 0 : granularityMillis(granularity)
        expect(timestamps.at(-1)! + step).toBeLessThanOrEqual(example.now)
      }
    })

    it('dates the publication of economic observations', async () => {
      const example = await open()
      for (const result of await fetchAll(example, example.request)) {
        if (result.outcome !== 'delivered' || result.silver.type !== 'economic') continue
        const { timestamps, knownAt } = result.silver
        expect(knownAt).toHaveLength(timestamps.length)
        timestamps.forEach((stamp, row) => expect(knownAt![row]).toBeGreaterThan(stamp))
      }
    })

    it('names an unknown ticker and delivers the others', async () => {
      const example = await open()
      const tickers = [example.unknownTicker, ...example.request.tickers]
      const results = await fetchAll(example, { ...example.request, tickers })
      const unknown = results.find(({ ticker }) => ticker === example.unknownTicker)
      expect(unknown).toMatchObject({ outcome: 'missing', reason: 'unknown-ticker' })
      expect(unknown?.outcome === 'missing' && unknown.message).toContain(example.unknownTicker)
      expect(results.filter(({ outcome }) => outcome === 'delivered')).toHaveLength(example.request.tickers.length)
    })

    it('stops when it is told to', async () => {
      const { provider, request } = await open()
      const stop = new AbortController()
      stop.abort(new Error('enough'))
      await expect(Array.fromAsync(provider.fetch(request, stop.signal))).rejects.toThrow('enough')
    })
  })
}
