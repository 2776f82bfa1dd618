import { sql, type Selectable } from 'kysely'
import type { SavedQuery, SavedQueryFilters, SavedQueryStore } from '../../market-data/browse/browse.ts'
import { removeForUndo } from '../deletions/deleted-rows.ts'
import type { Database } from '../database.ts'
import { now } from '../jobs/job-rows.ts'
import type { Tables } from '../tables.ts'

export function createSavedQueryStore(database: Database): SavedQueryStore {
  return {
    async list(userId) {
      const rows = await database
        .selectFrom('saved_queries')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('use_count', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(toSavedQuery)
    },

    async insert(userId, filters) {
      const row = await database
        .insertInto('saved_queries')
        .values({ ...toColumns(filters), user_id: userId, is_default: false, use_count: 0, created_at: now })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toSavedQuery(row)
    },

    async use(userId, id, filters) {
      const row = await database
        .updateTable('saved_queries')
        .set({ ...(filters && toColumns(filters)), use_count: sql<number>`use_count + 1` })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toSavedQuery(row)
    },

    remove: (userId, id) => removeForUndo(database, 'saved-query', userId, id),
  }
}

const toColumns = (filters: SavedQueryFilters) => ({
  name: filters.name,
  description: filters.description,
  tickers: [...filters.tickers],
  categories: [...filters.categories],
  providers: [...filters.providers],
  start_date: filters.startDate,
  end_date: filters.endDate,
})

const toSavedQuery = (row: Selectable<Tables['saved_queries']>): SavedQuery => ({
  id: row.id,
  name: row.name,
  description: row.description,
  tickers: row.tickers,
  categories: row.categories,
  providers: row.providers,
  startDate: row.start_date,
  endDate: row.end_date,
  isDefault: row.is_default,
  useCount: row.use_count,
})
