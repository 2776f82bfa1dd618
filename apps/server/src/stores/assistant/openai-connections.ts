import type { Connection, ConnectionStore } from '../../assistant/connection/ports.ts'
import type { Database } from '../database.ts'

export function createConnectionStore(database: Database): ConnectionStore {
  return {
    async find(userId): Promise<Connection | undefined> {
      return database
        .selectFrom('openai_connections')
        .select([
          'sealed_key as sealedKey',
          'model',
          'base_url as baseUrl',
          'unverified_reason as unverifiedReason',
          'last_used as lastUsed',
        ])
        .where('user_id', '=', userId)
        .executeTakeFirst()
    },

    async save(userId, { sealedKey, model, baseUrl, unverifiedReason }, at) {
      const values = {
        sealed_key: sealedKey,
        model,
        base_url: baseUrl,
        unverified_reason: unverifiedReason,
        last_used: null,
        created_at: at,
      }
      await database
        .insertInto('openai_connections')
        .values({ ...values, user_id: userId })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
        .execute()
    },

    async chooseModel(userId, model) {
      const { numUpdatedRows } = await database
        .updateTable('openai_connections')
        .set({ model })
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async used(userId, at) {
      await database
        .updateTable('openai_connections')
        .set({ last_used: at, unverified_reason: null })
        .where('user_id', '=', userId)
        .execute()
    },

    async remove(userId) {
      await database.deleteFrom('openai_connections').where('user_id', '=', userId).execute()
    },
  }
}
