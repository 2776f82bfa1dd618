import type { IdempotentCallStore } from '../../jobs/idempotent-calls.ts'
import type { Database } from '../database.ts'

export function createIdempotentCallStore(database: Database): IdempotentCallStore {
  return {
    async begin({ userId, key, fingerprint }, now) {
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('idempotent_calls')
        .values({ user_id: userId, key, fingerprint, begun_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 1n) return undefined
      const row = await database
        .selectFrom('idempotent_calls')
        .select(['fingerprint', 'finished_at', 'answer'])
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .executeTakeFirst()
      // Forgotten at this very moment: told as unfinished, so that the client asks again.
      if (!row) return { fingerprint, isFinished: false, answer: null }
      return { fingerprint: row.fingerprint, isFinished: row.finished_at !== null, answer: row.answer }
    },
    async finish({ userId, key }, answer, now) {
      await database
        .updateTable('idempotent_calls')
        .set({ answer, finished_at: now })
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .execute()
    },
    async forget({ userId, key }) {
      await database.deleteFrom('idempotent_calls').where('user_id', '=', userId).where('key', '=', key).execute()
    },
    async removeOld(before) {
      await database.deleteFrom('idempotent_calls').where('begun_at', '<', before).execute()
    },
  }
}
