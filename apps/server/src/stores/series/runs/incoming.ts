import { addCounts, noWrites, upsertColumn } from '@tradewright/engine/market/layers/upsert'
import type { Layer, SeriesBlock } from '@tradewright/engine/market/series'
import type { WriteCounts } from '@tradewright/engine/market/series-store'
import { type Run, runsOfBlock, takeRows } from './run.ts'
import { keyOf, isSameKey } from './series-key.ts'

/** The rows of a write, by key. */
interface Incoming {
  readonly runs: ReadonlyMap<string, readonly Run[]>
  /** Records that came twice in one write; the later one counts. */
  readonly repeated: WriteCounts
}

export function incomingRuns(layer: Layer, blocks: readonly SeriesBlock[]): Incoming {
  const runs = new Map<string, Run[]>()
  let repeated = noWrites
  for (const run of blocks.flatMap(runsOfBlock)) {
    const key = keyOf(layer, run.words)
    const earlier = runs.get(key)
    if (!earlier) runs.set(key, [run])
    else {
      const result = writeOver(earlier, run)
      runs.set(key, result.runs)
      repeated = addCounts(repeated, result.repeated)
    }
  }
  return { runs, repeated }
}

function writeOver(earlier: readonly Run[], later: Run): { runs: Run[]; repeated: WriteCounts } {
  const stamps = new Set(later.column.timestamps)
  const others: Run[] = []
  let own = later
  let repeated = noWrites
  for (const run of earlier) {
    if (isSameKey(run.words, later.words)) {
      const { column, counts } = upsertColumn(run.column, later.column)
      own = { words: later.words, column }
      repeated = addCounts(repeated, { ...counts, inserted: 0 })
      continue
    }
    const rows = [...run.column.timestamps.keys()].filter((row) => !stamps.has(run.column.timestamps[row]!))
    const taken = run.column.timestamps.length - rows.length
    repeated = addCounts(repeated, { ...noWrites, replaced: taken })
    if (rows.length > 0) others.push({ words: run.words, column: takeRows(run.column, rows) })
  }
  return { runs: [...others, own], repeated }
}
