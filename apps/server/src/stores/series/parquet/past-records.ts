import type { RecordFilter } from '@tradewright/engine/market/series-store'
import { lowerBound } from '@tradewright/core/column'
import type { RemovedRecords } from '../catalogue/store-catalogue.ts'
import type { Snapshot } from '../catalogue/snapshot.ts'
import { mergeRuns } from '../runs/merge-runs.ts'
import { type Run, sliceColumn, takeRows } from '../runs/run.ts'
import { wordFilter } from '../runs/word-filter.ts'
import { type LakeReader, readVersionedRuns } from './read-runs.ts'
import { type RemovedRun, unpackRuns } from './removed-rows.ts'
import { narrowFiles } from './selection.ts'

/** What made up the store after one of its changes: records that are still there, and those removed since. */
export interface PastState {
  readonly version: number
  readonly snapshot: Snapshot
  readonly removed: RemovedRecords
}

/** A record was there if it was stored by then and removed later, or not at all. */
export async function readPastRuns(
  reader: LakeReader,
  { version, snapshot, removed }: PastState,
  filter: RecordFilter,
): Promise<Run[]> {
  const isWanted = wordFilter(filter)
  const files = [...snapshot.files.values(), ...removed.files].filter(
    ({ layer, segments }) => layer === filter.layer && segments.some(({ storedFirst }) => storedFirst <= version),
  )
  const selection = narrowFiles({ files, isWanted, range: filter.range })
  const packed = removed.rows
    .filter(({ layer }) => layer === filter.layer)
    .flatMap((row) => unpackRuns(row.data))
    .filter(({ words }) => isWanted(words))
    .map((run) => within(thereAt(run, version, snapshot.version), filter.range))
  const runs = [...(await readVersionedRuns(reader, selection)), ...packed]
  return mergeRuns(runs.map((run) => storedBy(run, version)))
}

/**
 * The records of a run that the store held at `version`, by time. A stamp that was corrected more than once has one of
 * its records there.
 */
function thereAt({ words, column, removedVersions }: RemovedRun, version: number, newest: number): Run {
  const { timestamps, storedVersions } = column
  const rows = [...removedVersions.keys()].filter(
    (row) => storedVersions![row]! <= version && removedVersions[row]! > version && removedVersions[row]! <= newest,
  )
  rows.sort((a, b) => timestamps[a]! - timestamps[b]!)
  return { words, column: takeRows(column, rows) }
}

function within({ words, column }: Run, range: RecordFilter['range']): Run {
  if (!range) return { words, column }
  const { timestamps } = column
  return { words, column: sliceColumn(column, lowerBound(timestamps, range.from), lowerBound(timestamps, range.to)) }
}

function storedBy({ words, column }: Run, version: number): Run {
  const stored = column.storedVersions!
  if (stored.every((one) => one <= version)) return { words, column }
  return {
    words,
    column: takeRows(
      column,
      [...stored.keys()].filter((row) => stored[row]! <= version),
    ),
  }
}
