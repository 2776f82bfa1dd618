import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dailyBlock } from '@tradewright/engine/market/test-support/series-store-suite'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loopbackAccess } from '../../../../test-support/store-access.ts'
import { everySeriesStore } from '../../../../test-support/series-store-suite.ts'
import { Duck } from '../parquet/duck.ts'
import { bucketStores, type BucketStores } from '../../../../test-support/bucket-stores.ts'
import type { ObjectStorage } from './object-storage.ts'
import { s3Storage } from './s3.ts'

/** A real S3 server, though one that takes any secret: it proves nothing about signatures. */
describe('s3 store', () => {
  let root: string
  let duck: Duck
  let server: S3rver
  let endpoint: string
  let stores: BucketStores
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tradewright-s3-'))
    duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: join(root, 'spill') })
    server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: join(root, 'server'),
      configureBuckets: [{ name: 'market', configs: [] }],
    })
    const { port } = await server.run()
    endpoint = `http://127.0.0.1:${port}`
    stores = await bucketStores(duck, root)
  })
  afterAll(async () => {
    await server.close()
    await stores.close()
    duck.close()
    await rm(root, { recursive: true, force: true })
  })

  const bucket = (name: string): ObjectStorage =>
    s3Storage(
      {
        bucket: name,
        region: 'us-east-1',
        credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
        endpoint,
      },
      loopbackAccess(),
    )

  const openStore = (more: Parameters<BucketStores['open']>[1] = {}) => stores.open(bucket('market'), more)

  everySeriesStore('s3', () => openStore(), { histories: 2 })

  it('gives another machine, with a cache of its own, what was written', async () => {
    const place = await stores.place()
    await (await openStore({ place })).write('gold', [dailyBlock('AAPL', [1, 2, 3])])
    const { records } = await (
      await openStore({ place })
    ).browse({
      layer: 'gold',
      sortBy: 'timestamp',
      sortOrder: 'asc',
      page: 1,
      perPage: 10,
    })
    expect(records.map(({ value }) => value)).toEqual([1, 2, 3])
  })

  it('makes an object once', async () => {
    const storage = bucket('market')
    expect(await storage.create('once', Buffer.from('first'))).toBe(true)
    expect(await storage.create('once', Buffer.from('second'))).toBe(false)
    expect((await storage.get('once'))?.toString()).toBe('first')
    await storage.remove(['once', 'never'])
    expect(await storage.get('once')).toBeUndefined()
  })

  it('finds out whether a bucket can be used', async () => {
    await expect(bucket('market').check()).resolves.toBeUndefined()
    await expect(bucket('nowhere').check()).rejects.toThrow()
  })
})
