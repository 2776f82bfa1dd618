// Run by tests: writes whole generations of records to a local store until it is killed; with a history, purges it each time.
import { DAY } from '@tradewright/core/time'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { createLog } from '../src/log.ts'
import { connectDatabase } from '../src/stores/database.ts'
import { ContainedFolder } from '../src/stores/series/contained-folder.ts'
import { localSeriesStore } from '../src/stores/series/local-store.ts'
import { Duck } from '../src/stores/series/parquet/duck.ts'
import { postgresLock, processLock } from '../src/stores/series/writer-lock.ts'

export const GENERATION_TICKERS = ['AAPL', 'MSFT', 'KO'] as const
export const GENERATION_DAYS = 400

/** Every value says which generation it is of, so a mixture is seen at once. */
export const generationBlocks = (generation: number): SeriesBlock[] =>
  GENERATION_TICKERS.map((ticker) => ({
    ticker,
    granularity: '1d',
    provider: 'yahoo',
    type: 'security',
    currency: 'USD',
    collectedAt: generation,
    timestamps: Float64Array.from({ length: GENERATION_DAYS }, (_, day) => Date.UTC(2023, 0, 1) + day * DAY),
    columns: { close: new Float64Array(GENERATION_DAYS).fill(generation) },
  }))

if (import.meta.main) {
  const [folder, databaseUrl, storeId, first, historyMs] = process.argv.slice(2) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const { database, pool } = connectDatabase(databaseUrl, createLog({ logLevel: 'silent' }), 3)
  const duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: `${folder}.spill` })
  const store = await localSeriesStore(new ContainedFolder(folder), {
    name: 'Mine',
    duck,
    database,
    place: { storeId: Number(storeId), location: 'test' },
    lock: postgresLock(pool, processLock()),
    clock: { now: () => new Date() },
    settings: { partitionStrategy: 'date_ticker', compression: 'snappy' },
    graceMs: 0,
    historyMs: Number(historyMs),
  })
  for (let generation = Number(first); ; generation++) {
    process.stdout.write(`writing ${generation}\n`)
    await store.write('gold', generationBlocks(generation))
    process.stdout.write(`wrote ${generation}\n`)
    if (Number(historyMs) > 0) await store.purgeHistory!()
  }
}
