import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { injectSend } from '../../test-support/fuzz/inject-send.ts'
import { type PlantedUser, plantUser } from '../../test-support/fuzz/planted-user.ts'
import { startStandIns, type StandIns } from '../../test-support/fuzz/stand-ins.ts'
import { compileCache, startProgram } from '../../test-support/program.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'
import { createTestDatabase } from '../../test-support/test-database.ts'
import { startEmbeddedPostgres } from '../adapters/postgres/embedded-postgres.ts'
import { projectFolder } from '../config.ts'
import { lockInstance } from '../instance-lock.ts'
import { readArchive } from '../stores/backup/archive.ts'
import { migrations } from '../stores/migrate.ts'

const APP_SECRET = 'a secret that only tests know'
const BACKUP_PASSPHRASE = 'a passphrase of the tests'

let standIns: StandIns
let server: TestApp
let user: PlantedUser
beforeAll(async () => {
  standIns = await startStandIns()
  server = await createTestApp({ environment: standIns.environment })
  const send = injectSend(server.app)
  user = await plantUser({ send, name: 'owner', customApi: standIns.customApi, hasAlpaca: false })
  if (process.env['WRITE_FIXTURE']) await writeFixture()
})
afterAll(async () => {
  await server.close()
  await standIns.close()
})

interface Ended {
  code: number
  stdout: string
  stderr: string
}

async function command(
  name: 'backup' | 'restore',
  environment: Record<string, string>,
  ...args: string[]
): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', ...compileCache, ...environment }
  const file = join(import.meta.dirname, `${name}.ts`)
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [file, ...args], { env })) }
  } catch (error) {
    return error as Ended
  }
}

/** A user may have 200 ticker lists. */
const MAX_WRITES = 190
const WRITE_INTERVAL_MS = 40

/** Saves ticker lists one after the other until it is told to stop; gives how many. */
function keepWriting(): () => Promise<number> {
  const stopping = new AbortController()
  const write = async () => {
    let written = 0
    for (; !stopping.signal.aborted && written < MAX_WRITES; written++) {
      const payload = { name: `while-${written}`, list_type: 'target', tickers: ['SPY', 'TLT'] }
      const url = '/api/ticker-lists'
      const answer = await server.app.inject({ method: 'POST', url, headers: user.headers, payload })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      await delay(WRITE_INTERVAL_MS)
    }
    return written
  }
  const writing = write()
  return () => {
    stopping.abort()
    return writing
  }
}

async function rowCounts(url: string): Promise<Record<string, number>> {
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

async function countsIn(file: string): Promise<Record<string, number>> {
  const { manifest } = await readArchive(file, {
    async onPart(part) {
      if (part.is !== 'secret') for await (const _ of part.content);
    },
  })
  return Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows]))
}

it(
  'backs up while writes go on, and restores into the own database of another folder',
  { timeout: 300_000 },
  async () => {
    const folder = temporaryFolder()
    const [file, dataDir] = [join(folder, 'backup.tar.gz'), join(folder, 'data')]
    const from = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir, APP_SECRET, BACKUP_PASSPHRASE }
    const stop = keepWriting()
    const made = await command('backup', from, '--to', file, '--secrets', '--test')
    const written = await stop()
    expect(made.stderr).toBe('')
    expect(made.stdout).toMatch(/^Backed up [\d,]+ rows of \d+ tables and \d+ series files: /)
    expect(made.stdout).toContain('Test restore: every row and every file is there.')
    expect(readdirSync(server.dataDir).filter((name) => name.startsWith('backup-'))).toEqual([])

    const restored = await command('restore', { DATA_DIR: dataDir, BACKUP_PASSPHRASE }, '--from', file)
    expect(restored.stderr).toBe('')
    expect(readFileSync(join(dataDir, 'app-secret'), 'utf8').trim()).toBe(APP_SECRET)
    expect(restored.stdout).toContain('Nothing is sent to brokers, from any machine')

    const program = await startProgram({ DATA_DIR: dataDir, ...standIns.environment })
    try {
      const login = { email: user.username, password: user.password }
      const call = (path: string, init?: RequestInit) => fetch(`${program.url}${path}`, init)
      const headers = { 'content-type': 'application/json' }
      const signedIn = await call('/api/login', { method: 'POST', headers, body: JSON.stringify(login) })
      expect(signedIn.status).toBe(200)
      const cookie = signedIn.headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; ')
      const lists = (await (await call('/api/ticker-lists', { headers: { cookie } })).json()) as {
        lists: { name: string }[]
      }
      const kept = JSON.stringify(lists).match(/while-\d+/g)?.length ?? 0
      expect(kept, 'lists that were saved before the instant of the backup').toBeLessThanOrEqual(written)
      const body = JSON.stringify({ tickers: [user.canary.toUpperCase()] })
      const browsed = await call('/api/data-collector/data/browse', {
        method: 'POST',
        headers: { ...headers, cookie },
        body,
      })
      const { records } = (await browsed.json()) as { records: { value: number }[] }
      expect(records.map(({ value }) => value)).toEqual([101, 100])

      // And back, from the program's own database while it runs into another PostgreSQL.
      const second = join(folder, 'second.tar.gz')
      expect((await command('backup', { DATA_DIR: dataDir }, '--to', second)).stderr).toBe('')
      const empty = await emptyDatabase()
      const target = { DATABASE_URL: empty.url, DATA_DIR: join(folder, 'other'), APP_SECRET }
      expect((await command('restore', target, '--from', second)).stderr).toBe('')
      expect(await rowCounts(empty.url)).toEqual(await countsIn(second))
      expect((await command('restore', target, '--from', second)).stderr).toBe(
        'This instance has users already: a backup is restored into an empty one. Set DATA_DIR to a new folder, or DATABASE_URL to an empty database.\n',
      )
      const leases = () =>
        empty.pool.query<{ held: boolean }>('SELECT NOT isfinite(expires_at) AS held FROM deployment_leases')
      expect((await leases()).rows, 'nothing is sent to brokers').toEqual([{ held: true }])
      expect((await command('restore', target, '--trade')).stdout).toMatch(
        /^0 deployments .* may trade from now on\.\n$/,
      )
      expect((await leases()).rows).toEqual([])
      await empty.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      expect(await command('restore', target, '--from', second, '--trade')).toMatchObject({
        stderr: '',
        stdout: expect.stringContaining('Deployments that were running continue at the start.'),
      })
      expect((await leases()).rows).toEqual([])
      await empty.close()
      expect((await command('restore', { DATA_DIR: dataDir }, '--from', second)).stderr).toBe(
        'Stop every web process and worker of this instance first.\n',
      )
    } finally {
      await program.stop()
    }
  },
)

it('refuses an archive that was cut, changed or is none, and one without its passphrase', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'backup.tar.gz')
  const from = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir, APP_SECRET, BACKUP_PASSPHRASE }
  expect((await command('backup', from, '--to', file, '--secrets')).stderr).toBe('')
  const whole = readFileSync(file)
  const restore = async (bytes: Buffer, more = {}) => {
    writeFileSync(file, bytes)
    const ended = await command('restore', { DATA_DIR: join(folder, 'data'), ...more }, '--from', file)
    rmSync(join(folder, 'data'), { recursive: true, force: true })
    return ended.stderr.replace(file, 'FILE')
  }
  expect(await restore(whole.subarray(0, whole.length / 2))).toMatch(/^FILE (cannot be read|is incomplete)/)
  expect(await restore(Buffer.from('something else'))).toMatch(/^FILE cannot be read/)
  expect(await restore(whole)).toBe(
    'The archive has a sealed secret: set BACKUP_PASSPHRASE to open it, or APP_SECRET instead.\n',
  )
  expect(await restore(whole, { BACKUP_PASSPHRASE: 'not the passphrase' })).toBe(
    'BACKUP_PASSPHRASE does not open the secret in this archive.\n',
  )
  const started = join(folder, 'started')
  mkdirSync(started)
  writeFileSync(join(started, 'app-secret'), 'the secret of a first start\n')
  expect(await restore(whole, { BACKUP_PASSPHRASE, DATA_DIR: started })).toMatch(
    /app-secret is not the secret of the archive: .* Set DATA_DIR to a new folder/,
  )
  expect(readFileSync(join(started, 'app-secret'), 'utf8')).toBe('the secret of a first start\n')
})

it('repeats a restore whose database a kill left running, and refuses beside one under way', async () => {
  const folder = temporaryFolder()
  const [file, dataDir] = [join(folder, 'backup.tar.gz'), join(folder, 'data')]
  const from = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir, APP_SECRET }
  expect((await command('backup', from, '--to', file)).stderr).toBe('')
  const left = await startEmbeddedPostgres(dataDir)
  const other = await lockInstance(left.url, dataDir)
  expect((await command('restore', { DATA_DIR: dataDir, APP_SECRET }, '--from', file)).stderr).toContain(
    `Another Tradewright is running on DATA_DIR ${dataDir}.`,
  )
  await other.release()
  expect((await command('restore', { DATA_DIR: dataDir, APP_SECRET }, '--from', file)).stderr).toBe('')
  await left.gone()
})

/** For the test of upgrades: named after the newest migration. */
async function writeFixture(): Promise<void> {
  const to = join(projectFolder, 'fixtures', 'upgrade', `${Object.keys(migrations).at(-1)}.tar.gz`)
  const from = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir }
  expect((await command('backup', from, '--to', to)).stderr).toBe('')
}

async function emptyDatabase() {
  const database = await createTestDatabase()
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  return database
}

it('backs up no instance that is not there, and makes none', async () => {
  const dataDir = join(temporaryFolder(), 'mistaken')
  const file = join(temporaryFolder(), 'backup.tar.gz')
  const nowhere = await command('backup', { DATA_DIR: dataDir }, '--to', file)
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    `There is no Tradewright in ${dataDir}. Set DATA_DIR or DATABASE_URL to the one that the instance uses.\n`,
  ])
  expect([existsSync(dataDir), existsSync(file)]).toEqual([false, false])
})
