import { sql } from 'kysely'
import type { Database } from '../../database.ts'
import type { LocalBytes } from '../disk/disk-allowance.ts'

/** What the files of all local stores of a user take, whatever the stores are now. */
export async function localBytesOf(database: Database, userId: number): Promise<LocalBytes> {
  const { live, retired } = await database
    .selectFrom('store_files')
    .innerJoin('store_catalogues', 'store_catalogues.id', 'catalogue_id')
    .innerJoin('data_stores', 'data_stores.id', 'store_id')
    .select([
      sql<number>`coalesce(sum(bytes) FILTER (WHERE retired_version IS NULL), 0)::bigint`.as('live'),
      sql<number>`coalesce(sum(bytes) FILTER (WHERE retired_version IS NOT NULL), 0)::bigint`.as('retired'),
    ])
    .where('user_id', '=', userId)
    .where('is_local', '=', true)
    .executeTakeFirstOrThrow()
  return { live, retired }
}

/** Every place on this machine that a store was given. */
export async function localLocationsOf(database: Database, storeId: number): Promise<string[]> {
  const rows = await database
    .selectFrom('store_catalogues')
    .select('location')
    .where('store_id', '=', storeId)
    .where('is_local', '=', true)
    .execute()
  return rows.map(({ location }) => location)
}
