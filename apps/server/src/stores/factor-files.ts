import { mayBeRowId } from '@tradewright/core/row-id'
import type { FactorTable } from '@tradewright/engine/backtest/factor-file'
import { sql } from 'kysely'
import type { FactorFileStore } from '../backtests/factors/factor-files.ts'
import type { Database } from './database.ts'

export function createFactorFileStore(database: Database): FactorFileStore {
  /** The database reads what a list shows out of the files: their returns do not come here. */
  const listed = (userId: number) =>
    database
      .selectFrom('factor_files')
      .where('user_id', '=', userId)
      .select([
        'id',
        'name',
        'created_at as createdAt',
        sql<FactorTable['frequency']>`content ->> 'frequency'`.as('frequency'),
        sql<string[]>`jsonb_path_query_array(content, '$.columns[*].name')`.as('factors'),
        sql<number>`(content -> 'days' -> 0)::int`.as('from'),
        sql<number>`(content -> 'days' -> -1)::int`.as('to'),
        sql<number>`jsonb_array_length(content -> 'days')`.as('rows'),
      ])
  return {
    list: (userId) => listed(userId).orderBy('created_at', 'desc').orderBy('id', 'desc').execute(),

    async find(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await database
        .selectFrom('factor_files')
        .select('content')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.content as FactorTable | undefined
    },

    async add(userId, name, table, at) {
      const { id } = await database
        .insertInto('factor_files')
        .values({ user_id: userId, name, content: JSON.stringify(table), created_at: at })
        .returning('id')
        .executeTakeFirstOrThrow()
      return listed(userId).where('id', '=', id).executeTakeFirstOrThrow()
    },

    async remove(userId, id) {
      if (!mayBeRowId(id)) return false
      const { numDeletedRows } = await database
        .deleteFrom('factor_files')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
