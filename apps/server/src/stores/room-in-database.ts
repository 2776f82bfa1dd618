import { byteSize } from '@tradewright/core/byte-size'
import { Problem } from '@tradewright/core/problem'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import { belongsTo, type OwnedTable, ownedTables } from './owned-tables.ts'

/** Delay until writes of jobs and of other processes are seen. */
const RECOUNT_MS = 30_000
const MAX_CACHED_USERS = 1000

/** One user's rows as they were counted, and what was let through since. */
interface Count {
  bytes: number
  readonly at: number
}

/**
 * One user's share of the database: the stored bytes of all rows that are deleted with them. Counted when the last
 * count is old, and before a call is refused.
 */
export function roomInDatabase(limitBytes: number, database: Database) {
  const counts = new Map<number, Count>()
  /** Counts under way: calls at the same moment share one, and add to it one after the other. */
  const counting = new Map<number, Promise<Count>>()
  let tables: Promise<MeasuredTable[]> | undefined

  function counted(userId: number): Promise<Count> {
    const count = counting.get(userId) ?? countNow(userId).finally(() => counting.delete(userId))
    counting.set(userId, count)
    return count
  }

  async function countNow(userId: number): Promise<Count> {
    tables ??= measuredTables(database).catch((error: unknown) => {
      tables = undefined
      throw error
    })
    const count = { bytes: await storedBytes(database, await tables, userId), at: performance.now() }
    if (counts.size >= MAX_CACHED_USERS) counts.clear()
    counts.set(userId, count)
    return count
  }

  return async (userId: number, bytes: number): Promise<void> => {
    const known = counts.get(userId)
    const isFine = known && performance.now() - known.at < RECOUNT_MS && known.bytes + bytes <= limitBytes
    const count = isFine ? known : await counted(userId)
    if (count.bytes + bytes > limitBytes) throw full(count.bytes, limitBytes)
    count.bytes += bytes
  }
}

interface MeasuredTable {
  readonly table: OwnedTable
  readonly columns: readonly string[]
}

async function measuredTables(database: Database): Promise<MeasuredTable[]> {
  const owned = await ownedTables(database)
  const { rows } = await sql<{ table_name: string; columns: string[] }>`
    SELECT table_name, array_agg(column_name::text) AS columns FROM information_schema.columns
    WHERE table_schema = 'public' GROUP BY table_name`.execute(database)
  const columns = new Map(rows.map((row) => [row.table_name, row.columns]))
  return owned.map((table) => ({ table, columns: columns.get(table.name) ?? [] }))
}

/** Column by column: the stored size of a large value is known without reading it. */
async function storedBytes(database: Database, tables: readonly MeasuredTable[], userId: number): Promise<number> {
  const sums = tables.map(({ table, columns }): RawBuilder<unknown> => {
    const sizes = columns.map((column) => sql`coalesce(pg_column_size(${sql.ref(`own.${column}`)}), 0)`)
    return sql`SELECT sum(${sql.join(sizes, sql` + `)}) AS bytes FROM ${sql.table(table.name)} own
      WHERE ${belongsTo(table, userId)}`
  })
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM (${sql.join(sums, sql` UNION ALL `)}) parts`.execute(database)
  return rows[0]!.bytes
}

const full = (used: number, limit: number): Problem =>
  new Problem(
    'too-large',
    'database.limit',
    `What you saved takes ${byteSize(used)} of this server's database, and your limit is ${byteSize(limit)}. ` +
      'Delete backtests, optimizer runs, parameter studies, strategies or conversations that you no longer need, or ask the operator of this server for a higher limit.',
  )
