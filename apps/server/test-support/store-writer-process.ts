// Run by tests: writes whole generations of records to a local store until it is killed.
import { DAY } from '@tradewright/core/time'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { fileLock } from '../src/stores/series/file-lock.ts'
import { localSeriesStore } from '../src/stores/series/local-store.ts'
import { Duck } from '../src/stores/series/parquet/duck.ts'
import { processLock } from '../src/stores/series/writer-lock.ts'

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
  const [folder, first] = [process.argv[2]!, Number(process.argv[3])]
  const duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: `${folder}.spill` })
  const store = localSeriesStore(folder, {
    duck,
    lock: fileLock(processLock()),
    clock: { now: () => new Date() },
    settings: { partitionStrategy: 'date_ticker', compression: 'snappy' },
    graceMs: 0,
  })
  for (let generation = first; ; generation++) {
    process.stdout.write(`writing ${generation}\n`)
    await store.write('gold', generationBlocks(generation))
    process.stdout.write(`wrote ${generation}\n`)
  }
}
