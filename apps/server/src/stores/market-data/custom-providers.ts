import { sql } from 'kysely'
import type { CustomProviderStore } from '../../market-data/custom-providers/custom-providers.ts'
import type { Database } from '../database.ts'
import { now } from '../jobs/job-rows.ts'

export function createCustomProviderStore(database: Database): CustomProviderStore {
  return {
    async list(userId) {
      const rows = await database
        .selectFrom('custom_providers')
        .select(['definition', 'sealed_key'])
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .execute()
      return rows.map(({ definition, sealed_key }) => ({ definition, sealedKey: sealed_key }))
    },

    async insert(userId, { definition, sealedKey }) {
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('custom_providers')
        .values({
          user_id: userId,
          provider_id: definition.id,
          definition: JSON.stringify(definition),
          sealed_key: sealedKey,
          created_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    async rename(userId, id, displayName) {
      const { numUpdatedRows } = await database
        .updateTable('custom_providers')
        .set({ definition: sql`jsonb_set(definition, '{displayName}', to_jsonb(${displayName}::text))` })
        .where('user_id', '=', userId)
        .where('provider_id', '=', id)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async remove(userId, id) {
      const { numDeletedRows } = await database
        .deleteFrom('custom_providers')
        .where('user_id', '=', userId)
        .where('provider_id', '=', id)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
  }
}
