import { mayBeRowId } from '@tradewright/core/row-id'
import type { FactorTable } from '@tradewright/engine/backtest/factor-file'
import type { FactorFile, FactorFileStore } from '../backtests/factors/factor-files.ts'
import type { Database } from './database.ts'

export function createFactorFileStore(database: Database): FactorFileStore {
  const owned = (userId: number) => database.selectFrom('factor_files').selectAll().where('user_id', '=', userId)
  type Row = Awaited<ReturnType<ReturnType<typeof owned>['executeTakeFirstOrThrow']>>
  const toFile = ({ id, name, content, created_at }: Row): FactorFile => ({
    id,
    name,
    table: content as FactorTable,
    createdAt: created_at,
  })
  return {
    list: async (userId) =>
      (await owned(userId).orderBy('created_at', 'desc').orderBy('id', 'desc').execute()).map(toFile),

    async find(userId, id) {
      const row = mayBeRowId(id) ? await owned(userId).where('id', '=', id).executeTakeFirst() : undefined
      return row && toFile(row)
    },

    async add(userId, name, table, at) {
      const row = await database
        .insertInto('factor_files')
        .values({ user_id: userId, name, content: JSON.stringify(table), created_at: at })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toFile(row)
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
