import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { StartupFailure } from '../startup-failure.ts'
import { migrate, migrations } from './migrate.ts'

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
