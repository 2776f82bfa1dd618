import { mayBeRowId } from '@tradewright/core/row-id'
import type { ResultLinkStore } from '../../backtests/ports.ts'
import { lockKeptRuns } from './backtests.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

export function createResultLinkStore(database: Database): ResultLinkStore {
  return {
    list: (userId, now) => linksOf(database, userId, now).execute(),

    async add(userId, { backtestId, tokenHash, createdAt, expiresAt, withPassport }, most) {
      if (!mayBeRowId(backtestId)) return undefined
      return database.transaction().execute(async (transaction) => {
        await lockKeptRuns(transaction, userId)
        await transaction
          .deleteFrom('result_links')
          .where('expires_at', '<=', createdAt)
          .where('backtest_id', 'in', backtestsOf(transaction, userId))
          .execute()
        const own = backtestsOf(transaction, userId).where('id', '=', backtestId)
        // Not deleted before the link is there.
        if (!(await own.forKeyShare().executeTakeFirst())) return undefined
        if ((await linksOf(transaction, userId, createdAt).execute()).length >= most) return 'full'
        const { id } = await transaction
          .insertInto('result_links')
          .values({
            backtest_id: backtestId,
            token_hash: tokenHash,
            created_at: createdAt,
            expires_at: expiresAt,
            with_passport: withPassport,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        return linksOf(transaction, userId, createdAt).where('result_links.id', '=', id).executeTakeFirst()
      })
    },

    async remove(userId, id) {
      if (!mayBeRowId(id)) return false
      const { numDeletedRows } = await database
        .deleteFrom('result_links')
        .where('id', '=', id)
        .where('backtest_id', 'in', backtestsOf(database, userId))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    find: (tokenHash, now) =>
      database
        .selectFrom('result_links')
        .innerJoin('backtests', 'backtests.id', 'result_links.backtest_id')
        .select([
          'backtests.user_id as userId',
          'backtests.id as backtestId',
          'backtests.strategy_name as title',
          'result_links.expires_at as expiresAt',
          'result_links.with_passport as withPassport',
        ])
        .where('result_links.token_hash', '=', tokenHash)
        .where('result_links.expires_at', '>', now)
        .executeTakeFirst(),
  }
}

const backtestsOf = (database: Database | DatabaseTransaction, userId: number) =>
  database.selectFrom('backtests').select('id').where('user_id', '=', userId)

/** Newest first. */
const linksOf = (database: Database | DatabaseTransaction, userId: number, now: Date) =>
  database
    .selectFrom('result_links')
    .innerJoin('backtests', 'backtests.id', 'result_links.backtest_id')
    .select([
      'result_links.id',
      'backtests.id as backtestId',
      'backtests.name as backtestName',
      'result_links.created_at as createdAt',
      'result_links.expires_at as expiresAt',
      'result_links.with_passport as withPassport',
    ])
    .where('backtests.user_id', '=', userId)
    .where('result_links.expires_at', '>', now)
    .orderBy('result_links.created_at', 'desc')
    .orderBy('result_links.id', 'desc')
