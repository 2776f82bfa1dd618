import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { ContainedFolder } from '../src/stores/series/contained-folder.ts'
import { DiskAllowance, FileCopies } from '../src/stores/series/disk/disk-allowance.ts'
import { bucketSeriesStore, type BucketStoreParts } from '../src/stores/series/series-stores.ts'
import type { ObjectStorage } from '../src/stores/series/objects/object-storage.ts'
import type { Duck } from '../src/stores/series/parquet/duck.ts'
import { processLock } from '../src/stores/series/writer-lock.ts'
import { storePlaces } from './store-places.ts'
import { createTestDatabase } from './test-database.ts'

type Place = BucketStoreParts['place']

interface BucketStoreOptions extends Partial<BucketStoreParts> {
  readonly place?: Place
  /** Where copies lie; stores without one have each their own, as on machines of their own. */
  readonly cache?: string
  readonly limitBytes?: number
}

export interface BucketStores {
  place(): Promise<Place>
  open(storage: ObjectStorage, options?: BucketStoreOptions): Promise<SeriesStore>
  close(): Promise<void>
}

/** Stores in buckets, with a database of their own for the catalogues. */
export async function bucketStores(duck: Duck, root: string): Promise<BucketStores> {
  const test = await createTestDatabase()
  const { database } = test
  const places = await storePlaces(database)
  return {
    place: () => places.next(),
    async open(storage, { place: known, cache, limitBytes = 1024 ** 3, ...more } = {}) {
      const place = known ?? (await places.next())
      const copies = new ContainedFolder(cache ?? (await mkdtemp(join(root, 'cache-'))))
      const localBytes = async () => ({ live: 0, retired: 0 })
      const allowance = new DiskAllowance({
        limitBytes,
        localBytes,
        copies,
        history: { limitBytes, bytes: async () => 0 },
      })
      const name = `store-${place.storeId}`
      return bucketSeriesStore({
        name: 'Mine',
        duck,
        database,
        place,
        lock: processLock(),
        clock: { now: () => new Date() },
        settings: { partitionStrategy: 'ticker', compression: 'snappy' },
        storage,
        prefix: name,
        copies: new FileCopies({ folder: copies.folder(name), name, allowance }),
        ...more,
      })
    },
    close: () => test.close(),
  }
}
