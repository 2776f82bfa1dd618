import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import { StartupFailure } from '../../startup-failure.ts'

interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** The next numbers of columns that count on; a sequence that was never used has none. */
type SequenceValues = Readonly<Record<string, string | null>>

const name = pg.escapeIdentifier

/** Our tables with the columns that hold something of their own. The queue's schema is not among them: jobs are sent anew. */
export async function tablesOf(client: pg.ClientBase): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0
       AND NOT attisdropped AND attgenerated = '' AND relname <> ALL($1)
     GROUP BY relname ORDER BY relname`,
    [[DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE]],
  )
  return rows
}

/** The rows of a table in PostgreSQL's text format, as the client's transaction sees them. */
export function copyOut(client: pg.ClientBase, table: CopiedTable): Readable & { rowCount: number } {
  return client.query(copyTo(`COPY ${name(table.name)} (${columnsOf(table)}) TO STDOUT`))
}

/** Gives the number of rows. */
export async function copyIn(
  client: pg.ClientBase,
  table: CopiedTable,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  const sink = client.query(copyFrom(`COPY ${name(table.name)} (${columnsOf(table)}) FROM STDIN`))
  await pipeline(Readable.from(content, { objectMode: false }), sink)
  return sink.rowCount
}

export async function sequencesOf(client: pg.ClientBase): Promise<SequenceValues> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() ORDER BY 1`,
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.value]))
}

export async function setSequences(client: pg.ClientBase, values: SequenceValues): Promise<void> {
  for (const [sequence, value] of Object.entries(values)) {
    if (value !== null) await client.query('SELECT setval($1::regclass, $2::bigint)', [name(sequence), value])
  }
}

/**
 * Empties the tables and runs `fill` while no reference and no trigger is checked: tables come in any order, and what a
 * trigger wrote is among the rows. The references are checked as they are made again. Needs no superuser.
 */
export async function withoutChecks(
  client: pg.ClientBase,
  tables: readonly CopiedTable[],
  fill: () => Promise<void>,
): Promise<void> {
  const names = tables.map((table) => name(table.name))
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  )
  for (const one of references) await client.query(`ALTER TABLE ${one.table} DROP CONSTRAINT ${name(one.name)}`)
  for (const table of names) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await client.query(`TRUNCATE ${names.join(', ')}`)
  await fill()
  for (const table of names) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  for (const one of references) {
    await client.query(`ALTER TABLE ${one.table} ADD CONSTRAINT ${name(one.name)} ${one.definition}`)
  }
}

const columnsOf = ({ columns }: CopiedTable): string => columns.map(name).join(', ')

/** A connection of its own, which the caller ends. */
export async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'tradewright command' })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (cause) {
    const reason = cause instanceof AggregateError ? String(cause.errors[0]) : (cause as Error).message
    throw new StartupFailure(`The database cannot be reached: ${reason}.`, { cause })
  }
}

/** Whether a program works on the database: each process of the program has one connection for messages. */
export async function hasPrograms(url: string): Promise<boolean> {
  const client = await connectClient(url)
  try {
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = 'tradewright notifications') AS found`,
    )
    return rows[0]!.found
  } finally {
    await client.end()
  }
}
