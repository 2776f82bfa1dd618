import { sql } from 'kysely'
import type { RecordStore } from '../../forward-records/ports.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

type ModelsOfRecords = Pick<RecordStore, 'models' | 'keepModel' | 'postponeModel'>

export function createRecordModels(database: Database | DatabaseTransaction): ModelsOfRecords {
  return {
    models: (recordId) =>
      database
        .selectFrom('forward_models')
        .select([
          'window_number as window',
          'sized_on_rows as sizedOnRows',
          'decides_after as after',
          'bytes',
          'checksum',
          'next_at as nextAt',
        ])
        .where('record_id', '=', recordId)
        .where('checksum', '=', sql<string>`encode(sha256(bytes), 'hex')`)
        .orderBy('window_number')
        .execute(),

    async keepModel(recordId, { window, sizedOnRows, after, bytes, checksum, nextAt }) {
      await sql`
        DELETE FROM forward_models WHERE record_id = ${recordId} AND checksum <> encode(sha256(bytes), 'hex')
      `.execute(database)
      await sql`
        INSERT INTO forward_models (record_id, window_number, sized_on_rows, decides_after, bytes, checksum, next_at)
        SELECT id, ${window}::integer, ${sizedOnRows}::integer, ${after}::timestamptz, ${Buffer.from(bytes)}::bytea,
          ${checksum}::text, ${nextAt}::timestamptz
        FROM forward_records WHERE id = ${recordId} AND is_open
        ON CONFLICT DO NOTHING`.execute(database)
      await sql`
        DELETE FROM forward_models WHERE record_id = ${recordId} AND window_number < (
          SELECT max(window_number) FROM forward_models WHERE record_id = ${recordId} AND window_number < ${window}
        )`.execute(database)
    },

    async postponeModel(recordId, window, nextAt) {
      await database
        .updateTable('forward_models')
        .set({ next_at: nextAt })
        .where('record_id', '=', recordId)
        .where('window_number', '=', window)
        .execute()
    },
  }
}

/** Removes the models of records that decide no more; one that is opened again trains its model again. */
export async function forgetModels(database: Database | DatabaseTransaction, userId: number): Promise<void> {
  await sql`
    DELETE FROM forward_models USING forward_records AS record
    WHERE record_id = record.id AND user_id = ${userId} AND NOT (is_open AND strategy_id IS NOT NULL)`.execute(database)
}
