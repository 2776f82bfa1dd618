import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPgBossCarrier } from '../src/adapters/pg-boss/job-carrier.ts'
import { startEmbeddedPostgres } from '../src/adapters/postgres/embedded-postgres.ts'
import { createLog } from '../src/log.ts'
import { connectDatabase } from '../src/stores/database.ts'
import { migrate } from '../src/stores/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that tests copy; nobody connects to it. */
    templateDatabaseUrl: string
  }
}

/** One real PostgreSQL for the whole run; each test file gets a database of its own, copied from a migrated one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog({ logLevel: 'silent' })
  const folder = mkdtempSync(join(tmpdir(), 'tradewright-test-'))
  const server = await startEmbeddedPostgres(join(folder, 'data'))
  const connection = connectDatabase(server.url, log, 2)
  await migrate(connection.database)
  // The queue makes its own tables when it starts; made here once, no test waits for them.
  const queue = await startPgBossCarrier(connection.pool, log)
  await queue.close()
  await connection.close()
  project.provide('templateDatabaseUrl', server.url)
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
