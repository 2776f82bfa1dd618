import { randomBytes } from 'node:crypto'
import type { Layer } from '@tradewright/engine/market/series'
import type { Snapshot } from '../catalogue/snapshot.ts'
import type { DroppedRows } from './difference.ts'
import { type LakeFile, segmentsOf } from './lake-file.ts'
import { filesToMerge, MAX_FILE_ROWS } from './merge-plan.ts'
import { mergeRuns } from '../runs/merge-runs.ts'
import { type Compression, writeParquet } from './parquet-writer.ts'
import { type PartitionStrategy, partitionRuns } from './partition.ts'
import { type LakeReader, readRuns } from './read-runs.ts'
import { rowCount, type Run, sliceColumn, takeRows } from '../runs/run.ts'

export interface WriteSettings {
  readonly partitionStrategy: PartitionStrategy
  readonly compression: Compression
}

export interface FileChange {
  readonly add: LakeFile[]
  readonly remove: string[]
}

export interface LakeWriter extends LakeReader {
  /** Called before a file appears under its path. */
  announce(path: string): Promise<void>
}

/** Adds records to a layer and takes rows away from it, by writing new files, which no reader sees yet. */
export async function rewriteLayer(
  writer: LakeWriter,
  settings: WriteSettings,
  snapshot: Snapshot,
  { layer, fresh, dropped }: { layer: Layer; fresh: readonly Run[]; dropped: DroppedRows },
): Promise<FileChange> {
  const partitions = partitionRuns(fresh, settings.partitionStrategy)
  const existing = Map.groupBy(
    [...snapshot.files.values()].filter((file) => file.layer === layer),
    ({ partition }) => partition,
  )
  const losing = new Set(dropped.keys())
  for (const path of losing) {
    const { partition } = snapshot.files.get(path)!
    if (!partitions.has(partition)) partitions.set(partition, [])
  }
  const change: FileChange = { add: [], remove: [] }
  try {
    for (const [partition, runs] of partitions) {
      const merged = filesToMerge(existing.get(partition) ?? [], losing, rowCount(runs))
      const kept = (await Promise.all(merged.map((file) => keptRuns(writer, file, dropped.get(file.path))))).flat()
      change.remove.push(...merged.map(({ path }) => path))
      for (const part of cutToFiles(mergeRuns([...runs, ...kept]))) {
        change.add.push(await writeFile(writer, settings, { layer, partition, version: snapshot.version + 1 }, part))
      }
    }
    return change
  } catch (error) {
    await writer.folder.remove(change.add.map(({ path }) => path)).catch(() => {})
    throw error
  }
}

async function keptRuns(reader: LakeReader, file: LakeFile, dropped: ReadonlySet<number> | undefined): Promise<Run[]> {
  const runs = await readRuns(reader, { files: [file], isWanted: () => true })
  if (!dropped) return runs
  return runs.map(({ words, column, rowNumbers }) => {
    const rows = [...rowNumbers.keys()].filter((row) => !dropped.has(rowNumbers[row]!))
    return { words, column: rows.length === rowNumbers.length ? column : takeRows(column, rows) }
  })
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

async function writeFile(
  writer: LakeWriter,
  { compression }: WriteSettings,
  { layer, partition, version }: { layer: Layer; partition: string; version: number },
  runs: readonly Run[],
): Promise<LakeFile> {
  const { duck, folder } = writer
  const name = `${String(version).padStart(12, '0')}-${randomBytes(6).toString('hex')}.parquet`
  const path = [layer, partition, name].filter((part) => part !== '').join('/')
  const scratch = await folder.scratch()
  try {
    await writeParquet(duck, runs, { path: scratch.localName, compression })
    await writer.announce(path)
    const marks = await folder.publish(scratch, path)
    return { path, ...marks, layer, partition, rows: rowCount(runs), segments: segmentsOf(runs) }
  } catch (error) {
    await folder.discard(scratch)
    throw error
  }
}
