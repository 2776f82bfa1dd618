import { randomBytes } from 'node:crypto'
import type { TestDatabase } from '../test-database.ts'

/** Tables that only migrations write. */
const OF_MIGRATIONS = /^kysely/

/**
 * Keeps all rows of a database, as a backup does. What it answers brings them back: everything that was written since is
 * lost, while the broker goes on as it was.
 */
export async function keepRows({ pool }: TestDatabase): Promise<() => Promise<void>> {
  const schema = `kept_${randomBytes(4).toString('hex')}`
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  const tables = rows.map(({ name }) => name).filter((name) => !OF_MIGRATIONS.test(name))
  const copies = tables.map((name) => `CREATE TABLE ${schema}."${name}" AS TABLE public."${name}";`)
  await pool.query(`CREATE SCHEMA ${schema}; ${copies.join(' ')}`)
  return async () => {
    const client = await pool.connect()
    try {
      const restored = tables.map(
        (name) =>
          `DELETE FROM public."${name}"; INSERT INTO public."${name}" OVERRIDING SYSTEM VALUE SELECT * FROM ${schema}."${name}";`,
      )
      await client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${restored.join(' ')} COMMIT`)
    } finally {
      client.release()
    }
  }
}
