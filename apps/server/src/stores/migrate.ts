import { sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'
import { StartupFailure } from '../startup-failure.ts'
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

/**
 * What the last programs before the baseline had migrated to: some had made a few more of the changes below. None of them was
 * released, so all from here to the end of the file goes with the first release.
 */
const LAST_BEFORE = '0250-links-with-passports'

/** Runs statements within a transaction. */
type RunSql = (statements: string) => Promise<{ rows: Record<string, unknown>[] }>

/** Whether a database or an archive with these migrations can be brought to the baseline. */
export const isBeforeBaseline = (applied: readonly string[]): boolean => applied.includes(LAST_BEFORE)

/** Brings tables of before the baseline to it. What is done already stays. */
export async function bringToBaseline(run: RunSql): Promise<void> {
  for (const block of accounts.trim().split('\n\n')) {
    const table = /^CREATE TABLE (\w+)/m.exec(block)?.[1]
    if (table === undefined) continue
    const { rows } = await run(`SELECT to_regclass('${table}') IS NOT NULL AS found`)
    if (rows[0]?.['found'] !== true) await run(block)
  }
  await run(`
    ALTER TABLE users ADD COLUMN IF NOT EXISTS suspended_at timestamptz;
    ALTER TABLE sessions ADD COLUMN IF NOT EXISTS factor_at timestamptz;
    ALTER TABLE alert_channels ADD COLUMN IF NOT EXISTS escalation_minutes integer NOT NULL DEFAULT 0;
    ALTER TABLE deployments ADD COLUMN IF NOT EXISTS held_orders jsonb;
    ALTER TABLE deployment_decisions ADD COLUMN IF NOT EXISTS waits_for jsonb;
    ALTER TABLE order_intents ADD COLUMN IF NOT EXISTS cancel_asked_at timestamptz;
    ALTER TABLE data_stores DROP COLUMN IF EXISTS may_have_log;
    ALTER SEQUENCE IF EXISTS deployment_mails_id_seq RENAME TO deployment_messages_id_seq;
    ALTER INDEX IF EXISTS deployment_mails_pkey RENAME TO deployment_messages_pkey;
    ALTER TABLE deployment_messages DROP CONSTRAINT IF EXISTS deployment_mails_state_check,
      DROP CONSTRAINT IF EXISTS deployment_messages_state_check, DROP CONSTRAINT IF EXISTS deployment_mails_deployment_id_fkey,
      DROP CONSTRAINT IF EXISTS deployment_messages_deployment_id_fkey,
      ADD FOREIGN KEY (deployment_id) REFERENCES deployments ON DELETE CASCADE,
      ADD CHECK (state IN ('waiting', 'sent', 'given_up'));
    -- Records packed before their number was kept are in a form that is not read any more: their history ends.
    WITH unread AS (DELETE FROM store_removed_rows WHERE records = 0 RETURNING catalogue_id, version)
    UPDATE store_catalogues SET history_from_version = greatest(history_from_version, newest)
    FROM (SELECT catalogue_id, max(version) AS newest FROM unread GROUP BY catalogue_id) AS ended
    WHERE id = ended.catalogue_id;`)
}

/** Gives tables of the baseline what an archive of before has: `bringToBaseline` takes it away again. */
export async function openToArchives(run: RunSql): Promise<void> {
  await run(`
    ALTER TABLE data_stores ADD COLUMN may_have_log boolean;
    ALTER SEQUENCE deployment_messages_id_seq RENAME TO deployment_mails_id_seq`)
}
