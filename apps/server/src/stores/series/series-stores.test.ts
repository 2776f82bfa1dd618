import { globSync, statSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Problem } from '@tradewright/core/problem'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { dailyBlock } from '@tradewright/engine/market/test-support/series-store-suite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../free-port.ts'
import { loopbackAccess } from '../../../test-support/store-access.ts'
import { storePlaces } from '../../../test-support/store-places.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { Duck } from './parquet/duck.ts'
import { postgresLock, processLock } from './writer-lock.ts'
import { SeriesStores, type SeriesStoresParts, type StoreDefinition } from './series-stores.ts'

describe('stores of every type', () => {
  let root: string
  let duck: Duck
  let database: TestDatabase
  let parts: SeriesStoresParts
  let stores: SeriesStores
  const owned: { userId: number; id: number }[] = []
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tradewright-stores-'))
    duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: join(root, 'spill') })
    database = await createTestDatabase()
    parts = {
      duck,
      clock: { now: () => new Date() },
      database: database.database,
      lock: postgresLock(database.pool, processLock()),
      systemRoot: join(root, 'system'),
      localRoots: [join(root, 'stores')],
      cacheFolder: join(root, 'cache'),
      access: loopbackAccess({ connectMs: 1_000 }),
      history: { keepMs: 0, limitBytesPerUser: 0 },
      diskLimitBytesPerUser: 1024 ** 3,
    }
    stores = new SeriesStores(parts)
    for (const username of ['first', 'second']) {
      const places = await storePlaces(database.database, username)
      owned.push({ userId: places.userId, id: (await places.next()).storeId })
    }
  })
  afterAll(async () => {
    await database.close()
    duck.close()
    await rm(root, { recursive: true, force: true })
  })

  const definition = (more: Partial<StoreDefinition>): StoreDefinition => ({
    ...owned[0]!,
    name: 'Mine',
    storeType: 'local',
    isSystem: false,
    settings: { partitionStrategy: 'none', compression: 'snappy' },
    connectionConfig: { path: 'mine' },
    ...more,
  })

  const postgresql = () => {
    const { hostname, port, pathname, username, password } = new URL(database.url)
    const decoded = decodeURIComponent(password) || 'none'
    return {
      host: hostname,
      port,
      database: pathname.slice(1),
      username: decodeURIComponent(username),
      password: decoded,
    }
  }

  it('keeps the records of two users with the same path apart [SET-047]', async () => {
    const [mine, theirs] = [await stores.open(definition({})), await stores.open(definition(owned[1]!))]
    await mine.write('gold', [dailyBlock('AAPL', [1, 2])])
    expect(await theirs.counts()).toEqual({ bronze: 0, silver: 0, gold: 0 })
    expect(await theirs.clear()).toBe(0)
    expect(await mine.counts()).toEqual({ bronze: 0, silver: 0, gold: 2 })
  })

  describe('on machines that share a database', () => {
    const machine = (name: string) =>
      new SeriesStores({
        ...parts,
        systemRoot: join(root, name),
        localRoots: [join(root, name, 'local')],
        cacheFolder: join(root, name, 'cache'),
      })
    const kinds = [{ isSystem: true, connectionConfig: {} }, { connectionConfig: { path: 'shared' } }]

    it.each(kinds)('each has a folder of its own: %j', async (kind) => {
      const { storeId: id, userId } = await newPlace()
      const open = (name: string) => machine(name).open(definition({ id, userId, ...kind }))
      const [here, there] = [await open('here'), await open('there')]
      await here.write('gold', [dailyBlock('AAPL', [1, 2])])
      expect(await there.counts()).toEqual({ bronze: 0, silver: 0, gold: 0 })
      await there.write('gold', [dailyBlock('AAPL', [1, 2, 3])])
      expect(await (await open('here')).counts()).toMatchObject({ gold: 2 })
      expect(await (await open('there')).counts()).toMatchObject({ gold: 3 })
      const discard = await machine('here').discarding(definition({ id, userId, ...kind }))
      await discard()
      expect(await (await open('there')).counts()).toMatchObject({ gold: 3 })
    })

    it('a folder that is moved keeps its series, also when another machine wrote last', async () => {
      const { storeId: id, userId } = await newPlace()
      const open = (name: string) => machine(name).open(definition({ id, userId, ...kinds[0] }))
      await (await open('old-name')).write('gold', [dailyBlock('AAPL', [1, 2])])
      await (await open('elsewhere')).write('gold', [dailyBlock('AAPL', [1])])
      await rename(join(root, 'old-name'), join(root, 'new-name'))
      expect(await (await open('new-name')).counts()).toMatchObject({ gold: 2 })
      await rm(join(root, 'new-name', 'folder-id'))
      expect(await (await open('new-name')).counts()).toMatchObject({ gold: 2 })
      await rm(join(root, 'new-name'), { recursive: true })
      expect(await (await open('new-name')).counts()).toMatchObject({ gold: 0 })
    })

    const newPlace = async () => {
      const places = await storePlaces(database.database, `shared-${crypto.randomUUID()}`)
      return { userId: places.userId, ...(await places.next()) }
    }
  })

  it('opens PostgreSQL by the names of the form, a set of tables for each store', async () => {
    const open = (id: number) =>
      stores.open(definition({ id, storeType: 'postgresql', connectionConfig: { ...postgresql(), schema: 'mine' } }))
    const [one, other] = [await open(1), await open(2)]
    await one.write('gold', [dailyBlock('AAPL', [1])])
    expect(await other.counts()).toEqual({ bronze: 0, silver: 0, gold: 0 })
    await Promise.all([one.close(), other.close()])
  })

  it('asks for required fields first [SET-069]', async () => {
    await expect(stores.checkConnection('postgresql', { host: 'x' })).rejects.toThrow(
      'Please fill in required fields: database, username, password',
    )
    await expect(stores.open(definition({ connectionConfig: {} }))).rejects.toThrow(
      'Please fill in required fields: path',
    )
  })

  it('accepts what works', async () => {
    await stores.checkConnection('local', { path: 'mine' })
    await stores.checkConnection('postgresql', postgresql())
  })

  it('says what is wrong with a PostgreSQL', async () => {
    const check = (more: object) => stores.checkConnection('postgresql', { ...postgresql(), ...more })
    await expect(check({ database: 'nowhere' })).rejects.toThrow(
      'The data store cannot be used: there is no database of that name.',
    )
    await expect(check({ port: await freePort() })).rejects.toThrow(
      'The data store cannot be used: nothing answers at that host and port.',
    )
  })

  it('says what is wrong with a path', async () => {
    await expect(stores.checkConnection('local', { path: '/etc' })).rejects.toThrow('is outside the folders')
  })

  it('says that no server answers for a bucket', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`
    const key = { access_key_id: 'a', secret_access_key: 'b' }
    await expect(
      stores.checkConnection('s3', { bucket: 'market', region: 'us-east-1', endpoint, ...key }),
    ).rejects.toThrow('The data store cannot be used: nothing answers at that host and port.')
    await expect(
      stores.checkConnection('mongodb', { mongo_host: '127.0.0.1', mongo_database: 'x', port: await freePort() }),
    ).rejects.toThrow('The data store cannot be used: nothing answers at that host and port.')
  })

  it('takes a prefix that a key can begin with', async () => {
    const key = { access_key_id: 'a', secret_access_key: 'b' }
    const config = { bucket: 'market', region: 'us-east-1', endpoint: 'http://127.0.0.1:1', ...key }
    for (const prefix of [`a${'/'.repeat(30_000)}a`, 'a\u0000b']) {
      const connectionConfig = { ...config, prefix }
      const refusal = 'cannot be the prefix of a data store'
      await expect(stores.checkConnection('s3', connectionConfig)).rejects.toThrow(refusal)
      await expect(stores.open(definition({ storeType: 's3', connectionConfig }))).rejects.toThrow(refusal)
    }
    const mongodb = { mongo_host: '127.0.0.1', mongo_database: 'x', collection_prefix: 'a'.repeat(101) }
    await expect(stores.checkConnection('mongodb', mongodb)).rejects.toThrow('cannot be the collection_prefix')
  })

  it('takes a service account as JSON only', async () => {
    const config = { gcs_bucket: 'market', project_id: 'x', service_account: 'my key' }
    await expect(stores.checkConnection('gcs', config)).rejects.toThrow('The service account must be its JSON key')
  })

  describe('and the disk of this server', () => {
    const LIMIT = 60 * 1024
    const limited = () => new SeriesStores({ ...parts, diskLimitBytesPerUser: LIMIT })
    const random = (ticker: string) =>
      dailyBlock(
        ticker,
        Array.from({ length: 1_000 }, () => Math.random() + 1),
      )
    /** A store and a user of their own. */
    const newStore = async (username: string): Promise<Partial<StoreDefinition>> => {
      const places = await storePlaces(database.database, username)
      return { userId: places.userId, id: (await places.next()).storeId }
    }

    it('refuses what a user may not keep, in words, and keeps what was there', async () => {
      const [own, places] = [await newStore('limited'), limited()]
      const store = await places.open(definition({ ...own, connectionConfig: { path: 'limited' } }))
      let tickers = 0
      const fill = async () => {
        for (; tickers < 20; tickers++) await store.write('gold', [random(`T${tickers}`)])
      }
      const failure = (await fill().catch((error: unknown) => error)) as Problem
      expect(failure.kind).toBe('too-large')
      expect(failure.message).toMatch(
        /^Your data stores use [\d.]+ KB of this server's disk, and your limit is 60 KB; this needs [\d.]+ KB more\. Clear or delete/,
      )
      expect(tickers).toBeGreaterThan(1)
      expect(await store.counts()).toMatchObject({ gold: tickers * 1_000 })
      expect(bytesBelow('limited')).toBeLessThanOrEqual(2 * LIMIT)
      await store.clear()
      expect(await store.write('gold', [random('AGAIN')])).toMatchObject({ inserted: 1_000 })
    })

    it('counts all stores of a user, and not those of others', async () => {
      const [own, other] = [await newStore('several'), await newStore('other')]
      const places = limited()
      const first = await places.open(definition({ ...own, connectionConfig: { path: 'several' } }))
      const system = await places.open(definition({ ...own, isSystem: true, connectionConfig: {} }))
      const theirs = await places.open(definition({ ...other, connectionConfig: { path: 'several' } }))
      const fill = async (store: SeriesStore) => {
        for (let i = 0; i < 20; i++) await store.write('gold', [random(`T${i}`)])
      }
      await expect(fill(first)).rejects.toThrow('your limit is 60 KB')
      await expect(fill(system)).rejects.toThrow('your limit is 60 KB')
      expect(await theirs.write('gold', [random('A')])).toMatchObject({ inserted: 1_000 })
    })

    it('does not let writing and clearing in turn fill the disk', async () => {
      const own = await newStore('in-turn')
      const store = await limited().open(definition({ ...own, connectionConfig: { path: 'in-turn' } }))
      for (let i = 0; i < 12; i++) {
        await store.write('gold', [random('A'), random('B')])
        await store.clear()
      }
      expect(bytesBelow('in-turn')).toBeLessThanOrEqual(2 * LIMIT)
    })

    it('gives back all room of a store that is deleted, at every place it ever had', async () => {
      const own = await newStore('leaving')
      for (const path of ['leaving-first', 'leaving-then']) {
        const store = await stores.open(definition({ ...own, connectionConfig: { path } }))
        await store.write('gold', [dailyBlock('A', [1, 2])])
        expect(filesBelow(path)).toHaveLength(1)
      }
      const discard = await stores.discarding(definition({ ...own, connectionConfig: { path: 'leaving-then' } }))
      await database.pool.query('DELETE FROM data_stores WHERE id = $1', [own.id])
      await discard()
      expect([...filesBelow('leaving-first'), ...filesBelow('leaving-then')]).toEqual([])
    })

    it('removes the files of a deleted store after the write that is under way, and the next write makes none', async () => {
      const own = await newStore('removed-while-written')
      const place = definition({ ...own, connectionConfig: { path: 'removed-while-written' } })
      const store = await stores.open(place)
      await store.write('gold', [dailyBlock('A', [1, 2])])
      const discard = await stores.discarding(place)
      await database.pool.query('DELETE FROM data_stores WHERE id = $1', [own.id])
      let discarded: Promise<void> | undefined
      await parts.lock.exclusive(`data-store-${own.id}`, async () => {
        discarded = discard()
        await Promise.race([discarded, pause(300)])
        expect(filesBelow('removed-while-written')).toHaveLength(1)
      })
      await discarded
      await expect(store.write('gold', [dailyBlock('A', [1, 2, 3])])).rejects.toMatchObject({ kind: 'missing' })
      expect(globSync(join(root, 'stores', 'removed-while-written', 'user-*', '*'))).toEqual([])
    })

    const bytesBelow = (path: string) => filesBelow(path).reduce((sum, name) => sum + statSync(name).size, 0)
    const filesBelow = (path: string) => globSync(join(root, 'stores', path, '**', '*.parquet'))
  })
})
