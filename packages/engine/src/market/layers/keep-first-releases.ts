import { revisionsCategory, UNKNOWN_RELEASE } from '@tradewright/core/category'
import type { SeriesBlock } from '../series.ts'
import type { SeriesStore } from '../series-store.ts'
import { takeRows } from './rows.ts'

/**
 * Leaves out the rows whose first release the store has from the same provider, where this block knows only what they
 * were revised to by now: without its key FRED sends nothing else.
 */
export async function keepFirstReleases(store: SeriesStore, block: SeriesBlock): Promise<SeriesBlock> {
  const { ticker, granularity, provider, timestamps, columns } = block
  const revisions = columns[revisionsCategory]
  if (!revisions?.includes(UNKNOWN_RELEASE)) return block
  const [stored] = await store.read({
    layer: 'silver',
    tickers: [ticker],
    granularity,
    range: { from: timestamps[0]!, to: timestamps.at(-1)! + 1 },
    categories: [revisionsCategory],
    providers: [provider],
  })
  if (!stored) return block
  const released = new Set(stored.timestamps.filter((_, row) => stored.columns[revisionsCategory]![row]! >= 0))
  const rows = [...timestamps.keys()].filter(
    (row) => revisions[row] !== UNKNOWN_RELEASE || !released.has(timestamps[row]!),
  )
  return takeRows(block, rows)
}
