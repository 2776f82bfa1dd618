import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { injectSend } from '../../test-support/fuzz/inject-send.ts'
import { type PlantedUser, plantUser } from '../../test-support/fuzz/planted-user.ts'
import { startStandIns, type StandIns } from '../../test-support/fuzz/stand-ins.ts'
import {
  APP_SECRET,
  BACKUP_PASSPHRASE,
  command,
  countsIn,
  emptyDatabase,
  rowCounts,
} from '../../test-support/operator-commands.ts'
import { startProgram } from '../../test-support/program.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'
import { startEmbeddedPostgres } from '../adapters/postgres/embedded-postgres.ts'
import { projectFolder } from '../config.ts'
import { lockInstance } from '../instance-lock.ts'
import { migrations } from '../stores/migrate.ts'

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

      // The way back starts from the program's own database while it runs into another PostgreSQL.
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
