import { type Granularity } from '@tradewright/core/granularity'
import { DAY, HOUR } from '@tradewright/core/time'
import { memorySeriesStore } from '@tradewright/engine/market/memory-store/memory-series-store'
import type { Layer, SeriesBlock, SeriesSource, SeriesTable } from '@tradewright/engine/market/series'
import { layers } from '@tradewright/engine/market/series'
import type { BrowseQuery, RecordField, RecordFilter, SeriesStore } from '@tradewright/engine/market/series-store'
import { seriesStoreSuite } from '@tradewright/engine/market/test-support/series-store-suite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const START = Date.UTC(2023, 11, 20)
const TICKERS = ['AAPL', 'BRK/B', "O'NEIL", '^GSPC', '..', 'ÄÖ-USD']
const PROVIDERS = ['yahoo', 'alpaca']
const CATEGORIES = ['close', 'volume', 'open']
const GRANULARITIES: readonly Granularity[] = ['1d', '1h']
const FIELDS: readonly RecordField[] = [
  'ticker',
  'timestamp',
  'category',
  'type',
  'value',
  'currency',
  'provider',
  'collected_at',
]

const value = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.double({ min: 1e-300, max: 1e300, noNaN: true }))
const cell = fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(Number.NaN) })

/** Days on both sides of a year's end, so that date partitions are crossed. */
const block: fc.Arbitrary<SeriesBlock> = fc
  .record({
    ticker: fc.constantFrom(...TICKERS),
    granularity: fc.constantFrom(...GRANULARITIES),
    provider: fc.constantFrom(...PROVIDERS),
    collectedAt: fc.integer({ min: 0, max: 5 }).map((day) => Date.UTC(2024, 5, 1) + day * DAY),
    days: fc.uniqueArray(fc.integer({ min: 0, max: 24 }), { minLength: 1, maxLength: 12 }),
    categories: fc.uniqueArray(fc.constantFrom(...CATEGORIES), { minLength: 1 }),
    isDated: fc.boolean(),
  })
  .chain(({ days, categories, isDated, ...words }) =>
    fc
      .array(fc.tuple(...categories.map(() => cell), value), { minLength: days.length, maxLength: days.length })
      .map((rows): SeriesBlock => {
        // Hourly rows lie beside daily ones: a tie between the two has no order that the port promises.
        const start = words.granularity === '1h' ? START + HOUR : START
        const timestamps = Float64Array.from(days.toSorted((a, b) => a - b).map((day) => start + day * DAY))
        const columns = Object.fromEntries(
          categories.map((category, i) => [category, Float64Array.from(rows, (row) => row[i]!)]),
        )
        // The main value of an observation must be there in every row.
        columns['value'] = Float64Array.from(rows, (row) => row.at(-1)!)
        const currency = words.ticker === 'AAPL' ? 'USD' : 'EUR'
        const known = isDated ? { knownAt: timestamps.map((stamp) => stamp + 30 * DAY) } : {}
        return Object.assign({ type: 'economic', currency, timestamps, columns } as const, words, known)
      }),
  )

const range = fc
  .tuple(fc.integer({ min: -1, max: 25 }), fc.integer({ min: 0, max: 25 }))
  .map(([from, days]) => ({ from: START + from * DAY, to: START + (from + days) * DAY }))

const filter: fc.Arbitrary<RecordFilter> = fc.record(
  {
    layer: fc.constantFrom(...layers),
    tickers: fc.subarray(TICKERS),
    categories: fc.subarray([...CATEGORIES, 'value']),
    providers: fc.subarray(PROVIDERS),
    granularities: fc.subarray([...GRANULARITIES]),
    range,
  },
  { requiredKeys: ['layer'] },
)

export const browseQuery: fc.Arbitrary<BrowseQuery> = fc
  .tuple(
    filter,
    fc.record(
      {
        sortBy: fc.constantFrom(...FIELDS),
        sortOrder: fc.constantFrom('asc', 'desc'),
        page: fc.integer({ min: 1, max: 4 }),
        perPage: fc.constantFrom(1, 7, 50),
        search: fc.constantFrom('', 'a', 'YAH', 'eur', 'VOL', "o'n", 'ä', 'nothing like it'),
      },
      { requiredKeys: ['sortBy', 'sortOrder', 'page', 'perPage'] },
    ),
  )
  .map(([some, page]) => Object.assign({}, some, page))

/** One write holds a series once, as a run of the collector does. */
const write = fc.record({
  layer: fc.constantFrom(...layers),
  blocks: fc.uniqueArray(block, {
    minLength: 1,
    maxLength: 3,
    selector: ({ ticker, granularity }) => `${ticker} ${granularity}`,
  }),
})

export type Step = { kind: 'write'; layer: Layer; blocks: SeriesBlock[] } | { kind: 'clear'; filter: RecordFilter }

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: write.map((one): Step => ({ kind: 'write', ...one })) },
  { weight: 1, arbitrary: filter.map((one): Step => ({ kind: 'clear', filter: one })) },
)

/** `npm run campaign` compares more. */
const HISTORIES = process.env['HISTORIES'] === undefined ? undefined : Number(process.env['HISTORIES'])

interface SuiteOptions {
  /** How many random histories to compare; a store behind a network gets fewer. */
  readonly histories?: number
}

/** Run by every series store: the engine's suite, and random histories that end as they do in memory. */
export function everySeriesStore(
  name: string,
  open: () => Promise<SeriesStore>,
  { histories = 25 }: SuiteOptions = {},
): void {
  seriesStoreSuite(name, open)

  describe(`${name} through random histories`, () => {
    it('answers as the plain store in memory does', { timeout: 300_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 8 }),
          fc.array(browseQuery, { minLength: 4, maxLength: 4 }),
          async (steps, queries) => {
            const [store, model] = [await open(), memorySeriesStore()]
            try {
              for (const one of steps) expect(await take(store, one)).toEqual(await take(model, one))
              expect(await store.counts()).toEqual(await model.counts())
              for (const query of queries) {
                expect(await store.browse(query)).toEqual(await model.browse(query))
                expect(bySeries(await store.summaries(query))).toEqual(bySeries(await model.summaries(query)))
              }
              for (const layer of layers) {
                expect(await store.available(layer)).toEqual(await model.available(layer))
                expect(await readAll(store, layer)).toEqual(await readAll(model, layer))
              }
            } finally {
              await store.close()
            }
          },
        ),
        { numRuns: HISTORIES ?? histories },
      )
    })

    it('finds nothing new in the same write again, whatever was written', { timeout: 300_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 4 }), async (writes) => {
          const store = await open()
          try {
            for (const { layer, blocks } of writes) {
              const first = await store.write(layer, blocks)
              const before = await store.counts()
              const again = await store.write(layer, blocks)
              expect(again).toEqual({
                inserted: 0,
                replaced: 0,
                unchanged: first.inserted + first.replaced + first.unchanged,
              })
              expect(await store.counts()).toEqual(before)
            }
          } finally {
            await store.close()
          }
        }),
        { numRuns: HISTORIES ?? histories },
      )
    })
  })
}

export const take = (store: SeriesStore, one: Step) =>
  one.kind === 'write' ? store.write(one.layer, one.blocks) : store.clear(one.filter)

export async function readAll(store: SeriesStore, layer: Layer, asOf?: number): Promise<SeriesTable[]> {
  const tables = await Promise.all(
    GRANULARITIES.map((granularity) =>
      store.read({
        layer,
        tickers: TICKERS,
        granularity,
        range: { from: START, to: START + 20 * DAY },
        categories: [],
        asOf,
      }),
    ),
  )
  return bySeries(
    tables.flat().map((table) => Object.assign({}, table, { sources: table.sources.toSorted(byProvider) })),
  )
}

const byProvider = (a: SeriesSource, b: SeriesSource) => (a.provider < b.provider ? -1 : 1)

export const bySeries = <T extends { ticker: string; granularity: string }>(list: readonly T[]): T[] => {
  const keyed = list.map((one) => ({
    one,
    key: JSON.stringify([one.ticker, one.granularity, 'provider' in one ? one.provider : sourceNames(one)]),
  }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ one }) => one)
}

const sourceNames = (one: object): string =>
  'sources' in one ? (one as SeriesTable).sources.map(({ provider }) => provider).join() : ''
