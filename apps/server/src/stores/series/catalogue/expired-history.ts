import { sql } from 'kysely'
import type { Database } from '../../database.ts'

/** Stores with history from before an instant, whatever place they are at now. */
export async function storesWithHistoryBefore(
  database: Database,
  at: Date,
): Promise<{ storeId: number; userId: number }[]> {
  const { rows } = await sql<{ storeId: number; userId: number }>`
    SELECT DISTINCT data_stores.id AS "storeId", user_id AS "userId"
    FROM store_catalogues JOIN data_stores ON data_stores.id = store_id
    WHERE EXISTS (
      SELECT FROM store_changes AS change
      WHERE catalogue_id = store_catalogues.id AND changed_at <= ${at} AND change.version > history_from_version
    ) ORDER BY 1`.execute(database)
  return rows
}
