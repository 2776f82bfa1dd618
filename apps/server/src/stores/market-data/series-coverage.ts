import { sql } from 'kysely'
import type { CoverageStore } from '../../market-data/collect/coverage.ts'
import type { Database } from '../database.ts'

interface Row {
  ticker: string
  provider: string
  ranges: [number, number][]
}

export function createCoverageStore(database: Database): CoverageStore {
  return {
    async find(storeId, tickers, granularity) {
      const { rows } = await sql<Row>`
        SELECT ticker, provider,
               (SELECT coalesce(json_agg(json_build_array(lower(part), upper(part)) ORDER BY part), '[]')
                FROM unnest(covered) AS part) AS ranges
        FROM series_coverage
        WHERE store_id = ${storeId} AND granularity = ${granularity} AND ticker = ANY(${tickers})`.execute(database)
      return rows.map(({ ticker, provider, ranges }) => ({
        ticker,
        provider,
        ranges: ranges.map(([from, to]) => ({ from, to })),
      }))
    },

    async add(storeId, provider, granularity, covered) {
      for (const { ticker, range } of covered) {
        if (range.to <= range.from) continue
        const part = sql<string>`int8multirange(int8range(${range.from}::int8, ${range.to}::int8))`
        // Added up by the database: two processes may have fetched different parts.
        await database
          .insertInto('series_coverage')
          .values({ store_id: storeId, provider, ticker, granularity, covered: part })
          .onConflict((conflict) =>
            conflict
              .columns(['store_id', 'ticker', 'granularity', 'provider'])
              .doUpdateSet({ covered: sql<string>`series_coverage.covered + excluded.covered` }),
          )
          .execute()
      }
    },

    async forget(storeId) {
      await database.deleteFrom('series_coverage').where('store_id', '=', storeId).execute()
    },
  }
}
