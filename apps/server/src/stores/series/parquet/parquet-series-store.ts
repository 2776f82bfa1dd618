import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { assertPossible } from '@tradewright/engine/market/layers/validate-rows'
import { addCounts } from '@tradewright/engine/market/layers/upsert'
import type { Layer, SeriesBlock } from '@tradewright/engine/market/series'
import type { RecordFilter, SeriesStore, WriteCounts } from '@tradewright/engine/market/series-store'
import type { Snapshot } from '../catalogue/snapshot.ts'
import type { StoreCatalogue } from '../catalogue/store-catalogue.ts'
import type { DiskAllowance } from '../disk/disk-allowance.ts'
import type { WriterLock } from '../writer-lock.ts'
import { browseFiles, SORTED_AT_ONCE } from './browse.ts'
import { availableIn, recordsIn, selectSegments, summarise } from './catalogue.ts'
import { compareWithStored, dropRow, type DroppedRows } from './difference.ts'
import type { Duck } from './duck.ts'
import { incomingRuns } from '../runs/incoming.ts'
import { type LakeFolder, MissingFile } from './lake-folder.ts'
import { type FileChange, type LakeWriter, rewriteLayer, type WriteSettings } from './lake-writer.ts'
import { readRuns } from './read-runs.ts'
import { filterOfQuery, type Selection } from './selection.ts'
import { keyOf } from '../runs/series-key.ts'
import { wordFilter } from '../runs/word-filter.ts'
import { writeFailure } from './store-problems.ts'
import { GRACE_MS, Sweeper } from './sweeper.ts'
import { tablesOf } from '../runs/tables.ts'
import type { Run } from '../runs/run.ts'

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
  readonly allowance?: Pick<DiskAllowance, 'assertRoomFor' | 'isCrowded'>
  readonly onClose?: () => Promise<void>
}

/** How often a reader or writer starts anew because another writer was faster. */
const ATTEMPTS = 10

/** A series store made of Parquet files in a folder or a bucket, and a catalogue of them in our database. */
export class ParquetSeriesStore implements SeriesStore {
  readonly #parts: ParquetStoreParts
  readonly #writer: LakeWriter
  readonly #catalogue: StoreCatalogue
  readonly #sweeper: Sweeper

  constructor(parts: ParquetStoreParts) {
    const { duck, folder, catalogue } = parts
    this.#parts = parts
    this.#writer = { duck, folder, announce: (path) => catalogue.announce(path) }
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
    return this.#reading(async (snapshot) =>
      tablesOf(query.layer, await readRuns(this.#parts, select(snapshot, filterOfQuery(query)))),
    )
  }

  browse(query: Parameters<SeriesStore['browse']>[0]): ReturnType<SeriesStore['browse']> {
    return this.#reading((snapshot) =>
      browseFiles(this.#parts, [...snapshot.files.values()], query, this.#parts.sortedAtOnce ?? SORTED_AT_ONCE),
    )
  }

  async available(layer: Layer): ReturnType<SeriesStore['available']> {
    return availableIn(select(await this.#catalogue.refresh(), { layer }).files)
  }

  summaries(filter: RecordFilter): ReturnType<SeriesStore['summaries']> {
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
        return { change: { add: [], remove: files.map(({ path }) => path) }, answer: recordsIn(files) }
      }
      const dropped: DroppedRows = new Map()
      const runs = await readRuns(this.#parts, select(snapshot, filter))
      for (const { path, rowNumbers } of runs) for (const row of rowNumbers) dropRow(dropped, path, row)
      const { layer } = filter
      const change = await rewriteLayer(this.#writer, this.#parts.settings, snapshot, { layer, fresh: [], dropped })
      return { change, answer: runs.reduce((sum, { column }) => sum + column.timestamps.length, 0) }
    })
  }

  async close(): Promise<void> {
    await this.#parts.onClose?.()
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
  async #assertRoomFor({ files }: Snapshot, { add, remove }: FileChange): Promise<void> {
    const bytesOf = (some: readonly { readonly bytes: number }[]) => some.reduce((sum, { bytes }) => sum + bytes, 0)
    try {
      await this.#parts.allowance?.assertRoomFor(bytesOf(add) - bytesOf(remove.map((path) => files.get(path)!)))
    } catch (error) {
      await this.#takeBack(add)
      throw error
    }
  }

  /** A file that cannot be removed now is removed later: it stays announced. */
  async #takeBack(added: FileChange['add']): Promise<void> {
    const paths = added.map(({ path }) => path)
    const removed = this.#parts.folder.remove(paths).then(() => this.#catalogue.withdraw(paths))
    await removed.catch(() => {})
  }

  async #change<T>(work: (snapshot: Snapshot) => Promise<{ change: FileChange; answer: T }>): Promise<T> {
    const { name, lock, lockName } = this.#parts
    try {
      return await lock.exclusive(lockName, () => this.#changeAlone(work))
    } catch (error) {
      throw error instanceof MissingFile ? lostFile(error) : writeFailure(error, name)
    }
  }

  async #changeAlone<T>(work: (snapshot: Snapshot) => Promise<{ change: FileChange; answer: T }>): Promise<T> {
    const { clock, name, allowance } = this.#parts
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const at = clock.now().getTime()
      const snapshot = await this.#catalogue.refresh()
      await this.#sweeper.sweep(snapshot, at)
      const { change, answer } = await this.#sweeper.using(snapshot, () => work(snapshot))
      if (change.add.length + change.remove.length === 0) return answer
      if (await this.#catalogue.commit(snapshot, { ...change, at })) {
        if (change.remove.length > 0 && (await allowance?.isCrowded()))
          await this.#sweeper.sweepAtOnce(await this.#catalogue.refresh())
        return answer
      }
      await this.#takeBack(change.add)
    }
    throw new Problem('conflict', 'store.busy', `Another process keeps writing to the data store "${name}".`)
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
