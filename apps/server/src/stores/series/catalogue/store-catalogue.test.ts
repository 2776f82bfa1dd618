import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storePlaces } from '../../../../test-support/store-places.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test-support/test-database.ts'
import type { LakeFile } from '../parquet/lake-file.ts'
import { processLock } from '../writer-lock.ts'
import { openCatalogue, type StorePlace } from './open-catalogue.ts'
import type { StoreCatalogue } from './store-catalogue.ts'

describe('the catalogue of a store', () => {
  let test: TestDatabase
  let places: Awaited<ReturnType<typeof storePlaces>>
  let place: StorePlace
  beforeAll(async () => {
    test = await createTestDatabase()
    places = await storePlaces(test.database)
  })
  beforeEach(async () => {
    place = { ...(await places.next()), isLocal: true }
  })
  afterAll(() => test.close())

  const open = (at = place, holds = false): Promise<StoreCatalogue> =>
    openCatalogue({ database: test.database, lock: processLock() }, at, { holds: async () => holds })

  const file = (path: string): LakeFile => ({
    path,
    layer: 'gold',
    partition: '',
    rows: 0,
    bytes: 10,
    checksum: 'crc32:00000000',
    segments: [],
  })
  const adding = (path: string, at = 0) => ({ add: [file(path)], remove: [], at })
  const pathsOf = async (catalogue: StoreCatalogue) => [...(await catalogue.refresh()).files.keys()].sort()

  it('lets one of two writers win', async () => {
    const [a, b] = [await open(), await open()]
    const base = await a.refresh()
    await b.refresh()
    const won = await Promise.all([a.commit(base, adding('a')), b.commit(base, adding('b'))])
    expect(won.toSorted()).toEqual([false, true])
    expect(await pathsOf(b)).toEqual([won[0] ? 'a' : 'b'])
  })

  it('is one, also for two that open a new store at the same moment', async () => {
    const lock = processLock()
    const openToo = () => openCatalogue({ database: test.database, lock }, place, { holds: async () => false })
    const [a, b] = await Promise.all([openToo(), openToo()])
    await a.commit(await a.refresh(), adding('a'))
    expect(await pathsOf(b)).toEqual(['a'])
  })

  it('shows a reader the same as a newcomer, whatever was replaced and forgotten meanwhile', async () => {
    const [writer, sleeper] = [await open(), await open()]
    await writer.commit(await writer.refresh(), adding('first'))
    await sleeper.refresh()
    for (let i = 0; i < 12; i++) {
      const base = await writer.refresh()
      const remove = i % 3 === 0 ? [[...base.files.keys()][0]!] : []
      await writer.commit(base, { add: [file(`file-${i}`)], remove, at: i })
      if (i % 4 === 0) await writer.forget([...(await writer.refresh()).retired.keys()])
    }
    const expected = await pathsOf(writer)
    expect(await pathsOf(sleeper)).toEqual(expected)
    expect(await pathsOf(await open())).toEqual(expected)
    expect((await sleeper.refresh()).retired).toEqual((await writer.refresh()).retired)
  })

  it('remembers what was replaced until it is gone', async () => {
    const catalogue = await open()
    await catalogue.commit(await catalogue.refresh(), adding('a'))
    await catalogue.commit(await catalogue.refresh(), { add: [file('b')], remove: ['a'], at: 7 })
    expect([...(await (await open()).refresh()).retired]).toEqual([['a', 7]])
    await catalogue.forget(['a'])
    expect((await catalogue.refresh()).retired.size).toBe(0)
    expect((await (await open()).refresh()).retired.size).toBe(0)
  })

  it('knows the files of writers that died', async () => {
    const catalogue = await open()
    await catalogue.announce('dead')
    await catalogue.announce('alive')
    await catalogue.commit(await catalogue.refresh(), adding('alive'))
    expect(await catalogue.abandoned(60_000)).toEqual([])
    expect(await catalogue.abandoned(0)).toEqual(['dead'])
    await catalogue.withdraw(['dead'])
    expect(await catalogue.abandoned(0)).toEqual([])
  })

  it('tells which files made up the store at a moment, as long as they are kept', async () => {
    const catalogue = await open()
    await catalogue.commit(await catalogue.refresh(), adding('a', 1_000))
    await catalogue.commit(await catalogue.refresh(), { add: [file('b')], remove: ['a'], at: 2_000 })
    const asOf = async (at: number) => {
      const { rows } = await test.pool.query<{ path: string }>(
        `SELECT path FROM store_files JOIN store_catalogues ON id = catalogue_id
         WHERE store_id = $1 AND added_at <= $2 AND (retired_at IS NULL OR retired_at > $2)`,
        [place.storeId, new Date(at)],
      )
      return rows.map(({ path }) => path)
    }
    expect(await asOf(999)).toEqual([])
    expect(await asOf(1_500)).toEqual(['a'])
    expect(await asOf(2_500)).toEqual(['b'])
  })

  it('is another one at another place, unless its files were moved there', async () => {
    const catalogue = await open()
    await catalogue.commit(await catalogue.refresh(), adding('a'))
    expect(await pathsOf(await open({ ...place, location: 'empty bucket' }, false))).toEqual([])
    expect(await pathsOf(await open())).toEqual(['a'])
    expect(await pathsOf(await open({ ...place, location: 'moved bucket' }, true))).toEqual(['a'])
    expect(await pathsOf(await open(place, false))).toEqual([])
  })

  it('goes with its store', async () => {
    const catalogue = await open()
    await catalogue.commit(await catalogue.refresh(), adding('a'))
    await test.pool.query('DELETE FROM data_stores WHERE id = $1', [place.storeId])
    await expect(catalogue.refresh()).rejects.toThrow('There is no such data store.')
    expect(await catalogue.commit({ version: 1, files: new Map(), retired: new Map() }, adding('b'))).toBe(false)
  })
})
