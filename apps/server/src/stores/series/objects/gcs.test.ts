import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bucket } from '@google-cloud/storage'
import { dailyBlock } from '@tradewright/engine/market/test-support/series-store-suite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Duck } from '../parquet/duck.ts'
import { storeLimits } from '../store-access.ts'
import { bucketStores, type BucketStores } from '../../../../test-support/bucket-stores.ts'
import { gcsStorageOn } from './gcs.ts'

const refusal = (code: number) => Object.assign(new Error(`answer ${code}`), { code })

/** The calls of Google's client that we make, kept in memory: it shows our mapping, not Google's behaviour. */
function bucketInMemory(): Bucket {
  const objects = new Map<string, Buffer>()
  const file = (name: string) => ({
    async download({ destination, end }: { destination?: string; end: number }) {
      const body = objects.get(name)?.subarray(0, end + 1)
      if (!body) throw refusal(404)
      if (destination) await writeFile(destination, body)
      return [body]
    },
    async save(body: Buffer, { preconditionOpts }: { preconditionOpts: { ifGenerationMatch: number } }) {
      if (preconditionOpts.ifGenerationMatch === 0 && objects.has(name)) throw refusal(412)
      objects.set(name, body)
    },
    delete: async () => objects.delete(name),
  })
  const bucket = {
    name: 'market',
    file,
    exists: async () => [true],
    getFiles: async ({ prefix }: { prefix: string }) => [
      [...objects.keys()]
        .filter((name) => name.startsWith(prefix))
        .map((name) => ({ name, metadata: { updated: '2024-01-01T00:00:00Z' } })),
    ],
    upload: async (path: string, { destination }: { destination: string }) =>
      objects.set(destination, await readFile(path)),
  }
  return bucket as unknown as Bucket
}

describe('gcs store', () => {
  let root: string
  let duck: Duck
  let stores: BucketStores
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tradewright-gcs-'))
    duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: join(root, 'spill') })
    stores = await bucketStores(duck, root)
  })
  afterAll(async () => {
    await stores.close()
    duck.close()
    await rm(root, { recursive: true, force: true })
  })

  it('makes an object once, and tells a missing one', async () => {
    const storage = gcsStorageOn(bucketInMemory(), storeLimits)
    expect(await storage.create('a', Buffer.from('first'))).toBe(true)
    expect(await storage.create('a', Buffer.from('second'))).toBe(false)
    expect((await storage.get('a'))?.toString()).toBe('first')
    expect(await storage.get('b')).toBeUndefined()
    expect(await storage.download('b', join(root, 'b'), 100)).toBe(false)
    await expect(storage.check()).resolves.toBeUndefined()
  })

  it('keeps series', async () => {
    const store = await stores.open(gcsStorageOn(bucketInMemory(), storeLimits))
    await store.write('gold', [dailyBlock('AAPL', [1, 2])])
    expect(await store.write('gold', [dailyBlock('AAPL', [1, 3])])).toEqual({ inserted: 0, replaced: 1, unchanged: 1 })
    expect(await store.counts()).toEqual({ bronze: 0, silver: 0, gold: 2 })
  })
})
