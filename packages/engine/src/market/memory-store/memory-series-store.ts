import { assertPossible } from '../layers/validate-rows.ts'
import { addCounts, noWrites } from '../layers/upsert.ts'
import { layers } from '../series.ts'
import type { SeriesStore } from '../series-store.ts'
import { browseRecords } from './browse.ts'
import { tablesOf } from './read.ts'
import { removeSeries, selectSeries } from './select.ts'
import type { MemorySeriesMap } from './series.ts'
import { availableIn, recordsIn, summarise } from './summaries.ts'
import { writeBlock } from './write.ts'

/** A series store without a disk: what tests and short computations use, and the plainest reading of the port. */
export function memorySeriesStore(): SeriesStore {
  const all: MemorySeriesMap = new Map()
  return {
    async write(layer, blocks) {
      if (layer !== 'bronze') blocks.forEach(assertPossible)
      return blocks.reduce((counts, block) => addCounts(counts, writeBlock(all, layer, block)), noWrites)
    },
    async read({ granularity, ...query }) {
      return tablesOf(selectSeries(all, { ...query, granularities: [granularity] }), query.layer === 'gold')
    },
    browse: async (query) => browseRecords(selectSeries(all, query), query),
    records: async (filter) =>
      selectSeries(all, filter).map(({ ticker, granularity, category, provider, type, currency, column }) => ({
        ticker,
        granularity,
        category,
        provider,
        type,
        currency,
        column,
      })),
    available: async (layer) => availableIn(selectSeries(all, { layer })),
    summaries: async (filter) => summarise(selectSeries(all, filter)),
    async counts() {
      const [bronze, silver, gold] = layers.map((layer) => recordsIn(selectSeries(all, { layer })))
      return { bronze: bronze!, silver: silver!, gold: gold! }
    },
    clear: async (filter) =>
      (filter ? [filter] : layers.map((layer) => ({ layer }))).reduce((sum, one) => sum + removeSeries(all, one), 0),
    close: async () => {},
  }
}
