import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import type { RecordFilter, SeriesStore, SeriesSummary, StoredSeries } from '@tradewright/engine/market/series-store'
import type { OpenStores } from '../stores/data-store.ts'
import { type DataFilters, rangeOf } from './browse.ts'

export type RecordFormat = 'parquet' | 'csv'

/** Writes records to a new file of this machine. */
export type WriteRecordFile = (
  batches: AsyncIterable<readonly StoredSeries[]>,
  target: { readonly path: string; readonly format: RecordFormat },
) => Promise<void>

export interface ExportDeps {
  readonly stores: OpenStores
  readonly writeRecordFile: WriteRecordFile
  readonly exportFolder: string
}

/** Records of one file: half a gigabyte as CSV. */
export const MAX_EXPORTED_RECORDS = 10_000_000
/** Read at once: 32 MB. */
const BATCH_RECORDS = 1_000_000

/** The records that a query finds, in one file. It has no name: when its reader is done, it is gone. */
export async function exportRecords(
  { stores, writeRecordFile, exportFolder }: ExportDeps,
  userId: number,
  { filters, format, signal }: { filters: DataFilters; format: RecordFormat; signal: AbortSignal },
): Promise<FileHandle> {
  const { series } = await stores.find(userId, filters.storeId)
  const { layer, tickers, categories, providers, asOf } = filters
  const range = rangeOf(filters)
  const filter: RecordFilter = { layer, tickers, categories, providers, asOf, ...(range && { range }) }
  const groups = groupsOf(await series.summaries(filter))
  await mkdir(exportFolder, { recursive: true, mode: 0o700 })
  await removeLeftOver(exportFolder)
  const path = join(exportFolder, `${randomUUID()}.${format}`)
  try {
    await writeRecordFile(batchesOf(series, filter, groups, signal), { path, format })
    return await open(path)
  } catch (error) {
    throw asDiskFull(error)
  } finally {
    await rm(path, { force: true })
  }
}

/** Tickers in their order, so many together as are read at once. */
function groupsOf(summaries: readonly SeriesSummary[]): string[][] {
  const records = new Map<string, number>()
  for (const { ticker, records: count } of summaries) records.set(ticker, (records.get(ticker) ?? 0) + count)
  const total = records.values().reduce((sum, count) => sum + count, 0)
  if (total === 0) throw new Problem('missing', 'export.empty', 'There is no data for this selection.')
  if (total > MAX_EXPORTED_RECORDS) {
    const [has, most] = [total, MAX_EXPORTED_RECORDS].map((count) => count.toLocaleString('en-US'))
    const sentence = `The selection has ${has} records, and a file holds at most ${most}; choose a shorter range or fewer tickers.`
    throw new Problem('too-large', 'export.size', sentence)
  }
  const groups: string[][] = []
  let room = 0
  for (const [ticker, count] of [...records].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (room < count) {
      groups.push([])
      room = BATCH_RECORDS
    }
    groups.at(-1)!.push(ticker)
    room -= count
  }
  return groups
}

async function* batchesOf(
  series: SeriesStore,
  filter: RecordFilter,
  groups: readonly string[][],
  signal: AbortSignal,
): AsyncGenerator<readonly StoredSeries[]> {
  for (const tickers of groups) {
    signal.throwIfAborted()
    yield await series.records({ ...filter, tickers })
  }
}

/** Removes files of processes that were killed while they sent them. */
async function removeLeftOver(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const state = await stat(path).catch(() => undefined)
    if (state && Date.now() - state.mtimeMs > DAY) await rm(path, { force: true })
  }
}

function asDiskFull(error: unknown): unknown {
  if (!(error instanceof Error) || !/ENOSPC|No space left/i.test(error.message)) return error
  const sentence = "There is no room left on this server's disk for the file. Choose a smaller selection."
  return new Problem('unavailable', 'export.disk-full', sentence, { cause: error })
}
