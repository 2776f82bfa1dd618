import { globSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Problem } from '@tradewright/core/problem'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { dailyBlock } from '@tradewright/engine/market/test-support/series-store-suite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bucketStores, type BucketStores } from '../../../../test-support/bucket-stores.ts'
import { Duck } from '../parquet/duck.ts'
import type { ObjectStorage } from './object-storage.ts'

/** A bucket that is a folder, and counts what is asked of it. */
function bucketIn(folder: string) {
  const asked = { downloads: 0, gets: 0, removed: [] as string[] }
  const storage: ObjectStorage = {
    name: 's3://market',
    list: async (prefix) =>
      globSync('**/*.*', { cwd: folder })
        .filter((key) => key.startsWith(prefix))
        .map((key) => ({ key, modifiedAt: 0 })),
    get: async (key) => {
      asked.gets++
      return readFile(join(folder, key)).catch(() => undefined)
    },
    create: async () => true,
    download: async (key, localPath) => {
      asked.downloads++
      return copyFile(join(folder, key), localPath).then(
        () => true,
        () => false,
      )
    },
    upload: async (localPath, key) => {
      await mkdir(dirname(join(folder, key)), { recursive: true })
      await copyFile(localPath, join(folder, key))
    },
    remove: async (keys) => {
      asked.removed.push(...keys)
    },
    check: async () => {},
    close: async () => {},
  }
  return { storage, asked }
}

describe('a store in a bucket that is not ours', () => {
  let root: string
  let duck: Duck
  let stores: BucketStores
  let bucket: string
  let cache: string
  let storage: ObjectStorage
  let asked: ReturnType<typeof bucketIn>['asked']
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tradewright-bucket-'))
    duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: join(root, 'spill') })
    stores = await bucketStores(duck, root)
  })
  beforeEach(async () => {
    bucket = await mkdtemp(join(root, 'bucket-'))
    cache = await mkdtemp(join(root, 'cache-'))
    ;({ storage, asked } = bucketIn(bucket))
  })
  afterAll(async () => {
    await stores.close()
    duck.close()
    await rm(root, { recursive: true })
  })

  const page = { layer: 'gold', sortBy: 'timestamp', sortOrder: 'asc', page: 1, perPage: 100 } as const
  const valuesIn = async (store: SeriesStore) => (await store.browse(page)).records.map(({ value }) => value)
  const parquetIn = (folder: string) => globSync(join(folder, '**', '*.parquet'))

  /** A place that has been written to, its copies gone. */
  async function written(tickers = ['AAPL']) {
    const place = await stores.place()
    const store = await stores.open(storage, { place })
    await store.write(
      'gold',
      tickers.map((ticker) => dailyBlock(ticker, [1, 2, 3])),
    )
    return place
  }

  describe('and its copies on this machine', () => {
    it.each([
      ['cut short', (name: string) => truncate(name, 100)],
      ['of other bytes', async (name: string) => writeFile(name, (await readFile(name)).fill(0xff, 4, 60))],
      ['gone', (name: string) => rm(name)],
    ])('fetches one again that is %s, in this process and in the next', async (_, spoil) => {
      const place = await written()
      const store = await stores.open(storage, { place, cache })
      expect(await valuesIn(store)).toEqual([1, 2, 3])
      for (const reader of [store, await stores.open(storage, { place, cache })]) {
        const [copy] = parquetIn(cache) as [string]
        const { atime, mtime } = await stat(copy)
        await spoil(copy)
        await utimes(copy, atime, mtime).catch(() => {})
        const before = asked.downloads
        expect(await valuesIn(reader)).toEqual([1, 2, 3])
        expect(asked.downloads).toBe(before + 1)
      }
    })

    it('does not fetch one twice that is right', async () => {
      const place = await written()
      const store = await stores.open(storage, { place, cache })
      await Promise.all([valuesIn(store), valuesIn(store), valuesIn(store)])
      await valuesIn(await stores.open(storage, { place, cache }))
      expect(asked.downloads).toBe(1)
    })

    it('refuses a foreign file in the bucket, also with the same CRC and size', async () => {
      const place = await written()
      const [object] = parquetIn(bucket) as [string]
      const bytes = await readFile(object)
      await writeFile(object, withSameCrc(bytes))
      expect(crc32(await readFile(object))).toBe(crc32(bytes))
      const failure = await valuesIn(await stores.open(storage, { place, cache })).catch((error: unknown) => error)
      expect((failure as Problem).message).toMatch(
        /^The data store has a damaged file: gold\/ticker=AAPL\/[\w-]+\.parquet\.$/,
      )
      expect(parquetIn(cache)).toEqual([])
    })

    it('follows no link that was put among them', async () => {
      const place = await written()
      const name = `store-${place.storeId}`
      const elsewhere = await mkdtemp(join(root, 'elsewhere-'))
      await mkdir(join(cache, name))
      await symlink(elsewhere, join(cache, name, 'gold'))
      await expect(valuesIn(await stores.open(storage, { place, cache }))).rejects.toThrow('leaves its folder')
      expect(globSync(join(elsewhere, '**', '*.parquet'))).toEqual([])
    })

    it('gives way to newer ones, the least recently used first, and reads all the same', async () => {
      const place = await written(['A', 'B', 'C', 'D'])
      const [first] = parquetIn(bucket) as [string]
      const { size } = await stat(first)
      const store = await stores.open(storage, { place, cache, limitBytes: 2.5 * size })
      const read = (ticker: string) => store.browse({ ...page, tickers: [ticker] })
      const kept = () =>
        Array.from(new Set(parquetIn(cache).map((name) => /ticker=(\w)/.exec(name)![1]!)), String).sort()
      await read('A')
      await read('B')
      await read('A')
      await read('C')
      expect(kept()).toEqual(['A', 'C'])
      expect((await read('B')).records).toHaveLength(3)
      expect(kept()).toEqual(['B', 'C'])
      await expect(store.browse({ ...page, sortBy: 'value' })).rejects.toThrow(
        /your limit is .* KB; this needs .* KB more/,
      )
    })
  })
})

/** Other bytes of the same length and CRC: a changed byte, and four that make up for it. */
function withSameCrc(bytes: Buffer): Buffer {
  const forged = Buffer.from(bytes)
  forged[10]! ^= 0xff
  const [wanted, before] = [crc32(bytes.subarray(0, 64)), crc32(forged.subarray(0, 60))]
  // CRC-32 backwards: which four bytes lead from one state to the other.
  let state = ~wanted >>> 0
  for (let i = 0; i < 4; i++) {
    const index = TABLE.findIndex((entry) => entry >>> 24 === state >>> 24)
    state = (((state ^ TABLE[index]!) << 8) | index) >>> 0
  }
  forged.writeUInt32LE((state ^ ~before) >>> 0, 60)
  return forged
}

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let entry = byte
  for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1
  return entry >>> 0
})
