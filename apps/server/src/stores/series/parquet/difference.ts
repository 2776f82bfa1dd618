import type { StoredColumn } from '@tradewright/engine/market/layers/upsert'
import { noWrites } from '@tradewright/engine/market/layers/upsert'
import type { WriteCounts } from '@tradewright/engine/market/series-store'
import { type Run, takeRows } from '../runs/run.ts'
import { isSameKey } from '../runs/series-key.ts'

/** A run that was read from a file: `rowNumbers` tell from which rows. */
export interface StoredRun extends Run {
  readonly path: string
  readonly rowNumbers: Float64Array
}

/** Row numbers, by file, whose records something newer replaces. */
export type DroppedRows = Map<string, Set<number>>

interface Difference {
  /** Records to add: the new ones and the corrections. */
  readonly fresh: readonly Run[]
  readonly counts: WriteCounts
}

/** Compares runs of one key with what is stored under it, and notes in `dropped` which stored rows are replaced. */
export function compareWithStored(
  incoming: readonly Run[],
  stored: readonly StoredRun[],
  dropped: DroppedRows,
): Difference {
  const counts = { ...noWrites }
  const fresh: Run[] = []
  for (const run of incoming) {
    const isUnchanged = new Uint8Array(run.column.timestamps.length)
    let replaced = 0
    for (const rival of stored) replaced += compareRuns(run, rival, isUnchanged, dropped)
    const unchanged = isUnchanged.reduce((sum, flag) => sum + flag, 0)
    counts.replaced += replaced
    counts.unchanged += unchanged
    counts.inserted += isUnchanged.length - unchanged - replaced
    const left = withoutUnchanged(run, isUnchanged, unchanged)
    if (left) fresh.push(left)
  }
  return { fresh, counts }
}

/** Gives the number of stored rows that the run replaces. */
function compareRuns(run: Run, rival: StoredRun, isUnchanged: Uint8Array, dropped: DroppedRows): number {
  const haveSameWords = isSameKey(run.words, rival.words)
  const [own, other] = [run.column, rival.column]
  let rowNumbers: Float64Array | undefined
  let replaced = 0
  for (let i = 0, k = 0; i < own.timestamps.length && k < other.timestamps.length;) {
    if (own.timestamps[i]! < other.timestamps[k]!) i++
    else if (own.timestamps[i]! > other.timestamps[k]!) k++
    else {
      if (haveSameWords && isSameRecord(own, i, other, k)) isUnchanged[i] = 1
      else {
        rowNumbers ??= rival.rowNumbers
        dropRow(dropped, rival.path, rowNumbers[k]!)
        replaced++
      }
      i++
      k++
    }
  }
  return replaced
}

const isSameRecord = (a: StoredColumn, i: number, b: StoredColumn, k: number): boolean =>
  a.values[i] === b.values[k] && Object.is(a.knownAt[i], b.knownAt[k])

export function dropRow(dropped: DroppedRows, path: string, row: number): void {
  const rows = dropped.get(path) ?? new Set()
  dropped.set(path, rows.add(row))
}

function withoutUnchanged(run: Run, isUnchanged: Uint8Array, unchanged: number): Run | undefined {
  if (unchanged === 0) return run
  if (unchanged === isUnchanged.length) return undefined
  const rows = [...isUnchanged.keys()].filter((row) => isUnchanged[row] === 0)
  return { words: run.words, column: takeRows(run.column, rows) }
}
