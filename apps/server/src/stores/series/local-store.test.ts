import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dailyBlock } from '@tradewright/engine/market/test-support/series-store-suite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everySeriesStore } from '../../../test-support/series-store-suite.ts'
import { storePlaces } from '../../../test-support/store-places.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { ContainedFolder } from './contained-folder.ts'
import { localSeriesStore, type LocalStoreParts } from './local-store.ts'
import { Duck } from './parquet/duck.ts'
import { processLock } from './writer-lock.ts'

describe('local store', () => {
  let root: string
  let duck: Duck
  let test: TestDatabase
  let places: Awaited<ReturnType<typeof storePlaces>>
  beforeAll(async () => {
    test = await createTestDatabase()
    places = await storePlaces(test.database)
    root = await mkdtemp(join(tmpdir(), 'tradewright-local-store-'))
    duck = await Duck.open({ memoryLimitMb: 256, threads: 2, spillFolder: join(root, 'spill') })
  })
  afterAll(async () => {
    duck.close()
    await test.close()
    await rm(root, { recursive: true, force: true })
  })

  const lock = processLock()
  const clock = { now: () => new Date() }

  const openStore = async (parts: Partial<LocalStoreParts> & Pick<LocalStoreParts, 'settings'>) => {
    const [folder, place] = [new ContainedFolder(await mkdtemp(join(root, 'store-'))), await places.next()]
    return localSeriesStore(folder, { name: 'Mine', duck, lock, clock, database: test.database, place, ...parts })
  }

  for (const partitionStrategy of ['date', 'ticker', 'date_ticker', 'none'] as const) {
    everySeriesStore(
      `local, partitioned by ${partitionStrategy}`,
      () => openStore({ settings: { partitionStrategy, compression: 'snappy' } }),
      { histories: 1 },
    )
  }

  everySeriesStore(
    'local, where even three records are too many to sort',
    () => openStore({ settings: { partitionStrategy: 'none', compression: 'zstd' }, sortedAtOnce: 3 }),
    { histories: 2 },
  )

  it('counts what a range leaves of series that share their days and of one that does not, and finds the newest day', async () => {
    const store = await openStore({ settings: { partitionStrategy: 'none', compression: 'snappy' }, sortedAtOnce: 3 })
    const shared = ['A', 'B', 'C', 'D', 'E', 'F'].map((ticker) => dailyBlock(ticker, Array(40).fill(5)))
    const { timestamps } = shared[0]!
    const everySecond = dailyBlock('G', Array(20).fill(5), { timestamps: timestamps.filter((_, i) => i % 2 === 0) })
    await store.write('gold', [...shared, everySecond])
    const browse = { layer: 'gold', sortBy: 'timestamp', sortOrder: 'desc', page: 2, perPage: 2 } as const
    const cut = await store.browse({ ...browse, range: { from: timestamps[10]!, to: timestamps[20]! } })
    expect(cut.total).toBe(6 * 10 + 5)
    const whole = await store.browse(browse)
    expect(whole.total).toBe(260)
    expect(whole.records).toMatchObject([
      { ticker: 'C', timestamp: timestamps[39] },
      { ticker: 'D', timestamp: timestamps[39] },
    ])
  })

  it('keeps the order of rows although several threads write and read them', async () => {
    const store = await openStore({ settings: { partitionStrategy: 'none', compression: 'snappy' } })
    const tickers = Array.from({ length: 60 }, (_, i) => `T${i}`)
    const closes = Array.from({ length: 5_000 }, (_, i) => i + 1)
    await store.write(
      'gold',
      tickers.map((ticker, i) =>
        dailyBlock(
          ticker,
          closes.map((close) => close + i / 100),
        ),
      ),
    )
    const range = { from: 0, to: Date.UTC(2100, 0, 1) }
    const tables = await store.read({ layer: 'gold', tickers, granularity: '1d', range, categories: [] })
    expect(tables).toHaveLength(60)
    for (const { ticker, columns } of tables) {
      expect(columns['close']).toEqual(Float64Array.from(closes, (close) => close + Number(ticker.slice(1)) / 100))
    }
  })
})
