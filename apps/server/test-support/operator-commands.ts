import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { readArchive } from '../src/stores/backup/archive.ts'
import { programFile } from './program-files.ts'
import { compileCache } from './program.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** The secret of every test server. */
export const APP_SECRET = 'a secret that only tests know'
export const BACKUP_PASSPHRASE = 'a passphrase of the tests'

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** A command of the operator, in a process of its own. */
export async function command(
  name: 'account' | 'backup' | 'restore' | 'invite' | 'rotate-secret',
  environment: Record<string, string>,
  ...args: string[]
): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', ...compileCache, ...environment }
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [programFile(name), ...args], { env })) }
  } catch (error) {
    return error as Ended
  }
}

export async function rowCounts(url: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%' ORDER BY 1`,
    )
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      counts[name] = Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM "${name}"`)).rows[0]!.n)
    }
    return counts
  } finally {
    await client.end()
  }
}

/** The rows of an archive, by table. */
export async function countsIn(file: string): Promise<Record<string, number>> {
  const { manifest } = await readArchive(file, {
    async onPart(part) {
      if (part.is !== 'secret') for await (const _ of part.content);
    },
  })
  return Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows]))
}

/** A database without tables, as an operator makes one. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  return database
}
