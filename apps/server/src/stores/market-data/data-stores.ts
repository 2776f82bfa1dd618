import { type Selectable, sql } from 'kysely'
import {
  type DataStore,
  type StoreSettings,
  SYSTEM_STORE_NAME,
  type DataStoreRows,
  type NewStore,
} from '../../market-data/stores/data-store.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { now } from '../jobs/job-rows.ts'
import type { Tables } from '../tables.ts'
import type { CoverageStore } from '../../market-data/collect/collect.ts'

/** `onSystemStore` is told of each system store that is made. */
export function createDataStoreRows(
  database: Database,
  onSystemStore: (store: DataStore) => Promise<void> = () => Promise.resolve(),
): DataStoreRows {
  const owned = (userId: number) => database.selectFrom('data_stores').selectAll().where('user_id', '=', userId)
  return {
    async systemStore(userId) {
      const known = await owned(userId).where('is_system', '=', true).executeTakeFirst()
      if (known) return toDataStore(known)
      const made = await database
        .insertInto('data_stores')
        .values({ ...toColumns(SYSTEM_STORE), user_id: userId, is_system: true, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      if (made) await onSystemStore(toDataStore(made))
      return toDataStore(await owned(userId).where('is_system', '=', true).executeTakeFirstOrThrow())
    },

    list: async (userId) => (await owned(userId).orderBy('is_system', 'desc').orderBy('id').execute()).map(toDataStore),

    async find(userId, id) {
      const row = await owned(userId).where('id', '=', id).executeTakeFirst()
      return row && toDataStore(row)
    },

    async defaultOf(userId) {
      const row = await owned(userId).where('is_default', '=', true).executeTakeFirst()
      return row && toDataStore(row)
    },

    insert: (userId, store, seal) =>
      database.transaction().execute(async (transaction) => {
        if (store.isDefault) await clearDefault(transaction, userId)
        const row = await transaction
          .insertInto('data_stores')
          .values({ ...toColumns(store), user_id: userId, is_system: false, created_at: now })
          .returningAll()
          .executeTakeFirstOrThrow()
        if (!seal) return toDataStore(row)
        const sealedSecrets = seal(row.id)
        await transaction
          .updateTable('data_stores')
          .set({ sealed_secrets: sealedSecrets })
          .where('id', '=', row.id)
          .execute()
        return { ...toDataStore(row), sealedSecrets }
      }),

    update: (userId, id, store) =>
      database.transaction().execute(async (transaction) => {
        if (store.isDefault) await clearDefault(transaction, userId)
        const row = await transaction
          .updateTable('data_stores')
          .set(toColumns(store))
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        return row && toDataStore(row)
      }),

    async remove(userId, id) {
      const { numDeletedRows } = await database
        .deleteFrom('data_stores')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .where('is_system', '=', false)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
  }
}

const SYSTEM_STORE: NewStore = {
  name: SYSTEM_STORE_NAME,
  storeType: 'local',
  // A user without a choice of their own uses it, so it need not say so.
  isDefault: false,
  defaultFormat: 'parquet',
  partitionStrategy: 'none',
  compression: 'snappy',
  connectionConfig: {},
  sealedSecrets: null,
  unverifiedReason: null,
}

async function clearDefault(transaction: DatabaseTransaction, userId: number): Promise<void> {
  await transaction
    .updateTable('data_stores')
    .set({ is_default: false })
    .where('user_id', '=', userId)
    .where('is_default', '=', true)
    .execute()
}

const toColumns = (store: NewStore) => ({
  name: store.name,
  store_type: store.storeType,
  is_default: store.isDefault,
  default_format: store.defaultFormat,
  partition_strategy: store.partitionStrategy,
  compression: store.compression,
  connection_config: JSON.stringify(store.connectionConfig),
  sealed_secrets: store.sealedSecrets,
  unverified_reason: store.unverifiedReason,
})

const toDataStore = (row: Selectable<Tables['data_stores']>): DataStore => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  storeType: row.store_type as StoreSettings['storeType'],
  isSystem: row.is_system,
  isDefault: row.is_default,
  defaultFormat: row.default_format,
  partitionStrategy: row.partition_strategy as StoreSettings['partitionStrategy'],
  compression: row.compression,
  connectionConfig: row.connection_config,
  sealedSecrets: row.sealed_secrets,
  createdAt: row.created_at,
  unverifiedReason: row.unverified_reason,
})

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
