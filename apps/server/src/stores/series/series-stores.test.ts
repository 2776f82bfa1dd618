import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dailyBlock } from '@tradewright/engine/market/test-support/series-store-suite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../free-port.ts'
import { loopbackAccess } from '../../../test-support/store-access.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { Duck } from './parquet/duck.ts'
import { postgresLock } from './postgres-lock.ts'
import { SeriesStores, type StoreDefinition } from './series-stores.ts'
import { processLock } from './writer-lock.ts'

describe('stores of every type', () => {
  let root: string
  let duck: Duck
  let database: TestDatabase
  let stores: SeriesStores
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tradewright-stores-'))
    duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: join(root, 'spill') })
    database = await createTestDatabase()
    stores = new SeriesStores({
      duck,
      clock: { now: () => new Date() },
      lock: postgresLock(database.pool, processLock()),
      localRoots: [join(root, 'stores')],
      cacheFolder: join(root, 'cache'),
      access: loopbackAccess({ connectMs: 1_000 }),
    })
  })
  afterAll(async () => {
    await database.close()
    duck.close()
    await rm(root, { recursive: true, force: true })
  })

  const definition = (more: Partial<StoreDefinition>): StoreDefinition => ({
    id: 1,
    userId: 1,
    storeType: 'local',
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
    const [mine, theirs] = [await stores.open(definition({ userId: 1 })), await stores.open(definition({ userId: 2 }))]
    await mine.write('gold', [dailyBlock('AAPL', [1, 2])])
    expect(await theirs.counts()).toEqual({ bronze: 0, silver: 0, gold: 0 })
    expect(await theirs.clear()).toBe(0)
    expect(await mine.counts()).toEqual({ bronze: 0, silver: 0, gold: 2 })
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

  it('says that nobody answers for a bucket', { timeout: 60_000 }, async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`
    const key = { access_key_id: 'a', secret_access_key: 'b' }
    await expect(
      stores.checkConnection('s3', { bucket: 'market', region: 'us-east-1', endpoint, ...key }),
    ).rejects.toThrow('The data store cannot be used: nothing answers at that host and port.')
    await expect(
      stores.checkConnection('mongodb', { mongo_host: '127.0.0.1', mongo_database: 'x', port: await freePort() }),
    ).rejects.toThrow('The data store cannot be used: nothing answers at that host and port.')
  })

  it('takes a service account as JSON only', async () => {
    const config = { gcs_bucket: 'market', project_id: 'x', service_account: 'my key' }
    await expect(stores.checkConnection('gcs', config)).rejects.toThrow('The service account must be its JSON key')
  })
})
