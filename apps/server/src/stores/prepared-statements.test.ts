import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { createLog } from '../log.ts'
import { connectDatabase, type DatabaseConnection } from './database.ts'

let database: TestDatabase
let connection: DatabaseConnection
beforeAll(async () => {
  database = await createTestDatabase()
  // One connection: what it has prepared is known.
  connection = connectDatabase(database.url, createLog({ logLevel: 'silent' }), 1)
})
afterAll(async () => {
  await connection.close()
  await database.close()
})

const prepared = async () =>
  (await sql<{ name: string }>`SELECT name FROM pg_prepared_statements`.execute(connection.database)).rows.map(
    ({ name }) => name,
  )

it('a statement that says its name is prepared once, and answers like any other', async () => {
  const sum = async (a: number, b: number) =>
    (await sql<{ sum: number }>`/* prepared: a-sum */ SELECT ${a}::int + ${b}::int AS sum`.execute(connection.database))
      .rows[0]!.sum
  expect([await sum(1, 2), await sum(3, 4)]).toEqual([3, 7])
  expect(await prepared()).toEqual(['a-sum'])
})

it('a statement without one is not', async () => {
  const { rows } = await sql<{ one: number }>`SELECT ${1}::int AS one`.execute(connection.database)
  expect(rows).toEqual([{ one: 1 }])
  expect(await prepared()).toEqual(['a-sum'])
})
