import { Problem } from '@tradewright/core/problem'
import { DAY, dateOf, dayStamp } from '@tradewright/core/time'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SeriesBlock } from '../series.ts'
import type { BrowseQuery, SeriesStore } from '../series-store.ts'

const START = dayStamp(dateOf('2024-01-02'))
const COLLECTED = dayStamp(dateOf('2024-02-01'))
const ALL_TIME = { from: 0, to: dayStamp(dateOf('2100-01-01')) }

/** Rows of consecutive days, one per close. */
export function dailyBlock(ticker: string, closes: readonly number[], more: Partial<SeriesBlock> = {}): SeriesBlock {
  return {
    ticker,
    granularity: '1d',
    provider: 'yahoo',
    type: 'security',
    currency: 'USD',
    collectedAt: COLLECTED,
    timestamps: Float64Array.from(closes, (_, i) => START + i * DAY),
    columns: { close: Float64Array.from(closes) },
    ...more,
  }
}

const browse: BrowseQuery = { layer: 'gold', sortBy: 'timestamp', sortOrder: 'desc', page: 1, perPage: 50 }

/** The contract of every series store. `open` gives an empty one. */
export function seriesStoreSuite(name: string, open: () => Promise<SeriesStore>): void {
  describe(`${name} as a series store`, () => {
    let store: SeriesStore
    beforeEach(async () => {
      store = await open()
    })
    afterEach(async () => {
      await store.close()
    })

    const readGold = (tickers: string[], range = ALL_TIME) =>
      store.read({ layer: 'gold', tickers, granularity: '1d', range, categories: [] })

    it('reads back bit by bit what was written', async () => {
      const closes = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308]
      await store.write('gold', [dailyBlock('AAPL', closes)])
      const [table] = await readGold(['AAPL'])
      expect(table).toEqual({
        ticker: 'AAPL',
        granularity: '1d',
        type: 'security',
        currency: 'USD',
        timestamps: Float64Array.from([0, 1, 2, 3], (i) => START + i * DAY),
        columns: { close: Float64Array.from(closes) },
        sources: [{ provider: 'yahoo', rows: 4, from: START, last: START + 3 * DAY, collectedAt: COLLECTED }],
      })
    })

    it('counts what is new, corrected and the same, in records [DATA-044]', async () => {
      const first = await store.write('silver', [dailyBlock('AAPL', [1, 2, 3])])
      expect(first).toEqual({ inserted: 3, replaced: 0, unchanged: 0 })
      const again = await store.write('silver', [dailyBlock('AAPL', [1, 2.5, 3, 4], { collectedAt: COLLECTED + 1 })])
      expect(again).toEqual({ inserted: 1, replaced: 1, unchanged: 2 })
      const [table] = await store.read({
        layer: 'silver',
        tickers: ['AAPL'],
        granularity: '1d',
        range: ALL_TIME,
        categories: [],
      })
      expect(table?.columns['close']).toEqual(Float64Array.of(1, 2.5, 3, 4))
    })

    it('leaves the time of collection alone when nothing changed', async () => {
      await store.write('gold', [dailyBlock('AAPL', [1])])
      await store.write('gold', [dailyBlock('AAPL', [1], { collectedAt: COLLECTED + DAY })])
      const { records } = await store.browse(browse)
      expect(records.map(({ collectedAt }) => collectedAt)).toEqual([COLLECTED])
    })

    it('keeps providers apart in silver and one value per key in gold', async () => {
      const blocks = [dailyBlock('AAPL', [1, 2]), dailyBlock('AAPL', [1, 9], { provider: 'alpaca' })]
      await store.write('silver', blocks)
      expect(await store.write('gold', [blocks[0]!])).toMatchObject({ inserted: 2 })
      const second = await store.write('gold', [dailyBlock('AAPL', [7], { provider: 'alpaca' })])
      expect(second).toEqual({ inserted: 0, replaced: 1, unchanged: 0 })
      expect(await store.counts()).toEqual({ bronze: 0, silver: 4, gold: 2 })
      const [table] = await readGold(['AAPL'])
      expect(table?.columns['close']).toEqual(Float64Array.of(7, 2))
      expect(table?.sources.map(({ provider }) => provider).toSorted()).toEqual(['alpaca', 'yahoo'])
    })

    it('reads the half-open range, the categories and the tickers that were asked for', async () => {
      const volume = Float64Array.of(10, Number.NaN, 30)
      const close = Float64Array.of(1, 2, 3)
      await store.write('gold', [
        dailyBlock('AAPL', [1, 2, 3], { columns: { close, volume } }),
        dailyBlock('MSFT', [4, 5, 6]),
      ])
      const range = { from: START, to: START + 2 * DAY }
      const tables = await store.read({
        layer: 'gold',
        tickers: ['AAPL', 'NONE'],
        granularity: '1d',
        range,
        categories: ['volume', 'close'],
      })
      expect(tables).toHaveLength(1)
      expect(tables[0]?.timestamps).toEqual(Float64Array.of(START, START + DAY))
      expect(tables[0]?.columns).toEqual({ close: Float64Array.of(1, 2), volume: Float64Array.of(10, Number.NaN) })
    })

    it('keeps the publication dates of economic series', async () => {
      const knownAt = Float64Array.of(START + 45 * DAY, START + 46 * DAY)
      await store.write('gold', [
        dailyBlock('UNRATE', [4, 5], { type: 'economic', columns: { value: Float64Array.of(4, 5) }, knownAt }),
      ])
      const [table] = await readGold(['UNRATE'])
      expect(table?.knownAt).toEqual(knownAt)
      const { records } = await store.browse({ ...browse, sortOrder: 'asc' })
      expect(records.map((record) => record.knownAt)).toEqual([...knownAt])
    })

    it('refuses impossible rows in silver and gold, and keeps nothing of that write', async () => {
      const bad = dailyBlock('MSFT', [5, -1])
      await expect(store.write('silver', [dailyBlock('AAPL', [1]), bad])).rejects.toThrow(Problem)
      await expect(store.write('gold', [dailyBlock('AAPL', [1]), bad])).rejects.toThrow(
        /yahoo for MSFT, row 1: close -1/,
      )
      expect(await store.counts()).toEqual({ bronze: 0, silver: 0, gold: 0 })
    })

    it('takes into bronze whatever was sent, in any order', async () => {
      const timestamps = Float64Array.of(START + DAY, START, START + DAY)
      const sent = dailyBlock('BTCUSDT_PERP.A', [], { timestamps, columns: { o: Float64Array.of(-1, 2, -3) } })
      expect(await store.write('bronze', [sent])).toMatchObject({ inserted: 2 })
      expect(await store.write('bronze', [sent])).toEqual({ inserted: 0, replaced: 0, unchanged: 2 })
      const { records } = await store.browse({ ...browse, layer: 'bronze', sortOrder: 'asc' })
      expect(records.map(({ category, value }) => [category, value])).toEqual([
        ['o', 2],
        ['o', -3],
      ])
    })

    it('gives whole records [DATA-045]', async () => {
      await store.write('gold', [dailyBlock('AAPL', [1])])
      expect(await store.browse(browse)).toEqual({
        total: 1,
        records: [
          {
            ticker: 'AAPL',
            timestamp: START,
            category: 'close',
            type: 'security',
            value: 1,
            currency: 'USD',
            provider: 'yahoo',
            collectedAt: COLLECTED,
            granularity: '1d',
            knownAt: undefined,
          },
        ],
      })
    })

    it('browses by filter, search, sort and page without showing a record twice [DATA-091]', async () => {
      await store.write('gold', [
        dailyBlock('AAPL', [1, 2, 3]),
        dailyBlock('MSFT', [1, 2, 3], { provider: 'alpaca' }),
        dailyBlock('KO', [1, 2, 3]),
      ])
      const page = async (more: Partial<BrowseQuery>) => await store.browse({ ...browse, ...more })
      expect(await page({ tickers: ['KO'], providers: ['yahoo'], categories: ['close'] })).toMatchObject({ total: 3 })
      expect(await page({ search: 'ALPA' })).toMatchObject({ total: 3 })
      expect(await page({ range: { from: START + DAY, to: START + 2 * DAY } })).toMatchObject({ total: 3 })
      const byValue = await page({ sortBy: 'value', sortOrder: 'asc' })
      expect(byValue.records.map(({ value }) => value)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3])
      const pages = await Promise.all([1, 2, 3, 4].map((number) => page({ page: number, perPage: 3, sortBy: 'value' })))
      const seen = pages.flatMap(({ records }) => records.map(({ ticker, timestamp }) => `${ticker} ${timestamp}`))
      expect(new Set(seen).size).toBe(9)
      expect(pages[3]).toEqual({ records: [], total: 9 })
    })

    it('says what there is to filter by [DATA-090]', async () => {
      expect((await store.available('gold')).stamps).toBeUndefined()
      await store.write('gold', [dailyBlock('MSFT', [1, 2]), dailyBlock('AAPL', [1], { provider: 'alpaca' })])
      expect(await store.available('gold')).toEqual({
        tickers: ['AAPL', 'MSFT'],
        categories: ['close'],
        providers: ['alpaca', 'yahoo'],
        granularities: ['1d'],
        stamps: { min: START, max: START + DAY },
      })
    })

    it('summarises each series', async () => {
      const columns = { close: Float64Array.of(1, 2), volume: Float64Array.of(10, Number.NaN) }
      await store.write('silver', [dailyBlock('AAPL', [1, 2], { columns })])
      expect(await store.summaries({ layer: 'silver', tickers: ['AAPL'] })).toEqual([
        {
          ticker: 'AAPL',
          type: 'security',
          granularity: '1d',
          provider: 'yahoo',
          categories: ['close', 'volume'],
          records: 3,
          first: START,
          last: START + DAY,
          collectedAt: COLLECTED,
        },
      ])
    })

    it('clears what a filter names, or everything', async () => {
      await store.write('gold', [dailyBlock('AAPL', [1, 2, 3]), dailyBlock('MSFT', [1])])
      await store.write('silver', [dailyBlock('AAPL', [1])])
      const range = { from: START, to: START + 2 * DAY }
      expect(await store.clear({ layer: 'gold', tickers: ['AAPL'], range })).toBe(2)
      expect(await store.counts()).toEqual({ bronze: 0, silver: 1, gold: 2 })
      expect(await store.clear()).toBe(3)
      expect(await store.counts()).toEqual({ bronze: 0, silver: 0, gold: 0 })
    })
  })
}
