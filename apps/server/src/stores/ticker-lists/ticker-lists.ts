import { mayBeRowId } from '@tradewright/core/row-id'
import type { Selectable } from 'kysely'
import { errorCode } from '../../system-error.ts'
import type { TickerListStore, ListType, TickerList } from '../../ticker-lists/own-lists.ts'
import { removeForUndo } from '../deletions/deleted-rows.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

const UNIQUE_VIOLATION = '23505'

export function createTickerListStore(database: Database): TickerListStore {
  return {
    async list(userId) {
      const rows = await database
        .selectFrom('ticker_lists')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy((row) => row.fn('lower', ['name']))
        .orderBy('id')
        .execute()
      return rows.map(toList)
    },

    async find(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await database
        .selectFrom('ticker_lists')
        .selectAll()
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row && toList(row)
    },

    add: (userId, { name, type, tickers }, at) =>
      unlessTaken(async () => {
        const values = { user_id: userId, name, list_type: type, tickers: [...tickers], created_at: at, updated_at: at }
        const query = database.insertInto('ticker_lists').values(values).returningAll()
        return toList(await query.executeTakeFirstOrThrow())
      }),

    async replace(userId, id, { name, type, tickers }, at) {
      if (!mayBeRowId(id)) return 'missing'
      return unlessTaken(async () => {
        const row = await database
          .updateTable('ticker_lists')
          .set({ name, list_type: type, tickers: [...tickers], updated_at: at })
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returningAll()
          .executeTakeFirst()
        return row ? toList(row) : ('missing' as const)
      })
    },

    remove: (userId, id) => removeForUndo(database, 'ticker-list', userId, id),
  }
}

async function unlessTaken<Result>(write: () => Promise<Result>): Promise<Result | 'taken'> {
  try {
    return await write()
  } catch (error) {
    if (errorCode(error) === UNIQUE_VIOLATION) return 'taken'
    throw error
  }
}

const toList = (row: Selectable<Tables['ticker_lists']>): TickerList => ({
  id: row.id,
  name: row.name,
  // The table's check lets in nothing else.
  type: row.list_type as ListType,
  tickers: row.tickers,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
