import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { assertPossible } from '@tradewright/engine/market/layers/rows'
import { addCounts } from '@tradewright/engine/market/layers/upsert'
import type { Layer, SeriesBlock } from '@tradewright/engine/market/series'
import { browseRecords } from '@tradewright/engine/market/memory-store/memory-series-store'
import type { RecordFilter, SeriesStore, WriteCounts } from '@tradewright/engine/market/series-store'
import { lowerBound } from '@tradewright/core/column'
import type { Snapshot } from '../catalogue/snapshot.ts'
import type { StoreCatalogue, RemovedRecords } from '../catalogue/store-catalogue.ts'
import type { DiskAllowance } from '../disk/disk-allowance.ts'
import type { WriterLock } from '../writer-lock.ts'
import { browseFiles, SORTED_AT_ONCE, availableIn, recordsIn, selectSegments, summarise } from './browse.ts'
import {
  compareWithStored,
  dropRow,
  type DroppedRows,
  MAX_PACKED_ROWS,
  PACKED_TOGETHER,
  type RemovedRun,
  unpackRuns,
} from './removed-rows.ts'
import type { Duck } from './duck.ts'
import { incomingRuns, mergeRuns, keyOf, type Run, sliceColumn, takeRows, tablesOf, wordFilter } from '../runs.ts'
import {
  type LakeFolder,
  MissingFile,
  segmentsOf,
  isDiskFull,
  tooManyPastRecords,
  unknownMoment,
  writeFailure,
} from './lake-file.ts'
import {
  addedPaths,
  type FileChange,
  type LakeWriter,
  noFiles,
  rewriteLayer,
  type WriteSettings,
} from './lake-writer.ts'
import { readRuns, type LakeReader, readVersionedRuns } from './read-runs.ts'
import { filterOfQuery, type Selection, wantedSegments, narrowFiles } from './selection.ts'
import { GRACE_MS, Sweeper } from './sweeper.ts'

/** What made up the store after one of its changes: records that are still there, and those removed since. */
interface PastState {
  readonly version: number
  readonly snapshot: Snapshot
  readonly removed: RemovedRecords
}

/** A record was there if it was stored by then and removed later, or not at all. */
async function readPastRuns(
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

export interface ParquetStoreParts {
  /** The user's name of the store. */
  readonly name: string
  readonly duck: Duck
  readonly folder: LakeFolder
  readonly catalogue: StoreCatalogue
  readonly lock: WriterLock
  /** Stores with the same one are the same store, in this process or another. */
  readonly lockName: string
  readonly clock: Clock
  readonly settings: WriteSettings
  /** How long replaced files and those of dead writers stay; `GRACE_MS` unless a test says otherwise. */
  readonly graceMs?: number
  /** Browse counts by buckets instead of sorting where there is more than this. */
  readonly sortedAtOnce?: number
  /** The owner's limit on this machine, for a store that keeps its files there. */
  readonly allowance?: Pick<DiskAllowance, 'assertRoomFor' | 'isCrowded' | 'historyExcess'>
  /** How long records stay known that were replaced or removed; zero or undefined: not at all. */
  readonly historyMs?: number
  /** Removed records up to this number are a row of the catalogue; `MAX_PACKED_ROWS` unless a test says otherwise. */
  readonly maxPackedRows?: number
  /** So many small rows of removed records are packed into one; `PACKED_TOGETHER` unless a test says otherwise. */
  readonly packedTogether?: number
  readonly onClose?: () => Promise<void>
}

/** A page or summary of an earlier moment is made in memory. */
const MAX_PAST_RECORDS = 100_000

/** How often a reader or writer starts anew because another writer was faster. */
const ATTEMPTS = 10

/** A series store made of Parquet files in a folder or a bucket, and a catalogue of them in our database. */
export class ParquetSeriesStore implements SeriesStore {
  readonly #parts: ParquetStoreParts
  readonly #writer: LakeWriter
  readonly #catalogue: StoreCatalogue
  readonly #sweeper: Sweeper
  #changes = 0

  constructor(parts: ParquetStoreParts) {
    const { duck, folder, catalogue } = parts
    this.#parts = parts
    const keepsHistory = (parts.historyMs ?? 0) > 0
    const maxPackedRows = parts.maxPackedRows ?? MAX_PACKED_ROWS
    this.#writer = { duck, folder, keepsHistory, maxPackedRows, announce: (path) => catalogue.announce(path) }
    this.#catalogue = catalogue
    this.#sweeper = new Sweeper(folder, catalogue, parts.graceMs ?? GRACE_MS)
  }

  async write(layer: Layer, blocks: readonly SeriesBlock[]): Promise<WriteCounts> {
    if (layer !== 'bronze') blocks.forEach(assertPossible)
    const { runs: incoming, repeated } = incomingRuns(layer, blocks)
    return this.#change(async (snapshot) => {
      const dropped: DroppedRows = new Map()
      const { fresh, counts } = await this.#compare(layer, snapshot, incoming, dropped)
      if (fresh.length > 0) await this.#parts.allowance?.assertRoomFor(0)
      const change = await rewriteLayer(this.#writer, this.#parts.settings, snapshot, { layer, fresh, dropped })
      await this.#assertRoomFor(snapshot, change)
      return { change, answer: addCounts(counts, repeated) }
    })
  }

  read(query: Parameters<SeriesStore['read']>[0]): ReturnType<SeriesStore['read']> {
    const filter = filterOfQuery(query)
    if (query.asOf !== undefined) {
      return this.#readingPast(query.asOf, async (past) =>
        tablesOf(query.layer, await readPastRuns(this.#parts, past, filter)),
      )
    }
    return this.#reading(async (snapshot) =>
      tablesOf(query.layer, await readRuns(this.#parts, select(snapshot, filter))),
    )
  }

  browse(query: Parameters<SeriesStore['browse']>[0]): ReturnType<SeriesStore['browse']> {
    if (query.asOf !== undefined) {
      return this.#readingPast(query.asOf, async (past) =>
        browseRecords(seriesOf(await this.#pastRuns(past, query), query), query),
      )
    }
    return this.#reading((snapshot) =>
      browseFiles(this.#parts, [...snapshot.files.values()], query, this.#parts.sortedAtOnce ?? SORTED_AT_ONCE),
    )
  }

  async records(filter: RecordFilter): ReturnType<SeriesStore['records']> {
    const runs =
      filter.asOf === undefined
        ? await this.#reading((snapshot) => readRuns(this.#parts, select(snapshot, filter)))
        : await this.#readingPast(filter.asOf, (past) => readPastRuns(this.#parts, past, filter))
    return mergeRuns(runs).map(({ words, column }) => Object.assign({ column }, words))
  }

  async available(layer: Layer): ReturnType<SeriesStore['available']> {
    return availableIn(select(await this.#catalogue.refresh(), { layer }).files)
  }

  summaries(filter: RecordFilter): ReturnType<SeriesStore['summaries']> {
    if (filter.asOf !== undefined) {
      return this.#readingPast(filter.asOf, async (past) => summarise(segmentsOf(await this.#pastRuns(past, filter))))
    }
    return this.#reading(async (snapshot) => summarise(await selectSegments(this.#parts, select(snapshot, filter))))
  }

  async counts(): Promise<Record<Layer, number>> {
    const snapshot = await this.#catalogue.refresh()
    const count = (layer: Layer) => recordsIn(select(snapshot, { layer }).files)
    return { bronze: count('bronze'), silver: count('silver'), gold: count('gold') }
  }

  async clear(filter?: RecordFilter): Promise<number> {
    return this.#change(async (snapshot) => {
      if (!filter) {
        const files = [...snapshot.files.values()]
        const change = noFiles(this.#writer.keepsHistory)
        change.remove.push(...files.map(({ path }) => path))
        change.history?.wholeFiles.push(...change.remove)
        return { change, answer: recordsIn(files) }
      }
      const dropped: DroppedRows = new Map()
      const runs = await readRuns(this.#parts, select(snapshot, filter))
      for (const { path, rowNumbers } of runs) for (const row of rowNumbers) dropRow(dropped, path, row)
      const { layer } = filter
      const change = await rewriteLayer(this.#writer, this.#parts.settings, snapshot, { layer, fresh: [], dropped })
      return { change, answer: runs.reduce((sum, { column }) => sum + column.timestamps.length, 0) }
    })
  }

  /** History that is older than the store keeps it, or takes more room than its owner may use. */
  async purgeHistory(): Promise<void> {
    const { lock, lockName } = this.#parts
    await lock.exclusive(lockName, async () => {
      await this.#catalogue.packHistory(this.#parts.packedTogether ?? PACKED_TOGETHER)
      await this.#sweeper.purgeHistory((await this.#expired()).version)
    })
  }

  /** The change up to which history has to go, and whether there is any of it. */
  async #expired(): Promise<{ version: number; isThere: boolean }> {
    const { clock, historyMs = 0, allowance } = this.#parts
    const { version, fromVersion } = await this.#catalogue.versionAt(clock.now().getTime() - historyMs)
    const excess = (await allowance?.historyExcess()) ?? 0
    const freed = excess > 0 ? await this.#catalogue.versionToFree(excess) : 0
    const last = Math.max(version, freed)
    return { version: last, isThere: last > fromVersion }
  }

  async close(): Promise<void> {
    await this.#parts.onClose?.()
  }

  /** Runs of an earlier moment for pages and summaries. They are merged in memory, since they are asked for seldom. */
  async #pastRuns(past: PastState, filter: RecordFilter): Promise<Run[]> {
    const files = [...past.snapshot.files.values(), ...past.removed.files].filter(({ layer }) => layer === filter.layer)
    const records = recordsIn(wantedSegments({ files, isWanted: wordFilter(filter), range: filter.range }))
    if (records > MAX_PAST_RECORDS) throw tooManyPastRecords(records, MAX_PAST_RECORDS)
    return readPastRuns(this.#parts, past, filter)
  }

  /** What the store held at an earlier moment. */
  #readingPast<T>(at: number, work: (past: PastState) => Promise<T>): Promise<T> {
    return this.#reading(async (snapshot) => {
      const version = await this.#knownVersion(at)
      const removed = await this.#catalogue.removedBetween(version, snapshot.version)
      const files = new Map(removed.files.map((file) => [file.path, file]))
      const answer = await this.#sweeper.using({ files }, () => work({ version, snapshot, removed }))
      // Had history been removed meanwhile, the answer would lack it.
      await this.#knownVersion(at)
      return answer
    })
  }

  async #knownVersion(at: number): Promise<number> {
    const { version, isKnown, knownFrom } = await this.#catalogue.versionAt(at)
    if (!isKnown) throw unknownMoment(this.#parts.name, at, knownFrom)
    return version
  }

  /** Compares what comes in with what is there; series that are new, or go on where they ended, are not read. */
  async #compare(
    layer: Layer,
    snapshot: Snapshot,
    incoming: ReadonlyMap<string, readonly Run[]>,
    dropped: DroppedRows,
  ): Promise<{ fresh: Run[]; counts: WriteCounts }> {
    const { files } = select(snapshot, { layer })
    const isWanted: Selection['isWanted'] = (words) => incoming.has(keyOf(layer, words))
    const stored = await readRuns(this.#parts, { files, isWanted, range: rangeOf([...incoming.values()].flat()) })
    const storedByKey = Map.groupBy(stored, ({ words }) => keyOf(layer, words))
    const results = Array.from(incoming, ([key, runs]) => compareWithStored(runs, storedByKey.get(key) ?? [], dropped))
    return {
      fresh: results.flatMap(({ fresh }) => fresh),
      counts: results.reduce((sum, { counts }) => addCounts(sum, counts), { inserted: 0, replaced: 0, unchanged: 0 }),
    }
  }

  /** Nothing is committed yet: files that do not fit are taken back. */
  async #assertRoomFor({ files }: Snapshot, change: FileChange): Promise<void> {
    const { add, remove } = change
    const bytesOf = (some: readonly { readonly bytes: number }[]) => some.reduce((sum, { bytes }) => sum + bytes, 0)
    try {
      await this.#parts.allowance?.assertRoomFor(bytesOf(add) - bytesOf(remove.map((path) => files.get(path)!)))
    } catch (error) {
      await this.#revert(change)
      throw error
    }
  }

  /** A file that cannot be removed now is removed later: it stays announced. */
  async #revert(change: FileChange): Promise<void> {
    const paths = addedPaths(change)
    const removed = this.#parts.folder.remove(paths).then(() => this.#catalogue.withdraw(paths))
    await removed.catch(() => {})
  }

  async #change<T>(work: (snapshot: Snapshot) => Promise<{ change: FileChange; answer: T }>): Promise<T> {
    const { name, lock, lockName } = this.#parts
    try {
      return await lock.exclusive(lockName, () => this.#changeWithRoom(work))
    } catch (error) {
      throw error instanceof MissingFile ? lostFile(error) : writeFailure(error, name)
    }
  }

  /** History gives way to what the store is to hold now. */
  async #changeWithRoom<T>(work: (snapshot: Snapshot) => Promise<{ change: FileChange; answer: T }>): Promise<T> {
    try {
      return await this.#changeAlone(work)
    } catch (error) {
      if (!isDiskFull(error) || (await this.#catalogue.versionToFree(1)) === 0) throw error
      await this.#sweeper.purgeHistory((await this.#catalogue.refresh()).version)
      return this.#changeAlone(work)
    }
  }

  async #changeAlone<T>(work: (snapshot: Snapshot) => Promise<{ change: FileChange; answer: T }>): Promise<T> {
    const { clock, name, allowance } = this.#parts
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const snapshot = await this.#catalogue.refresh()
      await this.#sweeper.sweep(snapshot, clock.now().getTime())
      const { change, answer } = await this.#sweeper.using(snapshot, () => work(snapshot))
      if (change.add.length + change.remove.length === 0) return answer
      // The instant of the change is that of its commit: until then readers have seen the state before.
      if (await this.#catalogue.commit(snapshot, { ...change, at: clock.now().getTime() })) {
        if (change.remove.length > 0 && (await allowance?.isCrowded()))
          await this.#sweeper.sweepAtOnce(await this.#catalogue.refresh())
        await this.#tidyHistory()
        return answer
      }
      await this.#revert(change)
    }
    throw new Problem('conflict', 'store.busy', `Another process keeps writing to the data store "${name}".`)
  }

  /**
   * Now and then; every hour the program looks after all stores besides. A failure is left for the next time: the write has
   * happened.
   */
  async #tidyHistory(): Promise<void> {
    const packedTogether = this.#parts.packedTogether ?? PACKED_TOGETHER
    if (!this.#writer.keepsHistory || ++this.#changes % packedTogether !== 0) return
    try {
      await this.#catalogue.packHistory(packedTogether)
      const { version, isThere } = await this.#expired()
      if (isThere) await this.#sweeper.purgeHistory(version)
    } catch {
      return
    }
  }

  /** A file that vanished was replaced by a newer version: the work is done again with that one. */
  async #reading<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const snapshot = await this.#catalogue.refresh()
      try {
        return await this.#sweeper.using(snapshot, () => work(snapshot))
      } catch (error) {
        if (!(error instanceof MissingFile)) throw error
        const isOutdated = (await this.#catalogue.refresh()).version > snapshot.version
        if (isOutdated && attempt < ATTEMPTS) continue
        throw lostFile(error)
      }
    }
  }
}

/** Runs in the shape that the plain store in memory answers from. */
const seriesOf = (runs: readonly Run[], { layer }: RecordFilter) =>
  runs.map(({ words, column }) => ({ ...words, layer, column }))

const lostFile = (error: MissingFile): Problem =>
  new Problem('unavailable', 'store.damaged', `The data store has lost a file: ${error.path}.`, { cause: error })

const select = (snapshot: Snapshot, filter: RecordFilter): Selection => ({
  files: [...snapshot.files.values()].filter(({ layer }) => layer === filter.layer),
  isWanted: wordFilter(filter),
  range: filter.range,
})

function rangeOf(runs: readonly Run[]): { from: number; to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { column } of runs) {
    from = Math.min(from, column.timestamps[0]!)
    to = Math.max(to, column.timestamps.at(-1)! + 1)
  }
  return { from, to }
}
