import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { tables } from './tables.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

interface RealColumn {
  table_name: string
  column_name: string
  data_type: string
  is_nullable: string
  has_default: boolean
}

it('describes every table as it is in the database', async () => {
  const { rows } = await sql<RealColumn>`
    SELECT table_name, column_name, data_type, is_nullable,
           (column_default IS NOT NULL OR is_identity = 'YES') AS has_default
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%'`.execute(test.database)
  const real = rows.map((row) => ({
    column: `${row.table_name}.${row.column_name}`,
    type: row.data_type,
    isNullable: row.is_nullable === 'YES',
    hasDefault: row.has_default,
  }))
  const described = Object.entries(tables).flatMap(([table, columns]) =>
    Object.entries(columns).map(([name, { type, isNullable, hasDefault }]) => ({
      column: `${table}.${name}`,
      type,
      isNullable,
      hasDefault,
    })),
  )
  const byColumn = (a: { column: string }, b: { column: string }) => (a.column < b.column ? -1 : 1)
  expect(described.sort(byColumn)).toEqual(real.sort(byColumn))
})
