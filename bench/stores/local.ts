import { join } from 'node:path'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { fileLock } from '../../apps/server/src/stores/series/file-lock.ts'
import { localSeriesStore } from '../../apps/server/src/stores/series/local-store.ts'
import { Duck } from '../../apps/server/src/stores/series/parquet/duck.ts'
import type { PartitionStrategy } from '../../apps/server/src/stores/series/parquet/partition.ts'
import { processLock } from '../../apps/server/src/stores/series/writer-lock.ts'

export interface LocalBench {
  readonly store: SeriesStore
  readonly duck: Duck
}

/** A store as the server opens it. */
export async function openLocal(folder: string, partitionStrategy: PartitionStrategy): Promise<LocalBench> {
  const duck = await Duck.open({ memoryLimitMb: 512, threads: 2, spillFolder: join(folder, 'spill') })
  const lock = fileLock(processLock())
  const clock = { now: () => new Date() }
  const settings = { partitionStrategy, compression: 'snappy' } as const
  return { duck, store: localSeriesStore(join(folder, 'store'), { duck, lock, clock, settings }) }
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
