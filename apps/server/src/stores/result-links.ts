import { mayBeRowId } from '@tradewright/core/row-id'
import type { ResultLinkStore } from '../backtests/ports.ts'
import type { Database } from './database.ts'

export function createResultLinkStore(database: Database): ResultLinkStore {
  const ownBacktests = (userId: number) => database.selectFrom('backtests').select('id').where('user_id', '=', userId)
  const list = (userId: number, now: Date) =>
    database
      .selectFrom('result_links')
      .innerJoin('backtests', 'backtests.id', 'result_links.backtest_id')
      .select([
        'result_links.id',
        'backtests.id as backtestId',
        'backtests.name as backtestName',
        'result_links.created_at as createdAt',
        'result_links.expires_at as expiresAt',
      ])
      .where('backtests.user_id', '=', userId)
      .where('result_links.expires_at', '>', now)
      .orderBy('result_links.created_at', 'desc')
      .orderBy('result_links.id', 'desc')
  return {
    list: (userId, now) => list(userId, now).execute(),

    async add(userId, { backtestId, tokenHash, createdAt, expiresAt }) {
      if (!mayBeRowId(backtestId)) return undefined
      await database
        .deleteFrom('result_links')
        .where('expires_at', '<=', createdAt)
        .where('backtest_id', 'in', ownBacktests(userId))
        .execute()
      const inserted = await database
        .insertInto('result_links')
        .columns(['backtest_id', 'token_hash', 'created_at', 'expires_at'])
        .expression((own) =>
          own
            .selectFrom('backtests')
            .select((row) => [
              'backtests.id',
              row.val(tokenHash).as('token_hash'),
              row.val(createdAt).as('created_at'),
              row.val(expiresAt).as('expires_at'),
            ])
            .where('backtests.id', '=', backtestId)
            .where('backtests.user_id', '=', userId),
        )
        .returning('id')
        .executeTakeFirst()
      return inserted && list(userId, createdAt).where('result_links.id', '=', inserted.id).executeTakeFirst()
    },

    async remove(userId, id) {
      if (!mayBeRowId(id)) return false
      const { numDeletedRows } = await database
        .deleteFrom('result_links')
        .where('id', '=', id)
        .where('backtest_id', 'in', ownBacktests(userId))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    find: (tokenHash, now) =>
      database
        .selectFrom('result_links')
        .innerJoin('backtests', 'backtests.id', 'result_links.backtest_id')
        .select(['backtests.user_id as userId', 'backtests.id as backtestId', 'result_links.expires_at as expiresAt'])
        .where('result_links.token_hash', '=', tokenHash)
        .where('result_links.expires_at', '>', now)
        .executeTakeFirst(),
  }
}
