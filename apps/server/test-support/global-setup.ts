import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableMemory } from 'node:process'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPgBossCarrier } from '../src/adapters/pg-boss/job-carrier.ts'
import { startEmbeddedPostgres } from '../src/adapters/postgres/embedded-postgres.ts'
import { projectFolder } from '../src/config.ts'
import { createLog } from '../src/log.ts'
import { connectDatabase } from '../src/stores/database.ts'
import { migrate } from '../src/stores/migrate.ts'
import { bundlePrograms } from './bundle-programs.ts'
import { copyDataDir } from './copy-data-dir.ts'
import { BUNDLE_FOLDER } from './program-files.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that tests copy; no test connects to it. */
    templateDatabaseUrl: string
    /** A folder with a migrated database that no program runs; `ready-data-dir.ts` copies it. */
    readyDataDir: string
    /** Deleted when the run ends. */
    runFolder: string
  }
}

/** One real PostgreSQL for the whole run; each test file gets a database of its own, copied from a migrated one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(databaseParent(), 'tradewright-test-'))
  const [ready, data] = [join(folder, 'ready'), join(folder, 'data')]
  const runFolder = mkdtempSync(join(tmpdir(), 'tradewright-run-'))
  // Below the project, where they find their packages.
  const cache = join(projectFolder, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const programs = mkdtempSync(join(cache, 'programs-'))
  await Promise.all([makeReady(ready), bundlePrograms(programs)])
  process.env[BUNDLE_FOLDER] = programs
  copyDataDir(ready, data)
  // Tests connect thousands of times, and a password takes half of the processor time of a connection. It is checked on
  // databases of their own.
  writeFileSync(join(data, 'postgres', 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
  const server = await startEmbeddedPostgres(data)
  await trustThePower(server.url)
  project.provide('readyDataDir', ready)
  project.provide('runFolder', runFolder)
  project.provide('templateDatabaseUrl', server.url)
  return async () => {
    await server.stop()
    for (const made of [folder, programs, runFolder]) rmSync(made, { recursive: true, force: true })
  }
}

/** Several databases of 12 MB each, their log, and room for tests that fill tables. */
const MEMORY_FOLDER_BYTES = 2 ** 31

/** Linux keeps this folder in memory: each of the databases is a copy of 400 files, deleted after a few seconds. */
function databaseParent(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory) || availableMemory() < 2 * MEMORY_FOLDER_BYTES) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > MEMORY_FOLDER_BYTES ? memory : tmpdir()
}

/** Thrown away with the run: it waits for no disk. What outlives a crash is shown on databases of their own. */
async function trustThePower(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum']) {
    await client.query(`ALTER SYSTEM SET ${setting} = off`)
  }
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}

/** Made once: a new database takes longer than the program on it. */
async function makeReady(dataDir: string): Promise<void> {
  const log = createLog({ logLevel: 'silent' })
  const server = await startEmbeddedPostgres(dataDir)
  const connection = connectDatabase(server.url, log, 2)
  await migrate(connection.database)
  // The queue makes its own tables when it starts.
  const queue = await startPgBossCarrier(connection.pool, log)
  await queue.close()
  await connection.close()
  await server.stop()
}
