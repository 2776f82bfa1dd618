import { DAY, dateOf } from '@tradewright/core/time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noActions } from '../corporate-actions.ts'
import { memorySeriesStore } from '../memory-store/memory-series-store.ts'
import type { SeriesBlock } from '../series.ts'
import type { SeriesStore } from '../series-store.ts'
import { dailyBlock } from '../test-support/series-store-suite.ts'
import { type Delivery, ingest } from './ingest.ts'
import { rowsInRange } from './rows.ts'

const rules = { isSynthetic: (provider: string) => provider === 'sample' }

const deliveryOf = (silver: SeriesBlock, more: Partial<Delivery> = {}): Delivery => ({
  outcome: 'delivered',
  ticker: silver.ticker,
  bronze: silver,
  silver,
  actions: noActions,
  refused: [],
  ...more,
})

const goldOf = (store: SeriesStore) =>
  store.browse({ layer: 'gold', sortBy: 'timestamp', sortOrder: 'asc', page: 1, perPage: 1000 })

const anyBlock = fc
  .record({
    ticker: fc.constantFrom('AAPL', 'KO'),
    provider: fc.constantFrom('yahoo', 'alpaca', 'custom-a', 'sample'),
    closes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }),
    skip: fc.nat(5),
  })
  .map(({ ticker, provider, closes, skip }) => {
    const block = dailyBlock(ticker, [...Array.from({ length: skip }, () => 1), ...closes], { provider })
    return rowsInRange(block, { from: block.timestamps[skip]!, to: Number.MAX_SAFE_INTEGER })
  })

describe('ingest', () => {
  it('is idempotent: a repeated run changes nothing and says so', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyBlock, { minLength: 1, maxLength: 6 }), async (blocks) => {
        const store = memorySeriesStore()
        for (const block of blocks) await ingest(store, [deliveryOf(block)], rules)
        const before = await goldOf(store)
        const last = blocks.at(-1)!
        const { written } = await ingest(store, [deliveryOf(last)], rules)
        expect(await goldOf(store)).toEqual(before)
        for (const { inserted, replaced } of Object.values(written)) expect(inserted + replaced).toBe(0)
      }),
    )
  })

  it('keeps first releases when the same provider later sends only what they were revised to', async () => {
    const store = memorySeriesStore()
    const block = (values: readonly number[], revisions: readonly number[]): SeriesBlock => {
      const days = dailyBlock('UNRATE', values, { provider: 'fred' })
      const columns = { value: Float64Array.from(values), revisions: Float64Array.from(revisions) }
      return { ...days, type: 'economic', columns, knownAt: days.timestamps.map((stamp) => stamp + 40 * DAY) }
    }
    const read = async (layer: 'silver' | 'gold') => {
      const range = { from: 0, to: Number.MAX_SAFE_INTEGER }
      const query = { layer, tickers: ['UNRATE'], granularity: '1d' as const, range, categories: [] }
      return (await store.read(query))[0]!.columns
    }
    // With a key: the first is older than the archive, the second was revised once.
    await ingest(store, [deliveryOf(block([3, 4], [-1, 1]))], rules)
    // Without a key, a month later.
    await ingest(store, [deliveryOf(block([3.5, 4.5, 5], [-1, -1, -1]))], rules)
    for (const layer of ['silver', 'gold'] as const) {
      expect(await read(layer)).toMatchObject({
        value: Float64Array.of(3.5, 4, 5),
        revisions: Float64Array.of(-1, 1, -1),
      })
    }
    // With a key again: releases come in, and stay replaceable by what is known better.
    await ingest(store, [deliveryOf(block([3.5, 4, 4.9], [-1, 2, 0]))], rules)
    expect(await read('gold')).toMatchObject({
      value: Float64Array.of(3.5, 4, 4.9),
      revisions: Float64Array.of(-1, 2, 0),
    })
  })

  it('keeps revisions of an economic series beside its first releases in silver, and out of gold', async () => {
    const store = memorySeriesStore()
    const block = { ...dailyBlock('UNRATE', [1, 1], { provider: 'fred' }), type: 'economic' as const }
    const released = block.timestamps.map((stamp) => stamp + 40 * DAY)
    const silver = { ...block, columns: { value: Float64Array.of(4, 4.1) }, knownAt: released }
    // The first of the two was revised.
    const timestamps = block.timestamps.slice(0, 1)
    const revised = timestamps.map((stamp) => stamp + 70 * DAY)
    const later = { ...block, timestamps, columns: { revision_1: Float64Array.of(3.9) }, knownAt: revised }
    await ingest(store, [deliveryOf(silver, { revisions: [later] })], rules)
    const read = async (layer: 'silver' | 'gold', category: string) => {
      const range = { from: 0, to: Number.MAX_SAFE_INTEGER }
      return (await store.read({ layer, tickers: ['UNRATE'], granularity: '1d', range, categories: [category] }))[0]
    }
    expect((await read('gold', 'value'))!.knownAt).toEqual(released)
    expect(await read('gold', 'revision_1')).toBeUndefined()
    expect((await read('silver', 'revision_1'))!.columns['revision_1']).toEqual(Float64Array.of(3.9))
    expect((await read('silver', 'revision_1'))!.knownAt).toEqual(revised)
  })

  it('gives the same gold whichever provider came first', async () => {
    const oneEach = fc.uniqueArray(anyBlock, { selector: ({ ticker, provider }) => ticker + provider, minLength: 2 })
    await fc.assert(
      fc.asyncProperty(oneEach, async (blocks) => {
        const [forwards, backwards] = [memorySeriesStore(), memorySeriesStore()]
        for (const block of blocks) await ingest(forwards, [deliveryOf(block)], rules)
        for (const block of blocks.toReversed()) await ingest(backwards, [deliveryOf(block)], rules)
        expect(await goldOf(backwards)).toEqual(await goldOf(forwards))
      }),
    )
  })

  it('shows a late correction in the counts of every layer [DATA-044]', async () => {
    const store = memorySeriesStore()
    await ingest(store, [deliveryOf(dailyBlock('AAPL', [1, 2, 3]))], rules)
    const { written } = await ingest(store, [deliveryOf(dailyBlock('AAPL', [1, 2.5, 3, 4]))], rules)
    const corrected = { inserted: 1, replaced: 1, unchanged: 2 }
    expect(written).toEqual({ bronze: corrected, silver: corrected, gold: corrected })
  })

  it('counts conflicts between providers and keeps the better one', async () => {
    const store = memorySeriesStore()
    await ingest(store, [deliveryOf(dailyBlock('AAPL', [1, 2]))], rules)
    const { conflicts } = await ingest(store, [deliveryOf(dailyBlock('AAPL', [1, 5], { provider: 'alpaca' }))], rules)
    expect(conflicts).toBe(1)
    expect((await goldOf(store)).records.map(({ value, provider }) => [value, provider])).toEqual([
      [1, 'yahoo'],
      [2, 'yahoo'],
    ])
  })

  it('never lets made-up rows stand beside real ones', async () => {
    const store = memorySeriesStore()
    const sample = deliveryOf(dailyBlock('AAPL', [7, 7, 7, 7], { provider: 'sample' }))
    await ingest(store, [sample], rules)
    expect(await goldOf(store)).toMatchObject({ total: 4 })
    await ingest(store, [deliveryOf(dailyBlock('AAPL', [1, 2]))], rules)
    await ingest(store, [sample], rules)
    expect((await goldOf(store)).records.map(({ provider }) => provider)).toEqual(['yahoo', 'yahoo'])
  })

  it('stores splits and dividends beside the prices', async () => {
    const store = memorySeriesStore()
    const exDay = dateOf('2024-01-03')
    const actions = { splits: [{ exDay, ratio: 4 }], dividends: [{ exDay, amount: 0.24 }] }
    await ingest(store, [deliveryOf(dailyBlock('AAPL', [1, 2]), { actions })], rules)
    expect((await store.available('gold')).categories).toEqual(['close', 'dividend', 'split'])
  })
})
