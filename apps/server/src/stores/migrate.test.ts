import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { createTestUser } from '../../test-support/test-user.ts'
import { StartupFailure } from '../startup-failure.ts'
import { BASELINE, bringToBaseline, migrate, migrateTo, migrations, openToArchives } from './migrate.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('leaves a database alone that is as new as the program', async () => {
  await migrate(test.database)
})

it('leaves the database as it was when a migration fails, those before it included', async () => {
  const next: typeof migrations = {
    ...migrations,
    '9996-fine': { up: async (database) => void (await sql`CREATE TABLE of_fine (id integer)`.execute(database)) },
    '9997-broken': { up: () => Promise.reject(new Error('column "amount" contains null values')) },
  }
  await expect(migrate(test.database, next)).rejects.toThrow(
    'The database could not be brought to version 9997-broken: column "amount" contains null values. Nothing was changed: the previous Tradewright can be started again.',
  )
  const { rows } = await test.pool.query<{ fine: string | null; applied: number }>(
    `SELECT to_regclass('of_fine') AS fine, (SELECT count(*)::int FROM kysely_migration) AS applied`,
  )
  expect(rows).toEqual([{ fine: null, applied: Object.keys(migrations).length }])
  await migrate(test.database)
})

it('brings a database on that has a later migration and not an earlier one', async () => {
  const empty = { up: async () => {} }
  await migrate(test.database, { ...migrations, '9991-later': empty })
  await migrate(test.database, { ...migrations, '9990-earlier': empty, '9991-later': empty })
  const { rows } = await test.pool.query<{ name: string }>(
    `DELETE FROM kysely_migration WHERE name IN ('9990-earlier', '9991-later') RETURNING name`,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual(['9990-earlier', '9991-later'])
})

it('refuses a database of a newer program, names both versions and says what to do', async () => {
  await test.pool.query(
    `INSERT INTO kysely_migration (name, timestamp) VALUES ('9998-next', 'now'), ('9999-last', 'now')`,
  )
  const refused = migrate(test.database)
  await expect(refused).rejects.toBeInstanceOf(StartupFailure)
  const newestKnown = Object.keys(migrations).at(-1)
  await expect(refused).rejects.toThrow(
    `The database was last used by a newer Tradewright: it is at version 9999-last, and this program knows versions up to ${newestKnown}. Start the newer program again, or restore the backup that was made before the update.`,
  )
})

describe('a database of before the baseline', () => {
  let old: TestDatabase
  beforeAll(async () => {
    old = await createTestDatabase()
    await old.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await migrateTo(old.database, BASELINE)
    await openToArchives((statements) => old.pool.query(statements))
    await old.pool.query(`
      DROP TABLE security_events, api_key_networks, second_factors, recovery_codes, factor_challenges, alerts;
      ALTER TABLE users DROP COLUMN suspended_at;
      ALTER TABLE sessions DROP COLUMN factor_at;
      ALTER TABLE alert_channels DROP COLUMN escalation_minutes;
      ALTER TABLE deployments DROP COLUMN held_orders;
      ALTER TABLE deployment_decisions DROP COLUMN waits_for;
      ALTER TABLE order_intents DROP COLUMN cancel_asked_at;
      DELETE FROM kysely_migration;
      INSERT INTO kysely_migration VALUES ('0232-halted-tickers', 'now'), ('0250-links-with-passports', 'now')`)
  })
  afterAll(() => old.close())

  it('becomes that of the newest program, whichever of several processes comes first', async () => {
    await Promise.all([migrate(old.database), migrate(old.database), migrate(old.database)])
    expect(await schemaOf(old)).toEqual(await schemaOf(test))
    const { rows } = await old.pool.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations).sort())
  })

  it('loses no row that it had, and is not changed a second time', async () => {
    await createTestUser(old.database, 'earlier')
    await bringToBaseline((statements) => old.pool.query(statements))
    expect(await schemaOf(old)).toEqual(await schemaOf(test))
    expect((await old.pool.query('SELECT username FROM users')).rows).toEqual([{ username: 'earlier' }])
  })
})

/** Every column, constraint, index and trigger, by what they say. */
async function schemaOf({ pool }: TestDatabase): Promise<unknown[]> {
  const { rows } = await pool.query(`
    SELECT table_name AS place, column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') AS says
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'sequence', sequencename FROM pg_sequences WHERE schemaname = 'public'
    ORDER BY 1, 2`)
  return rows
}
