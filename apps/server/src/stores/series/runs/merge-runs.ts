import { ascends, joinColumns, type Run, type RunColumn, takeRows } from './run.ts'
import { compareKeys, isSameKey } from './series-key.ts'

/** Brings runs into the order of a file: by words, one run for equal words, by time. No stamp may be in two of them. */
export function mergeRuns(runs: readonly Run[]): Run[] {
  const sorted = runs.toSorted((a, b) => compareKeys(a.words, b.words))
  const merged: Run[] = []
  for (let start = 0; start < sorted.length;) {
    const { words } = sorted[start]!
    let end = start + 1
    while (end < sorted.length && isSameKey(words, sorted[end]!.words)) end++
    const column = joinByTime(sorted.slice(start, end).map((run) => run.column))
    if (column.timestamps.length > 0) merged.push({ words, column })
    start = end
  }
  return merged
}

export function joinByTime(columns: readonly RunColumn[]): RunColumn {
  const filled = columns.filter(({ timestamps }) => timestamps.length > 0)
  const joined = joinColumns(filled.toSorted((a, b) => a.timestamps[0]! - b.timestamps[0]!))
  if (ascends(joined.timestamps)) return joined
  const { timestamps } = joined
  const rows = Uint32Array.from(timestamps, (_, row) => row).sort((a, b) => timestamps[a]! - timestamps[b]!)
  const sorted = takeRows(joined, rows)
  if (!ascends(sorted.timestamps)) throw new Error('one record is in two runs')
  return sorted
}
