import { randomBytes } from 'node:crypto'
import { lowerBound } from '@tradewright/core/column'
import type { Layer } from '@tradewright/engine/market/series'
import { civilDate, DAY, dayStamp, epochDayOf, toEpochDay, type UtcMillis } from '@tradewright/core/time'
import { isIntraday } from '@tradewright/core/granularity'
import type { RemovedRows, Snapshot } from '../catalogue/snapshot.ts'
import { type DroppedRows, packRuns, removedBy } from './removed-rows.ts'
import { type LakeFile, segmentsOf } from './lake-file.ts'
import { mergeRuns, rowCount, type Run, sliceColumn, takeRows } from '../runs.ts'
import { type Compression, writeParquet } from './parquet-writer.ts'
import { type LakeReader, readRuns, readVersionedRuns } from './read-runs.ts'

export interface WriteSettings {
  readonly partitionStrategy: PartitionStrategy
  readonly compression: Compression
}

/** Records that a change replaces or removes, kept for reads as of an earlier moment. */
interface KeptHistory {
  /** Removed files whose records no other file holds. */
  readonly wholeFiles: string[]
  /** New files of removed records. */
  readonly files: LakeFile[]
  /** Removed records that are too few for a file. */
  rows?: RemovedRows
}

export interface FileChange {
  readonly add: LakeFile[]
  readonly remove: string[]
  /** Undefined where the store keeps none. */
  readonly history: KeptHistory | undefined
}

export interface LakeWriter extends LakeReader {
  readonly keepsHistory: boolean
  /** Above this, the records that a change removes are a file instead of a row of the catalogue. */
  readonly maxPackedRows: number
  /** Called before a file appears under its path. */
  announce(path: string): Promise<void>
}

export const noFiles = (keepsHistory: boolean): FileChange => ({
  add: [],
  remove: [],
  history: keepsHistory ? { wholeFiles: [], files: [] } : undefined,
})

export const addedPaths = ({ add, history }: FileChange): string[] =>
  [...add, ...(history?.files ?? [])].map(({ path }) => path)

interface LayerChange {
  readonly layer: Layer
  readonly fresh: readonly Run[]
  readonly dropped: DroppedRows
}

/** Adds records to a layer and takes rows away from it, by writing new files, which no reader sees yet. */
export async function rewriteLayer(
  writer: LakeWriter,
  settings: WriteSettings,
  snapshot: Snapshot,
  { layer, fresh, dropped }: LayerChange,
): Promise<FileChange> {
  const version = snapshot.version + 1
  const stored = writer.keepsHistory ? fresh.map((run) => storedBy(run, version)) : fresh
  const partitions = partitionRuns(stored, settings.partitionStrategy)
  const existing = Map.groupBy(
    [...snapshot.files.values()].filter((file) => file.layer === layer),
    ({ partition }) => partition,
  )
  const losing = new Set(dropped.keys())
  for (const path of losing) {
    const { partition } = snapshot.files.get(path)!
    if (!partitions.has(partition)) partitions.set(partition, [])
  }
  const change = noFiles(writer.keepsHistory)
  const removed: Run[] = []
  try {
    for (const [partition, runs] of partitions) {
      const { together, alone } = planMerge(existing.get(partition) ?? [], losing, rowCount(runs))
      const groups = [{ runs, files: together }, ...alone.map((file) => ({ runs: [], files: [file] }))]
      for (const group of groups) {
        change.remove.push(...group.files.map(({ path }) => path))
        const isWhole = (file: LakeFile) => dropped.get(file.path)?.size === file.rows
        change.history?.wholeFiles.push(...group.files.filter(isWhole).map(({ path }) => path))
        const left = group.files.filter((file) => !isWhole(file))
        const parts = await Promise.all(left.map((file) => splitRuns(writer, file, dropped.get(file.path))))
        removed.push(...parts.flatMap((part) => part.removed))
        for (const part of cutToFiles(mergeRuns([...group.runs, ...parts.flatMap(({ kept }) => kept)]))) {
          change.add.push(await writeFile(writer, settings, { layer, folder: layer, partition, version }, part))
        }
      }
    }
    if (change.history) await keepRemoved(writer, settings, change.history, { layer, version, removed })
    return change
  } catch (error) {
    await writer.folder.remove(addedPaths(change)).catch(() => {})
    throw error
  }
}

const storedBy = ({ words, column }: Run, version: number): Run => ({
  words,
  column: { ...column, storedVersions: new Float64Array(column.timestamps.length).fill(version) },
})

async function keepRemoved(
  writer: LakeWriter,
  settings: WriteSettings,
  history: KeptHistory,
  { layer, version, removed }: { layer: Layer; version: number; removed: readonly Run[] },
): Promise<void> {
  const rows = rowCount(removed)
  if (rows === 0) return
  const merged = mergeRuns(removed)
  if (rows <= writer.maxPackedRows) {
    history.rows = { layer, records: rows, data: packRuns(removedBy(merged, version)) }
    return
  }
  for (const part of cutToFiles(merged)) {
    const place = { layer, folder: `history/${layer}`, partition: '', version }
    history.files.push(await writeFile(writer, settings, place, part))
  }
}

async function splitRuns(
  writer: LakeWriter,
  file: LakeFile,
  dropped: ReadonlySet<number> | undefined,
): Promise<{ kept: Run[]; removed: Run[] }> {
  const selection = { files: [file], isWanted: () => true }
  const runs = await (writer.keepsHistory ? readVersionedRuns(writer, selection) : readRuns(writer, selection))
  if (!dropped) return { kept: runs, removed: [] }
  const [kept, removed]: [Run[], Run[]] = [[], []]
  const sorted = Float64Array.from(dropped).sort()
  for (const { words, column, rowNumbers } of runs) {
    const [from, to] = [lowerBound(sorted, rowNumbers[0]!), lowerBound(sorted, rowNumbers.at(-1)! + 1)]
    if (from === to) {
      kept.push({ words, column })
      continue
    }
    const rows = [...rowNumbers.keys()]
    const { gone = [], left = [] } = Object.groupBy(rows, (row) => (dropped.has(rowNumbers[row]!) ? 'gone' : 'left'))
    kept.push({ words, column: takeRows(column, left) })
    removed.push({ words, column: takeRows(column, gone) })
  }
  return { kept, removed }
}

/** Cuts sorted runs where a file would grow too large. */
function* cutToFiles(runs: readonly Run[]): Generator<Run[]> {
  let [file, rows]: [Run[], number] = [[], 0]
  for (const { words, column } of runs) {
    for (let from = 0; from < column.timestamps.length;) {
      const to = Math.min(column.timestamps.length, from + MAX_FILE_ROWS - rows)
      file.push({ words, column: sliceColumn(column, from, to) })
      rows += to - from
      from = to
      if (rows === MAX_FILE_ROWS) {
        yield file
        ;[file, rows] = [[], 0]
      }
    }
  }
  if (rows > 0) yield file
}

interface FilePlace {
  readonly layer: Layer
  readonly folder: string
  readonly partition: string
  readonly version: number
}

async function writeFile(
  writer: LakeWriter,
  { compression }: WriteSettings,
  { layer, folder, partition, version }: FilePlace,
  runs: readonly Run[],
): Promise<LakeFile> {
  const name = `${String(version).padStart(12, '0')}-${randomBytes(6).toString('hex')}.parquet`
  const path = [folder, partition, name].filter((part) => part !== '').join('/')
  const scratch = await writer.folder.scratch()
  try {
    await writeParquet(writer.duck, runs, { path: scratch.localName, compression })
    await writer.announce(path)
    const marks = await writer.folder.publish(scratch, path)
    return { path, ...marks, layer, partition, rows: rowCount(runs), segments: segmentsOf(runs) }
  } catch (error) {
    await writer.folder.discard(scratch)
    throw error
  }
}

/** Files grow by merging up to this size and are then left alone: a correction rewrites one of them in seconds. */
export const MAX_FILE_ROWS = 2_000_000
const SMALLEST_TIER_ROWS = 8_192
/** A tier is four times the one below, and so many files of one tier become one of the next. */
const TIER_FACTOR = 4

const tierOf = (rows: number): number =>
  Math.max(0, Math.ceil(Math.log(rows / SMALLEST_TIER_ROWS) / Math.log(TIER_FACTOR)))

/** What a change of a partition writes anew. */
interface MergePlan {
  /** Files that become one with the new records. */
  readonly together: LakeFile[]
  /** Larger files that lose rows: each is written anew without them. */
  readonly alone: LakeFile[]
}

/**
 * Which files of a partition are written anew with `freshRows` new records: those that lose rows, and as many small
 * neighbours as would otherwise pile up. Each record is so rewritten a few times in its life, and a partition has at
 * most a few files per tier. New records do not go into a large file that loses rows: the corrections of newest records,
 * which are the most frequent, would then rewrite it every day.
 */
export function planMerge(files: readonly LakeFile[], losing: ReadonlySet<string>, freshRows: number): MergePlan {
  const chosen = new Set(files.filter(({ path, rows }) => losing.has(path) && tierOf(rows) <= tierOf(freshRows)))
  let rows = freshRows + [...chosen].reduce((sum, file) => sum + file.rows, 0)
  for (;;) {
    const tier = tierOf(rows)
    const small = files.filter((file) => !chosen.has(file) && tierOf(file.rows) <= tier)
    const together = small.reduce((sum, file) => sum + file.rows, rows)
    if (rows === 0 || small.length < TIER_FACTOR - 1 || together > MAX_FILE_ROWS) break
    for (const file of small) chosen.add(file)
    rows = together
  }
  return { together: [...chosen], alone: files.filter((file) => losing.has(file.path) && !chosen.has(file)) }
}

export type PartitionStrategy = 'date' | 'ticker' | 'date_ticker' | 'none'

/** Sorts runs into the folders of a strategy, in the usual `name=value` form; the empty name is "no folder". */
function partitionRuns(runs: readonly Run[], strategy: PartitionStrategy): Map<string, Run[]> {
  const partitions = new Map<string, Run[]>()
  for (const run of runs) {
    for (const [folder, part] of FOLDERS[strategy](run)) {
      const others = partitions.get(folder)
      if (others) others.push(part)
      else partitions.set(folder, [part])
    }
  }
  return partitions
}

const FOLDERS: Record<PartitionStrategy, (run: Run) => [string, Run][]> = {
  none: (run) => [['', run]],
  ticker: (run) => [[tickerFolder(run), run]],
  date: splitByDate,
  date_ticker: (run) => splitByDate(run).map(([date, part]) => [`${date}/${tickerFolder(run)}`, part]),
}

const tickerFolder = ({ words }: Run): string => `ticker=${folderName(words.ticker)}`

/** Years for daily rows, months for intraday ones: a folder per day would hold a few kilobytes. */
function splitByDate(run: Run): [string, Run][] {
  const byMonth = isIntraday(run.words.granularity)
  const { timestamps } = run.column
  const parts: [string, Run][] = []
  for (let start = 0; start < timestamps.length;) {
    const { name, end } = periodOf(timestamps[start]!, byMonth)
    const stop = lowerBound(timestamps, end, start)
    parts.push([`date=${name}`, { words: run.words, column: sliceColumn(run.column, start, stop) }])
    start = stop
  }
  return parts
}

/** Stamps of no calendar, which only bronze may have, share two folders. */
const FIRST_STAMP = dayStamp(toEpochDay(1, 1, 1))
const LAST_STAMP = dayStamp(toEpochDay(9999, 12, 31)) + DAY - 1

function periodOf(stamp: UtcMillis, byMonth: boolean): { name: string; end: UtcMillis } {
  if (stamp < FIRST_STAMP) return { name: 'before', end: FIRST_STAMP }
  if (stamp > LAST_STAMP) return { name: 'after', end: Number.POSITIVE_INFINITY }
  const { year, month } = civilDate(epochDayOf(stamp))
  const yearText = String(year).padStart(4, '0')
  if (!byMonth) return { name: yearText, end: dayStamp(toEpochDay(year + 1, 1, 1)) }
  const end = month === 12 ? toEpochDay(year + 1, 1, 1) : toEpochDay(year, month + 1, 1)
  return { name: `${yearText}-${String(month).padStart(2, '0')}`, end: dayStamp(end) }
}

/** Letters, digits, `_` and `-` stay: a ticker such as `..` or `BRK/B` must not lead anywhere else. */
const folderName = (ticker: string): string =>
  Array.from(new TextEncoder().encode(ticker), (byte) => {
    const letter = String.fromCharCode(byte)
    return /[A-Za-z0-9_-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
