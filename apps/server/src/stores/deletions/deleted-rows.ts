import { mayBeRowId } from '@tradewright/core/row-id'
import { type RawBuilder, sql } from 'kysely'
import type { DeletionKind, DeletionStore } from '../../deletions/undo-deletion.ts'
import { errorCode } from '../../system-error.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { inTransaction } from '../jobs/job-rows.ts'

interface Reference {
  readonly table: string
  readonly column: string
}

interface Undoable {
  readonly table: string
  /** The column of the id that the deletion names; else `id`. */
  readonly keyColumn?: string
  /** Tables whose rows are deleted with it. */
  readonly children: readonly Reference[]
  /** Tables whose rows stay and lose their reference to it. */
  readonly loosened: readonly Reference[]
  /** Tables whose rows go for good: a link that was shared does not work again. */
  readonly dropped?: readonly Reference[]
}

/** What refers to a backtest: links to it, and what its robustness checks are at work on. */
const OF_BACKTEST: readonly Reference[] = [
  { table: 'result_links', column: 'backtest_id' },
  { table: 'robustness_work', column: 'backtest_id' },
]

/** Compared with the foreign keys of the database by a test. */
export const UNDOABLE: Readonly<Record<DeletionKind, Undoable>> = {
  strategy: {
    table: 'strategies',
    children: [
      { table: 'backtests', column: 'strategy_id' },
      { table: 'external_signals', column: 'strategy_id' },
    ],
    loosened: [
      { table: 'deployments', column: 'strategy_id' },
      { table: 'forward_records', column: 'strategy_id' },
    ],
    // An address that was handed out does not work again.
    dropped: [...OF_BACKTEST, { table: 'signal_addresses', column: 'strategy_id' }],
  },
  backtest: { table: 'backtests', children: [], loosened: [], dropped: OF_BACKTEST },
  'ticker-list': { table: 'ticker_lists', children: [], loosened: [] },
  'saved-query': { table: 'saved_queries', children: [], loosened: [] },
  conversation: {
    table: 'conversations',
    keyColumn: 'conversation_id',
    children: [{ table: 'conversation_messages', column: 'conversation' }],
    loosened: [],
  },
  'collection-job': {
    table: 'collection_jobs',
    children: [{ table: 'collection_runs', column: 'collection_job_id' }],
    loosened: [],
  },
  'optimization-run': {
    table: 'optimization_runs',
    children: [{ table: 'optimization_generations', column: 'run_id' }],
    loosened: [],
    dropped: [{ table: 'optimization_data', column: 'run_id' }],
  },
  study: {
    table: 'parameter_studies',
    children: [{ table: 'parameter_study_results', column: 'study_id' }],
    loosened: [],
    dropped: [{ table: 'parameter_study_data', column: 'study_id' }],
  },
  construction: { table: 'portfolio_constructions', children: [], loosened: [] },
  'alert-channel': {
    table: 'alert_channels',
    children: [],
    loosened: [],
    // Alerts that waited for it are not sent late.
    dropped: [{ table: 'deployment_messages', column: 'channel_id' }],
  },
}

/** Removes a run so that it can be brought back. One that has not ended is cancelled instead, and is gone for good. */
export async function removeRunForUndo(
  database: Database | DatabaseTransaction,
  kind: 'optimization-run' | 'study' | 'construction',
  userId: number,
  id: number,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    DELETE FROM ${sql.table(UNDOABLE[kind].table)} WHERE id = ${id} AND user_id = ${userId} AND ended_as IS NULL
    RETURNING id`.execute(database)
  if (rows.length === 0) await removeForUndo(database, kind, userId, id)
}

/** The toast is shown for 10 seconds, and longer while it is pointed at. */
const RETENTION = sql`interval '2 minutes'`
/**
 * Deleted rows that are retained for one user, besides the latest deletion: creating and deleting in turn must not fill
 * the disk.
 */
const MAX_RETAINED_BYTES = 256 * 2 ** 20
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'

const ofDeletion = (userId: number, kind: DeletionKind, key: string | number) =>
  sql`user_id = ${userId} AND kind = ${kind} AND key = ${String(key)}`

/** Deletes the user's row at once, with a copy of all that goes with it. False when there is no such row. */
export async function removeForUndo(
  database: Database | DatabaseTransaction,
  kind: DeletionKind,
  userId: number,
  key: string | number,
): Promise<boolean> {
  const { table, keyColumn, children, loosened } = UNDOABLE[kind]
  if (!keyColumn && !mayBeRowId(Number(key))) return false
  return inTransaction(database, async (transaction) => {
    // The lock makes a save that refers to the row wait, and then find it gone.
    const found = await sql<{ id: number }>`
      SELECT id FROM ${sql.table(table)}
      WHERE user_id = ${userId} AND ${sql.ref(keyColumn ?? 'id')} = ${key} FOR UPDATE`.execute(transaction)
    const id = found.rows[0]?.id
    if (id === undefined) return false
    await sql`DELETE FROM deleted_rows WHERE ${ofDeletion(userId, kind, key)}`.execute(transaction)
    const keep = (from: string, content: RawBuilder<unknown>, where: RawBuilder<unknown>) =>
      sql`
        INSERT INTO deleted_rows (user_id, kind, key, table_name, content, deleted_at)
        SELECT ${userId}, ${kind}, ${String(key)}, ${from}, ${content}, now()
        FROM ${sql.table(from)} AS one WHERE ${where}`.execute(transaction)
    await keep(table, sql`to_jsonb(one)`, sql`id = ${id}`)
    for (const child of children) await keep(child.table, sql`to_jsonb(one)`, sql`${sql.ref(child.column)} = ${id}`)
    for (const other of loosened) {
      await keep(other.table, sql`jsonb_build_object('id', id)`, sql`${sql.ref(other.column)} = ${id}`)
    }
    await sql`DELETE FROM ${sql.table(table)} WHERE id = ${id}`.execute(transaction)
    await dropOldest(transaction, userId, kind, key)
    return true
  })
}

export function createDeletionStore(database: Database): DeletionStore {
  return {
    async restore(userId, kind, key) {
      try {
        return await database.transaction().execute((transaction) => restore(transaction, userId, kind, key))
      } catch (error) {
        if (errorCode(error) === UNIQUE_VIOLATION) return 'taken'
        if (errorCode(error) === FOREIGN_KEY_VIOLATION) return 'orphaned'
        throw error
      }
    },
  }
}

/** Forgets what can no longer be restored. */
export async function purgeDeletedRows(database: Database): Promise<void> {
  await sql`DELETE FROM deleted_rows WHERE deleted_at <= now() - ${RETENTION}`.execute(database)
}

async function restore(transaction: DatabaseTransaction, userId: number, kind: DeletionKind, key: string) {
  const { table, children, loosened } = UNDOABLE[kind]
  const kept = ofDeletion(userId, kind, key)
  const locked = await sql`
    SELECT id FROM deleted_rows WHERE ${kept} AND deleted_at > now() - ${RETENTION} FOR UPDATE`.execute(transaction)
  if (locked.rows.length === 0) return 'missing'
  for (const from of [table, ...children.map((child) => child.table)]) {
    await sql`
      INSERT INTO ${sql.table(from)} OVERRIDING SYSTEM VALUE
      SELECT restored.*
      FROM (SELECT id AS place, content AS whole FROM deleted_rows WHERE ${kept} AND table_name = ${from}) AS kept,
           jsonb_populate_record(NULL::${sql.table(from)}, whole) AS restored
      ORDER BY place`.execute(transaction)
  }
  for (const { table: other, column } of loosened) {
    await sql`
      UPDATE ${sql.table(other)} SET ${sql.ref(column)} = ${Number(key)}
      WHERE ${sql.ref(column)} IS NULL AND user_id = ${userId} AND id IN (
        SELECT (content ->> 'id')::integer FROM deleted_rows WHERE ${kept} AND table_name = ${other}
      )`.execute(transaction)
  }
  await sql`DELETE FROM deleted_rows WHERE ${kept}`.execute(transaction)
  return 'restored'
}

async function dropOldest(transaction: DatabaseTransaction, userId: number, kind: DeletionKind, key: string | number) {
  await sql`
    WITH deletions AS (
      SELECT kind, key, sum(sum(pg_column_size(content))) OVER (ORDER BY max(deleted_at) DESC, kind, key) AS bytes
      FROM deleted_rows WHERE user_id = ${userId} GROUP BY kind, key
    )
    DELETE FROM deleted_rows USING deletions
    WHERE deleted_rows.user_id = ${userId} AND deletions.bytes > ${MAX_RETAINED_BYTES}
      AND deleted_rows.kind = deletions.kind AND deleted_rows.key = deletions.key
      AND NOT (deletions.kind = ${kind} AND deletions.key = ${String(key)})`.execute(transaction)
}
