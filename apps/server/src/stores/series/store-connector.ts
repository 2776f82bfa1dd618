import { join } from 'node:path'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { StoreAddress, StoreConnector } from '../../market-data/stores/ports.ts'
import { fileLock } from './file-lock.ts'
import { localSeriesStore } from './local-store.ts'
import { Duck } from './parquet/duck.ts'
import { type Compression, compressions } from './parquet/parquet-writer.ts'
import { folderName } from './parquet/partition.ts'
import { processLock } from './writer-lock.ts'

export interface StoreSurroundings {
  readonly dataDir: string
  readonly threads: number
  readonly clock: Clock
}

const DUCK_MEMORY_MB = 512

/** Opens stores of every type that this program can speak to. DuckDB starts when the first one is needed. */
export function storeConnector({
  dataDir,
  threads,
  clock,
}: StoreSurroundings): StoreConnector & { close(): Promise<void> } {
  const folder = join(dataDir, 'stores')
  const lock = fileLock(processLock())
  let duck: Promise<Duck> | undefined
  return {
    async check(store) {
      if (store.storeType !== 'local') throw notHere(store)
    },
    async open(store) {
      if (store.storeType !== 'local') throw notHere(store)
      duck ??= Duck.open({ memoryLimitMb: DUCK_MEMORY_MB, threads, spillFolder: join(folder, 'spill') })
      return localSeriesStore(folderOf(folder, store), {
        duck: await duck,
        lock,
        clock,
        settings: {
          partitionStrategy: store.partitionStrategy,
          compression: compressions.includes(store.compression as Compression)
            ? (store.compression as Compression)
            : 'snappy',
        },
      })
    },
    async close() {
      ;(await duck)?.close()
    },
  }
}

/** Every path a user names lies below a folder of his own: nobody may write elsewhere on the server. */
function folderOf(folder: string, { userId, isSystem, connectionConfig }: StoreAddress): string {
  if (isSystem) return join(folder, `user-${userId}`)
  const { path } = connectionConfig
  const parts = typeof path === 'string' ? path.split(/[\\/]+/) : []
  return join(folder, `user-${userId}-local`, ...parts.filter(Boolean).map(folderName))
}

const notHere = ({ storeType }: StoreAddress) =>
  new Problem(
    'unavailable',
    'store.type-unavailable',
    `Data stores of type ${storeType} cannot be used on this server yet.`,
  )
