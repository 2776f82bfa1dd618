import { addCounts, columnRecords, noWrites, type StoredColumn, upsertColumn } from '../layers/upsert.ts'
import type { Layer, SeriesBlock } from '../series.ts'
import type { WriteCounts } from '../series-store.ts'
import { emptyColumn, keepStamps, type MemorySeries, type MemorySeriesMap, seriesKey } from './series.ts'

export function writeBlock(all: MemorySeriesMap, layer: Layer, block: SeriesBlock): WriteCounts {
  const { ticker, granularity, provider, type, currency } = block
  let counts = noWrites
  for (const category of Object.keys(block.columns)) {
    const incoming = columnRecords(block, category)
    if (incoming.timestamps.length === 0) continue
    const series = { layer, ticker, granularity, provider, category, type, currency }
    const taken = layer === 'gold' ? removeFromOthers(all, series, incoming) : 0
    const key = seriesKey(series)
    const { column, counts: written } = upsertColumn(all.get(key)?.column ?? emptyColumn, incoming)
    all.set(key, { ...series, column })
    // A key that another provider held before is not new to gold.
    counts = addCounts(counts, {
      inserted: written.inserted - taken,
      replaced: written.replaced + taken,
      unchanged: written.unchanged,
    })
  }
  return counts
}

/** Gold holds one value per key: the writer's values replace those of other providers. */
function removeFromOthers(all: MemorySeriesMap, writer: Omit<MemorySeries, 'column'>, incoming: StoredColumn): number {
  const stamps = new Set(incoming.timestamps)
  let taken = 0
  for (const [key, series] of all) {
    const isRival = series.provider !== writer.provider && seriesKey({ ...writer, provider: series.provider }) === key
    if (!isRival) continue
    const left = keepStamps(series.column, (stamp) => !stamps.has(stamp))
    taken += series.column.timestamps.length - left.timestamps.length
    if (left.timestamps.length === 0) all.delete(key)
    else all.set(key, { ...series, column: left })
  }
  return taken
}
