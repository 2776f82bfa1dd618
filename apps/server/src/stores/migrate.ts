import { sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'
import { StartupFailure } from '../startup-failure.ts'
import { bringToBaseline, isBeforeBaseline } from './bridge.ts'
import type { Database, DatabaseTransaction } from './database.ts'
import { accounts } from './schema/accounts.ts'
import { research } from './schema/research.ts'
import { trading } from './schema/trading.ts'

export const BASELINE = '0001-baseline'

/** In order, and never changed once released: a correction is a new migration. */
export const migrations: Record<string, Migration> = {
  [BASELINE]: {
    async up(database) {
      for (const schema of [accounts, research, trading]) await sql.raw(schema).execute(database)
    },
  },
  '0002-stops-and-paper-fills': {
    async up(database) {
      await sql`ALTER TABLE deployments ADD COLUMN stops jsonb`.execute(database)
      await sql`ALTER TABLE paper_accounts ADD COLUMN fill_model text NOT NULL DEFAULT 'last_price'`.execute(database)
    },
  },
  '0003-live-processes': {
    async up(database) {
      await sql`CREATE TABLE live_processes (
        holder uuid PRIMARY KEY, capacity integer NOT NULL, seen_at timestamptz NOT NULL)`.execute(database)
    },
  },
}

/** The version of the tables that this program works with. */
export const newestMigration = Object.keys(migrations).at(-1)!

/** Brings the database to the newest version. Several processes may start at once: the migrator takes a lock. */
export async function migrate(database: Database, known = migrations): Promise<void> {
  await crossToBaseline(database)
  await refuseNewer(database, known)
  const { error, results } = await migratorOf(database, known).migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName
  if (failed === undefined) throw asError(error)
  // All of them are one transaction.
  throw new StartupFailure(
    `The database could not be brought to version ${failed}: ${asError(error).message}. Nothing was changed: the previous Tradewright can be started again.`,
    { cause: error },
  )
}

/** An empty database as a program had it whose newest migration this is. */
export async function migrateTo(database: Database, name: string): Promise<void> {
  const { error } = await migratorOf(database, migrations).migrateTo(name)
  if (error !== undefined) throw asError(error)
}

const migratorOf = (database: Database, known: Record<string, Migration>): Migrator =>
  new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(known) },
    // Numbers are given when work begins: one that ends later may have the lower number, and comes to databases that have
    // the higher one already.
    allowUnorderedMigrations: true,
  })

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('migration failed', { cause: error })

/** Tables of before the baseline become those of the baseline, in one transaction; of several processes one does it. */
async function crossToBaseline(database: Database): Promise<void> {
  if (!isBeforeBaseline(await appliedMigrations(database))) return
  await database.transaction().execute(async (transaction) => {
    const list = sql.table(DEFAULT_MIGRATION_TABLE)
    await sql`LOCK TABLE ${list}`.execute(transaction)
    if (!isBeforeBaseline(await appliedMigrations(transaction))) return
    await bringToBaseline((statements) => sql.raw<Record<string, unknown>>(statements).execute(transaction))
    await sql`DELETE FROM ${list}`.execute(transaction)
    await sql`INSERT INTO ${list} (name, timestamp) VALUES (${BASELINE}, ${new Date().toISOString()})`.execute(
      transaction,
    )
  })
}

/** A newer program has changed the tables in ways that this one does not know. */
async function refuseNewer(database: Database, all: Record<string, Migration>): Promise<void> {
  const known = Object.keys(all)
  const newest = (await appliedMigrations(database)).findLast((name) => !known.includes(name))
  if (newest === undefined) return
  throw new StartupFailure(
    `The database was last used by a newer Tradewright: it is at version ${newest}, and this program knows versions up to ${known.at(-1)}. Start the newer program again, or restore the backup that was made before the update.`,
  )
}

async function appliedMigrations(database: Database | DatabaseTransaction): Promise<string[]> {
  const table = sql<{ found: string | null }>`SELECT to_regclass(${DEFAULT_MIGRATION_TABLE}) AS found`
  const isNew = (await table.execute(database)).rows[0]?.found === null
  if (isNew) return []
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)} ORDER BY name`.execute(database)
  return rows.map(({ name }) => name)
}
