import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

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
