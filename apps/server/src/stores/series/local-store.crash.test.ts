import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import { sliceRows } from '@tradewright/engine/market/layers/rows'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GENERATION_DAYS, GENERATION_TICKERS, generationBlocks } from '../../../test-support/store-writer-process.ts'
import { storePlaces } from '../../../test-support/store-places.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { ContainedFolder } from './contained-folder.ts'
import { localSeriesStore, type LocalStoreParts } from './local-store.ts'
import { Duck } from './parquet/duck.ts'
import { postgresLock } from './postgres-lock.ts'
import { processLock } from './writer-lock.ts'

const WRITER = join(import.meta.dirname, '..', '..', '..', 'test-support', 'store-writer-process.ts')
/** `npm run campaign` kills twenty times. */
const KILLS = Number(process.env['KILLS'] ?? 5)
/** About as long as a write takes. */
const WRITE_MS = 80
const RECORDS = GENERATION_DAYS * GENERATION_TICKERS.length

describe('a local store in trouble', () => {
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

  const openStore = (graceMs = 0, at = folder, more: Partial<LocalStoreParts> = {}): Promise<SeriesStore> =>
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
    })

  const readGold = (store: SeriesStore, asOf?: number) =>
    store.read({
      layer: 'gold',
      tickers: GENERATION_TICKERS,
      granularity: '1d',
      range: { from: 0, to: Date.UTC(2030, 0, 1) },
      categories: [],
      asOf,
    })

  const goldValues = async (store: SeriesStore, asOf: number): Promise<Set<number>> =>
    new Set((await readGold(store, asOf)).flatMap(({ columns }) => Array.from(columns['close']!)))

  /** The generation that all values are of; throws when two are mixed. */
  async function generationIn(store: SeriesStore): Promise<number> {
    const tables = await readGold(store)
    const values = new Set(tables.flatMap(({ columns }) => [...columns['close']!]))
    expect(tables.reduce((sum, { timestamps }) => sum + timestamps.length, 0)).toBe(RECORDS)
    expect(values.size).toBe(1)
    return [...values][0]!
  }

  it('shows the old state or the new one after kill -9 at any moment of a write', { timeout: 300_000 }, async () => {
    let generation = 1
    await (await openStore()).write('gold', generationBlocks(generation))
    for (let kill = 0; kill < KILLS; kill++) {
      const last = await killedWriter(
        [folder, test.url, String(place.storeId)],
        generation + 1,
        (WRITE_MS * kill) / KILLS,
      )
      const found = await generationIn(await openStore())
      expect(found).toBeGreaterThanOrEqual(Math.max(generation, last.wrote))
      expect(found).toBeLessThanOrEqual(last.writing)
      generation = found
    }
    // The next writer cleans up what the killed ones left.
    const store = await openStore()
    await store.write('gold', generationBlocks(generation + 1))
    await store.write('gold', generationBlocks(generation + 2))
    await store.write('gold', generationBlocks(generation + 3))
    const files = globSync(join(folder, '**', '*.parquet'))
    const [live, retired] = [2 * GENERATION_TICKERS.length, 2 * GENERATION_TICKERS.length]
    expect(files.length).toBeLessThanOrEqual(live + retired)
    expect(globSync(join(folder, '.scratch', '*'))).toEqual([])
  })

  it(
    'loses nothing current, and never a part of its history, after kill -9 at any moment of a purge',
    { timeout: 300_000 },
    async () => {
      const history = { historyMs: 1 }
      let generation = 1
      await (await openStore(0, folder, history)).write('gold', generationBlocks(generation))
      for (let kill = 0; kill < KILLS; kill++) {
        const delayMs = (2 * WRITE_MS * kill) / KILLS
        const target = [folder, test.url, String(place.storeId)] as const
        const last = await killedWriter(target, generation + 1, delayMs, history.historyMs)
        const store = await openStore(0, folder, history)
        const found = await generationIn(store)
        expect(found).toBeGreaterThanOrEqual(Math.max(generation, last.wrote))
        // The state before the last change is whole, or refused: never a part of it.
        const { rows } = await test.pool.query<{ changed_at: Date }>(
          `SELECT changed_at FROM store_changes JOIN store_catalogues ON id = catalogue_id
           WHERE store_id = $1 ORDER BY store_changes.version`,
          [place.storeId],
        )
        for (const { changed_at } of rows) {
          const values = await goldValues(store, changed_at.getTime()).catch((error: Problem) => error.code)
          if (values !== 'store.history') expect((values as Set<number>).size).toBe(1)
        }
        generation = found
      }
      const store = await openStore(0, folder, history)
      await store.write('gold', generationBlocks(generation + 1))
      await new Promise((resolve) => setTimeout(resolve, 5))
      await store.purgeHistory!()
      await store.write('gold', generationBlocks(generation + 2))
      expect(await generationIn(store)).toBe(generation + 2)
      const named = await test.pool.query<{ path: string }>(
        'SELECT path FROM store_files JOIN store_catalogues ON id = catalogue_id WHERE store_id = $1',
        [place.storeId],
      )
      const files = globSync(join(folder, '**', '*.parquet')).map((path) => relative(folder, path))
      expect(files.toSorted()).toEqual(named.rows.map(({ path }) => path).toSorted())
    },
  )

  it('gives its history up for current data when the disk is full', { timeout: 120_000 }, async (context) => {
    const disk = await mkdtemp(join(root, 'tiny-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
    if (mounted.status !== 0) context.skip('a tiny disk can be mounted by root only')
    try {
      const store = await openStore(0, join(disk, 'store'), { historyMs: 1e12 })
      await store.write('gold', generationBlocks(1))
      const first = Date.now()
      for (const generation of [2, 3]) await store.write('gold', generationBlocks(generation))
      const before = Date.now()
      expect([...(await goldValues(store, first))]).toEqual([1])
      await writeFile(join(disk, 'ballast'), Buffer.alloc(10_000_000)).catch(() => {})
      await store.write('gold', generationBlocks(4))
      expect(await generationIn(store)).toBe(4)
      await expect(goldValues(store, first)).rejects.toMatchObject({ code: 'store.history' })
      expect([...(await goldValues(store, before))]).toEqual([3])
      await store.purgeHistory!()
      expect(await generationIn(await openStore(0, join(disk, 'store')))).toBe(4)
    } finally {
      spawnSync('umount', [disk])
    }
  })

  it('never shows a reader half a write', { timeout: 120_000 }, async () => {
    await (await openStore()).write('gold', generationBlocks(1))
    const writer = startWriter([folder, test.url, String(place.storeId)], 2)
    try {
      const reader = await openStore()
      let last = 1
      for (let reads = 0; reads < 40; reads++) {
        const found = await generationIn(reader)
        expect(found).toBeGreaterThanOrEqual(last)
        last = found
      }
    } finally {
      await kill(writer)
    }
  })

  it('lets two processes write one after the other and loses neither', { timeout: 120_000 }, async () => {
    const one = await mkdtemp(join(root, 'shared-'))
    const [a, b] = [await openStore(60_000, one), await openStore(60_000, one)]
    const day = (index: number) => generationBlocks(1).map((block) => sliceRows(block, index, index + 1))
    const writes = Array.from({ length: 12 }, (_, i) => (i % 2 ? a : b).write('gold', day(i)))
    const counts = await Promise.all(writes)
    expect(counts.every(({ inserted }) => inserted === GENERATION_TICKERS.length)).toBe(true)
    expect(await a.counts()).toMatchObject({ gold: 12 * GENERATION_TICKERS.length })
    expect(await b.counts()).toMatchObject({ gold: 12 * GENERATION_TICKERS.length })
  })

  it('names a file that was cut short', async () => {
    await (await openStore()).write('gold', generationBlocks(1))
    const [first] = globSync(join(folder, 'gold', '**', '*.parquet')) as [string]
    await truncate(first, 200)
    await expect(readGold(await openStore())).rejects.toThrow(
      `The data store has a damaged file: ${relative(folder, first)}.`,
    )
  })

  it('names a file whose bytes have changed', async () => {
    await (await openStore()).write('gold', generationBlocks(1))
    const paths = globSync(join(folder, 'gold', '**', '*.parquet'))
    const bytes = await readFile(paths[1]!)
    await writeFile(paths[1]!, bytes.fill(0xff, 4, 204))
    const failure = await readGold(await openStore()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Problem)
    expect((failure as Problem).message).toBe(`The data store has a damaged file: ${relative(folder, paths[1]!)}.`)
  })

  it('says which file it has lost', async () => {
    await (await openStore()).write('gold', generationBlocks(1))
    const [first] = globSync(join(folder, 'gold', '**', '*.parquet')) as [string]
    await rm(first)
    const sentence = `The data store has lost a file: ${relative(folder, first)}.`
    await expect(readGold(await openStore())).rejects.toThrow(sentence)
    await expect((await openStore()).write('gold', generationBlocks(2))).rejects.toThrow(sentence)
  })

  it('does not let its files multiply', { timeout: 120_000 }, async () => {
    const store = await openStore(0, folder, { settings: { partitionStrategy: 'none', compression: 'snappy' } })
    for (let index = 0; index < 60; index++) {
      const timestamps = Float64Array.of(Date.UTC(2023, 0, 1) + index * DAY)
      const columns = { close: Float64Array.of(index + 1) }
      await store.write('gold', [{ ...generationBlocks(1)[0]!, timestamps, columns }])
    }
    expect(await store.counts()).toMatchObject({ gold: 60 })
    expect(globSync(join(folder, 'gold', '*.parquet')).length).toBeLessThanOrEqual(8)
    const { rows } = await test.pool.query(
      'SELECT FROM store_files JOIN store_catalogues ON id = catalogue_id WHERE store_id = $1',
      [place.storeId],
    )
    expect(rows.length).toBeLessThanOrEqual(12)
  })

  it('keeps what it has when the disk is full, and says so', { timeout: 120_000 }, async (context) => {
    const disk = await mkdtemp(join(root, 'tiny-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
    if (mounted.status !== 0) context.skip('a tiny disk can be mounted by root only')
    try {
      const store = await openStore(0, join(disk, 'store'))
      await store.write('gold', generationBlocks(1))
      await writeFile(join(disk, 'ballast'), Buffer.alloc(10_000_000)).catch(() => {})
      const failure = await store.write('gold', generationBlocks(2)).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Problem)
      expect((failure as Problem).code).toBe('store.disk-full')
      expect((failure as Problem).message).toMatch(
        /^There is no room left for the data store "Mine".*what was there before is unharmed\.$/,
      )
      expect(await generationIn(store)).toBe(1)
      await rm(join(disk, 'ballast'))
      await store.write('gold', generationBlocks(3))
      expect(await generationIn(await openStore(0, join(disk, 'store')))).toBe(3)
    } finally {
      spawnSync('umount', [disk])
    }
  })
})

/** The folder, the database and the id of the store that is written to. */
type WriterTarget = readonly [folder: string, databaseUrl: string, storeId: string]

const startWriter = (target: WriterTarget, first: number, historyMs = 0): ChildProcess =>
  spawn(process.execPath, [WRITER, ...target, String(first), String(historyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function kill(writer: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => writer.once('close', resolve))
  writer.kill('SIGKILL')
  await ended
}

/** Kills a writer so long after its second write began, and tells what it had said by then. */
async function killedWriter(
  target: WriterTarget,
  first: number,
  delayMs: number,
  historyMs = 0,
): Promise<{ writing: number; wrote: number }> {
  const writer = startWriter(target, first, historyMs)
  const told = { writing: 0, wrote: 0 }
  const lines = createInterface({ input: writer.stdout! })
  await new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      const [word, generation] = line.split(' ') as ['writing' | 'wrote', string]
      told[word] = Number(generation)
      // The moment is the point of this test; nothing waits for it.
      if (told.writing === first + 1) setTimeout(resolve, delayMs)
    })
    writer.once('close', () => resolve())
  })
  await kill(writer)
  return told
}
