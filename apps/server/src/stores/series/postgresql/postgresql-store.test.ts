import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dailyBlock } from '@tradewright/engine/market/test-support/series-store-suite'
import { everySeriesStore } from '../../../../test-support/series-store-suite.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test-support/test-database.ts'
import { PostgresqlSeriesStore } from './postgresql-store.ts'

describe('postgresql store', () => {
  let database: TestDatabase
  let stores = 0
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.close())

  const openStore = (prefix = `store_${++stores}_`, connectionString = database.url) =>
    new PostgresqlSeriesStore(new pg.Pool({ connectionString, max: 4 }), { schema: 'market', prefix })

  everySeriesStore('postgresql', async () => openStore(), { histories: 8 })

  it('keeps every record of two stores that write to the same tables at once', async () => {
    const [a, b] = [openStore('shared_'), openStore('shared_')]
    const counts = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? a : b).write('gold', [dailyBlock(`T${i}`, [1, 2, 3])])),
    )
    expect(counts.every(({ inserted }) => inserted === 3)).toBe(true)
    expect(await a.counts()).toEqual({ bronze: 0, silver: 0, gold: 30 })
    await Promise.all([a.close(), b.close()])
  })

  it('shows instants in a view for other programs', async () => {
    const store = openStore('viewed_')
    await store.write('gold', [dailyBlock('AAPL', [1.5])])
    const { rows } = await database.pool.query('SELECT ticker, timestamp, value FROM market.viewed_records')
    expect(rows).toEqual([{ ticker: 'AAPL', timestamp: new Date('2024-01-02T00:00:00Z'), value: 1.5 }])
    await store.close()
  })

  it('refuses every read as of an earlier moment in a sentence, and never answers with today', async () => {
    const store = openStore('today_')
    await store.write('gold', [dailyBlock('AAPL', [1.5])])
    const asOf = Date.UTC(2024, 5, 1)
    const range = { from: 0, to: Date.UTC(2100, 0, 1) }
    const page = { sortBy: 'timestamp', sortOrder: 'asc', page: 1, perPage: 10 } as const
    for (const asked of [
      () => store.read({ layer: 'gold', tickers: ['AAPL'], granularity: '1d', range, categories: [], asOf }),
      () => store.browse({ layer: 'gold', ...page, asOf }),
      () => store.summaries({ layer: 'gold', asOf }),
      () => store.records({ layer: 'gold', asOf }),
    ]) {
      await expect(asked()).rejects.toThrow(
        'A data store in PostgreSQL keeps no history: it cannot be read as of an earlier moment.',
      )
    }
    await store.close()
  })

  it('says in a sentence why it cannot be used', async () => {
    const nowhere = new URL(database.url)
    nowhere.pathname = '/nowhere'
    const store = openStore('store_', nowhere.href)
    await expect(store.counts()).rejects.toThrow(
      'The PostgreSQL data store cannot be used: there is no database of that name.',
    )
    await store.close()
  })
})
