import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { ContainedFolder } from '../src/stores/series/contained-folder.ts'
import { localSeriesStore, type LocalStoreParts } from '../src/stores/series/local-store.ts'
import { Duck } from '../src/stores/series/parquet/duck.ts'
import { postgresLock, processLock } from '../src/stores/series/writer-lock.ts'
import { programFile } from './program-files.ts'
import { compileCache } from './program.ts'
import { storePlaces } from './store-places.ts'
import { GENERATION_DAYS, GENERATION_TICKERS } from './store-writer-process.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** A local store whose values all say which write they are of, and other processes that write to it. */
interface GenerationStore {
  /** A folder for everything of the file, with the store of this test below it. */
  readonly root: string
  readonly folder: string
  readonly test: TestDatabase
  readonly storeId: number
  open(graceMs?: number, at?: string, more?: Partial<LocalStoreParts>): Promise<SeriesStore>
  readGold(store: SeriesStore, asOf?: number): ReturnType<SeriesStore['read']>
  goldValues(store: SeriesStore, asOf: number): Promise<Set<number>>
  /** The generation that all values are of; throws when two are mixed. */
  generationIn(store: SeriesStore): Promise<number>
  /** A process that writes one generation after the other, beginning with this one; with a history, it purges it each time. */
  startWriter(first: number, historyMs?: number): ChildProcess
}

/** For the tests of one file: each has a store of its own. */
export function withGenerationStore(): GenerationStore {
  let root: string
  let folder: string
  let duck: Duck
  let test: TestDatabase
  let places: Awaited<ReturnType<typeof storePlaces>>
  let place: LocalStoreParts['place']
  beforeAll(async () => {
    test = await createTestDatabase()
    places = await storePlaces(test.database)
    root = await mkdtemp(join(tmpdir(), 'tradewright-crash-'))
    duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: join(root, 'spill') })
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(root, 'store-'))
    place = await places.next()
  })
  afterAll(async () => {
    duck.close()
    await test.close()
    await rm(root, { recursive: true, force: true })
  })
  const readGold: GenerationStore['readGold'] = (store, asOf) =>
    store.read({
      layer: 'gold',
      tickers: GENERATION_TICKERS,
      granularity: '1d',
      range: { from: 0, to: Date.UTC(2030, 0, 1) },
      categories: [],
      asOf,
    })
  return {
    get root() {
      return root
    },
    get folder() {
      return folder
    },
    get test() {
      return test
    },
    get storeId() {
      return place.storeId
    },
    open: (graceMs = 0, at = folder, more = {}) =>
      localSeriesStore(new ContainedFolder(at), {
        name: 'Mine',
        duck,
        database: test.database,
        place,
        // Each store with a lock of its own, as in a process of its own.
        lock: postgresLock(test.pool, processLock()),
        clock: { now: () => new Date() },
        settings: { partitionStrategy: 'date_ticker', compression: 'snappy' },
        graceMs,
        ...more,
      }),
    readGold,
    goldValues: async (store, asOf) =>
      new Set((await readGold(store, asOf)).flatMap(({ columns }) => Array.from(columns['close']!))),
    async generationIn(store) {
      const tables = await readGold(store)
      const values = new Set(tables.flatMap(({ columns }) => [...columns['close']!]))
      const records = GENERATION_DAYS * GENERATION_TICKERS.length
      expect(tables.reduce((sum, { timestamps }) => sum + timestamps.length, 0)).toBe(records)
      expect(values.size).toBe(1)
      return [...values][0]!
    },
    startWriter: (first, historyMs = 0) =>
      spawn(
        process.execPath,
        [programFile('store-writer'), folder, test.url, String(place.storeId), String(first), String(historyMs)],
        { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...compileCache } },
      ),
  }
}

export async function killWriter(writer: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => writer.once('close', resolve))
  writer.kill('SIGKILL')
  await ended
}
