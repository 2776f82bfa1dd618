import { sql } from 'kysely'
import type { Database } from '../../database.ts'
import { PACKED_TOGETHER } from '../parquet/removed-rows.ts'

/** Stores with history from before an instant, or with many small pieces of it, whatever place they are at now. */
export async function storesWithHistoryBefore(
  database: Database,
  at: Date,
): Promise<{ storeId: number; userId: number }[]> {
  const { rows } = await sql<{ storeId: number; userId: number }>`
    SELECT DISTINCT data_stores.id AS "storeId", user_id AS "userId"
    FROM store_catalogues JOIN data_stores ON data_stores.id = store_id
    WHERE EXISTS (
      SELECT FROM store_changes AS change
      WHERE catalogue_id = store_catalogues.id AND coalesce(first_at, changed_at) <= ${at}
        AND change.version > history_from_version
    ) OR (
      SELECT count(*) FROM store_changes WHERE catalogue_id = store_catalogues.id AND earlier IS NULL
    ) > ${2 * PACKED_TOGETHER} ORDER BY 1`.execute(database)
  return rows
}
