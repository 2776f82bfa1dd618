import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { everySeriesStore } from '../../../test-support/series-store-suite.ts'
import { fileLock } from './file-lock.ts'
import { localSeriesStore, type LocalStoreParts } from './local-store.ts'
import { Duck } from './parquet/duck.ts'
import { partitionStrategies } from './parquet/partition.ts'
import { processLock } from './writer-lock.ts'

describe('local store', () => {
  let root: string
  let duck: Duck
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tradewright-local-store-'))
    duck = await Duck.open({ memoryLimitMb: 256, threads: 2, spillFolder: join(root, 'spill') })
  })
  afterAll(async () => {
    duck.close()
    await rm(root, { recursive: true, force: true })
  })

  const lock = fileLock(processLock())
  const clock = { now: () => new Date() }

  const openStore = async (parts: Partial<LocalStoreParts> & Pick<LocalStoreParts, 'settings'>) =>
    localSeriesStore(await mkdtemp(join(root, 'store-')), { duck, lock, clock, ...parts })

  for (const partitionStrategy of partitionStrategies) {
    everySeriesStore(
      `local, partitioned by ${partitionStrategy}`,
      () => openStore({ settings: { partitionStrategy, compression: 'snappy' } }),
      { histories: 5 },
    )
  }

  everySeriesStore(
    'local, where even three records are too many to sort',
    () => openStore({ settings: { partitionStrategy: 'none', compression: 'zstd' }, sortedAtOnce: 3 }),
    { histories: 15 },
  )
})
