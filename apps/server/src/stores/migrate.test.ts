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
