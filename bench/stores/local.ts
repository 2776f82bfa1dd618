import { join } from 'node:path'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { startEmbeddedPostgres } from '../../apps/server/src/adapters/postgres/embedded-postgres.ts'
import { createLog } from '../../apps/server/src/log.ts'
import { connectDatabase } from '../../apps/server/src/stores/database.ts'
import { migrate } from '../../apps/server/src/stores/migrate.ts'
import { ContainedFolder } from '../../apps/server/src/stores/series/contained-folder.ts'
import { localSeriesStore } from '../../apps/server/src/stores/series/local-store.ts'
import { Duck } from '../../apps/server/src/stores/series/parquet/duck.ts'
import type { PartitionStrategy } from '../../apps/server/src/stores/series/parquet/lake-writer.ts'
import { postgresLock, processLock } from '../../apps/server/src/stores/series/writer-lock.ts'
import { storePlaces } from '../../apps/server/test-support/store-places.ts'

interface LocalBench {
  readonly store: SeriesStore
  readonly close: () => Promise<void>
}

/** Where a store lies, and the database with the list of its files. */
export interface StoreSite {
  readonly folder: string
  readonly databaseUrl: string
  readonly storeId: number
}

/** A database as the server starts it, with a row for one store. */
export async function startStoreSite(folder: string): Promise<StoreSite & { stop(): Promise<void> }> {
  const server = await startEmbeddedPostgres(join(folder, 'data'))
  const connection = connectDatabase(server.url, createLog({ logLevel: 'silent' }), 2)
  await migrate(connection.database)
  const { storeId } = await (await storePlaces(connection.database)).next()
  await connection.close()
  return { folder, databaseUrl: server.url, storeId, stop: () => server.stop() }
}

/** A store as the server opens it. */
export async function openLocal(
  site: StoreSite,
  partitionStrategy: PartitionStrategy,
  more: { readonly historyMs?: number; readonly now?: () => Date } = {},
): Promise<LocalBench> {
  const { folder, databaseUrl, storeId } = site
  const duck = await Duck.open({ memoryLimitMb: 512, threads: 2, spillFolder: join(folder, 'spill') })
  const connection = connectDatabase(databaseUrl, createLog({ logLevel: 'silent' }), 4)
  const store = await localSeriesStore(new ContainedFolder(folder, 'store'), {
    name: 'Bench',
    duck,
    database: connection.database,
    place: { storeId, location: 'bench' },
    lock: postgresLock(connection.pool, processLock()),
    clock: { now: more.now ?? (() => new Date()) },
    settings: { partitionStrategy, compression: 'snappy' },
    ...(more.historyMs !== undefined && { historyMs: more.historyMs }),
  })
  return {
    store,
    async close() {
      await store.close()
      duck.close()
      await connection.close()
    },
  }
}

/** The best of a few: what the machine does for others is not ours to measure. */
export async function bestOf(times: number, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await work()
    best = Math.min(best, performance.now() - start)
  }
  return best
}
