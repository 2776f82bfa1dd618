import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createLog } from '../src/log.ts'
import { connectDatabase, type DatabaseConnection } from '../src/stores/database.ts'

export interface TestDatabase extends DatabaseConnection {
  url: string
}

/** A database of its own, migrated and empty. `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = new URL(inject('templateDatabaseUrl'))
  const name = `test_${randomBytes(6).toString('hex')}`
  // The server waits for no disk here: copied files take less than pages that are written to its log one by one.
  await asAdministrator(template, `CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)} STRATEGY FILE_COPY`)
  const url = withDatabase(template, name)
  const connection = connectDatabase(url, createLog({ logLevel: 'silent' }), 5)
  return {
    ...connection,
    url,
    close: async () => {
      await connection.close()
      await asAdministrator(template, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** PostgreSQL copies a template for one at a time: the lock makes test files that start together wait their turn. */
async function asAdministrator(template: URL, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(template, 'postgres') })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock(1)')
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function withDatabase(url: URL, name: string): string {
  const copy = new URL(url)
  copy.pathname = `/${name}`
  return copy.href
}
