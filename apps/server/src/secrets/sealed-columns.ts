import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../stores/database.ts'
import type { SealedPlace } from './seal.ts'

/** A column of sealed bytes, and how its rows are named. */
interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The column that names the row, beside the user. */
  readonly idColumn: string
  /** The purpose that the bytes were sealed for before rows were part of it. */
  readonly purposeBeforeRows: (userId: number) => string
}

/** Every column that holds sealed bytes. A new one has to be added here, or it would be left behind by a rotation. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'brokerage_accounts',
    column: 'sealed_keys',
    idColumn: 'id',
    purposeBeforeRows: (userId) => `brokerage keys of user ${userId}`,
  },
  { table: 'data_stores', column: 'sealed_secrets', idColumn: 'id', purposeBeforeRows: () => 'data store' },
  {
    table: 'custom_providers',
    column: 'sealed_key',
    idColumn: 'provider_id',
    purposeBeforeRows: () => 'custom provider',
  },
  {
    table: 'openai_connections',
    column: 'sealed_key',
    idColumn: 'user_id',
    purposeBeforeRows: (userId) => `openai key of user ${userId}`,
  },
  { table: 'alert_channels', column: 'sealed_values', idColumn: 'id', purposeBeforeRows: () => 'alert channel' },
  {
    table: 'signal_addresses',
    column: 'sealed_secret',
    idColumn: 'strategy_id',
    purposeBeforeRows: () => 'signal address',
  },
  // Never sealed in the earlier layout, like those that came after it.
  { table: 'second_factors', column: 'sealed_secret', idColumn: 'id', purposeBeforeRows: () => 'second factor' },
  { table: 'alert_settings', column: 'sealed_heartbeat', idColumn: 'user_id', purposeBeforeRows: () => 'heartbeat' },
]

export interface SealedRow {
  readonly place: SealedPlace
  readonly column: SealedColumn
  readonly sealed: Buffer
}

/** The rows that `which` selects by their bytes (`sealed`), in all tables. They are small and few: keys of users. */
export async function* sealedRows(database: Database, which: RawBuilder<boolean>): AsyncGenerator<SealedRow> {
  for (const column of SEALED_COLUMNS) {
    const { rows } = await sql<{ row: number | string; userId: number; sealed: Buffer }>`
      SELECT ${sql.ref(column.idColumn)} AS "row", user_id AS "userId", sealed
      FROM (SELECT *, ${sql.ref(column.column)} AS sealed FROM ${sql.table(column.table)}) AS all_rows
      WHERE sealed IS NOT NULL AND ${which} ORDER BY 1, 2`.execute(database)
    for (const { row, userId, sealed } of rows) yield { place: { table: column.table, row, userId }, column, sealed }
  }
}

/** Writes new bytes in the place of those that were read; false when the row was changed or deleted meanwhile. */
export async function replaceSealed(database: Database, row: SealedRow, sealed: Buffer): Promise<boolean> {
  const { column, place } = row
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(column.table)} SET ${sql.ref(column.column)} = ${sealed}
    WHERE ${sql.ref(column.idColumn)} = ${place.row} AND user_id = ${place.userId}
      AND ${sql.ref(column.column)} = ${row.sealed}`.execute(database)
  return (numAffectedRows ?? 0n) > 0n
}

/** Condition for `sealedRows`: whatever is not sealed in today's layout with one of these keys. */
export const notSealedBy = (keyIds: readonly Buffer[]): RawBuilder<boolean> =>
  sql<boolean>`substring(sealed FROM 1 FOR 5) NOT IN (${sql.join(keyIds.map((id) => Buffer.concat([Buffer.of(2), id])))})`
