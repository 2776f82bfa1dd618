import { sql } from 'kysely'
import type { KnownPlaceStore } from '../../auth/ports.ts'
import type { Database } from '../database.ts'

/** Programs that keep no cookies are a new device at every sign-in; the oldest make room. */
const MAX_PLACES_PER_USER = 150

export function createKnownPlaceStore(database: Database): KnownPlaceStore {
  return {
    async known(userId, hashes) {
      const rows = await database
        .selectFrom('known_places')
        .select('place_hash')
        .where('user_id', '=', userId)
        .where('place_hash', 'in', [...hashes])
        .execute()
      return rows.map((row) => row.place_hash)
    },
    async remember(userId, hashes, at) {
      await database
        .insertInto('known_places')
        .values(hashes.map((hash) => ({ user_id: userId, place_hash: hash, last_used_at: at })))
        .onConflict((conflict) => conflict.columns(['user_id', 'place_hash']).doUpdateSet({ last_used_at: at }))
        .execute()
      await sql`
        DELETE FROM known_places WHERE user_id = ${userId} AND place_hash IN (
          SELECT place_hash FROM known_places WHERE user_id = ${userId}
          ORDER BY last_used_at DESC OFFSET ${MAX_PLACES_PER_USER}
        )`.execute(database)
    },
    async forget(userId, keep) {
      await database
        .deleteFrom('known_places')
        .where('user_id', '=', userId)
        .$if(keep !== undefined, (query) => query.where('place_hash', '<>', keep!))
        .execute()
    },
    async removeOld(before) {
      await database.deleteFrom('known_places').where('last_used_at', '<', before).execute()
    },
  }
}
