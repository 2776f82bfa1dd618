import { mayBeRowId } from '@tradewright/core/row-id'
import type { FactorTable } from '@tradewright/engine/backtest/factor-file'
import { sql } from 'kysely'
import type { FactorFileStore } from '../../backtests/factors/factor-files.ts'
import type { Database } from '../database.ts'

export function createFactorFileStore(database: Database): FactorFileStore {
  const listed = (userId: number) =>
    database
      .selectFrom('factor_files')
      .where('user_id', '=', userId)
      .select([
        'id',
        'name',
        'created_at as createdAt',
        sql<FactorTable['frequency']>`frequency`.as('frequency'),
        'factors',
        'first_day as from',
        'last_day as to',
        'row_count as rows',
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
        .values({
          user_id: userId,
          name,
          content: JSON.stringify(table),
          frequency: table.frequency,
          factors: table.columns.map((column) => column.name),
          first_day: table.days[0]!,
          last_day: table.days.at(-1)!,
          row_count: table.days.length,
          created_at: at,
        })
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
