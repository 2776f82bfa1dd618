import { byteSize } from '@tradewright/core/byte-size'
import { Problem } from '@tradewright/core/problem'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

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

/** A step from a table towards the user: `column` holds the `parentColumn` of a row of `parent`. */
interface Step {
  readonly column: string
  readonly parent: string
  readonly parentColumn: string
}

/** A table whose rows belong to users, directly or through the rows they hang on. */
export interface OwnedTable {
  readonly name: string
  readonly secretColumns: readonly string[]
  /** From the table up; the last step leads to `users`. For `users` itself, its own id. */
  readonly way: readonly Step[]
}

interface Reference extends Step {
  readonly name: string
}

/**
 * What the user deleted minutes ago, short-lived secrets of a sign-in under way, lists of files that mean nothing alone,
 * material of checks under way, models that are trained anew, what other people have agreed to on this server.
 */
const NOT_EXPORTED = new Set([
  'deleted_rows',
  'factor_challenges',
  'forward_models',
  'google_flows',
  'mail_recipients',
  'robustness_work',
  'store_catalogues',
  'store_changes',
  'store_files',
  'store_pending_files',
  'store_removed_rows',
])

/**
 * The database itself says what belongs to a user: whatever is deleted with them. So a new table is exported from its
 * first day. Binary columns hold hashes and sealed keys; text columns that hold secrets are known by their names.
 */
export async function ownedTables(database: Pick<Database, 'getExecutor'>): Promise<OwnedTable[]> {
  const references = await cascadingReferences(database)
  const secrets = await secretColumns(database)
  const ways = new Map<string, readonly Step[]>([['users', [{ column: 'id', parent: 'users', parentColumn: 'id' }]]])
  for (const [parent, way] of ways) {
    for (const reference of references) {
      if (reference.parent !== parent || ways.has(reference.name)) continue
      const { column, parentColumn } = reference
      ways.set(reference.name, parent === 'users' ? [reference] : [{ column, parent, parentColumn }, ...way])
    }
  }
  return [...ways]
    .filter(([name]) => !NOT_EXPORTED.has(name))
    .map(([name, way]) => ({ name, way, secretColumns: secrets.get(name) ?? [] }))
}

/** A condition: the row is the user's, by the steps up to them, one inside the other. */
export function belongsTo({ way }: OwnedTable, userId: number): RawBuilder<unknown> {
  return way
    .toReversed()
    .reduce(
      (above, step, index) =>
        index === 0
          ? sql`${sql.ref(step.column)} = ${above}`
          : sql`${sql.ref(step.column)} IN (SELECT ${sql.ref(step.parentColumn)} FROM ${sql.table(step.parent)} WHERE ${above})`,
      sql`${sql.lit(userId)}`,
    )
}

async function cascadingReferences(database: Pick<Database, 'getExecutor'>): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    SELECT child.relname AS name, from_column.attname AS "column", parent.relname AS parent,
           to_column.attname AS "parentColumn"
    FROM pg_constraint key
    JOIN pg_class child ON child.oid = key.conrelid
    JOIN pg_class parent ON parent.oid = key.confrelid
    JOIN pg_attribute from_column ON from_column.attrelid = child.oid AND from_column.attnum = key.conkey[1]
    JOIN pg_attribute to_column ON to_column.attrelid = parent.oid AND to_column.attnum = key.confkey[1]
    WHERE key.contype = 'f' AND key.confdeltype = 'c' AND cardinality(key.conkey) = 1
      AND key.connamespace = 'public'::regnamespace
    ORDER BY child.relname, from_column.attname`.execute(database)
  return rows
}

async function secretColumns(database: Pick<Database, 'getExecutor'>): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public'
      AND (data_type = 'bytea' OR column_name ~ '(_hash|secret|token|verifier|api_key|private_key)')`.execute(database)
  const byTable = Map.groupBy(rows, (row) => row.table_name)
  return new Map([...byTable].map(([table, columns]) => [table, columns.map((row) => row.column_name)]))
}
