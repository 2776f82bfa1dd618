import { sql } from 'kysely'
import type { Database } from '../../database.ts'
import type { LocalBytes } from '../disk/disk-allowance.ts'
import { localPrefix } from '../store-location.ts'

/** Bytes of all local stores of a user in one folder, whatever the stores are now. */
export async function localBytesOf(database: Database, folderId: string, userId: number): Promise<LocalBytes> {
  const { live, retired } = await database
    .selectFrom('store_files')
    .innerJoin('store_catalogues', 'store_catalogues.id', 'catalogue_id')
    .innerJoin('data_stores', 'data_stores.id', 'store_id')
    .select([
      sql<number>`coalesce(sum(bytes) FILTER (WHERE retired_version IS NULL), 0)::bigint`.as('live'),
      sql<number>`coalesce(sum(bytes) FILTER (WHERE retired_version IS NOT NULL AND NOT is_history), 0)::bigint`.as(
        'retired',
      ),
    ])
    .where('user_id', '=', userId)
    .where('is_local', '=', true)
    .where(sql<boolean>`starts_with(location, ${folderId})`)
    .executeTakeFirstOrThrow()
  return { live, retired }
}

/** Bytes of the history of all stores of a user: files on this machine, and records in our database. */
export async function historyBytesOf(database: Database, folderId: string, userId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT (
      SELECT coalesce(sum(bytes), 0) FROM store_files JOIN store_catalogues ON store_catalogues.id = catalogue_id
      JOIN data_stores ON data_stores.id = store_id
      WHERE user_id = ${userId} AND is_history AND is_local AND starts_with(location, ${folderId})
    )::bigint + (
      SELECT coalesce(sum(octet_length(data)), 0) FROM store_removed_rows
      JOIN store_catalogues ON store_catalogues.id = catalogue_id JOIN data_stores ON data_stores.id = store_id
      WHERE user_id = ${userId}
    )::bigint AS bytes`.execute(database)
  return rows[0]!.bytes
}

/** Every path in a folder that a local store was given. */
export async function localPathsOf(database: Database, folderId: string, storeId: number): Promise<string[]> {
  const prefix = localPrefix(folderId)
  const rows = await database
    .selectFrom('store_catalogues')
    .select('location')
    .where('store_id', '=', storeId)
    .where(sql<boolean>`starts_with(location, ${prefix})`)
    .execute()
  return rows.map(({ location }) => location.slice(prefix.length))
}
