import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { importDaily } from '../../test-support/import-prices.ts'
import { caller } from '../../test-support/caller.ts'
import {
  APP_SECRET,
  BACKUP_PASSPHRASE,
  command,
  countsIn,
  emptyDatabase,
  rowCounts,
} from '../../test-support/operator-commands.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { sharedTestApp, type TestServer } from '../../test-support/test-app.ts'

let server: TestServer
beforeAll(async () => {
  server = await sharedTestApp()
  await importDaily(server, await caller(server), 'MINE', '2024-01-02', '2024-03-01')
})

it('restores every row into an empty PostgreSQL, and into no other', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'backup.tar.gz')
  const from = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir, APP_SECRET }
  // What a test restore left behind goes after a day: until then it may be one under way.
  const restored = (ago: number) => `tradewright_restore_test_${Date.now() - ago}_0123456789ab`
  const [underWay, leftBehind] = [restored(60_000), restored(2 * 86_400_000)]
  for (const name of [underWay, leftBehind]) await server.database.pool.query(`CREATE DATABASE ${name}`)
  expect((await command('backup', from, '--to', file, '--test')).stderr).toBe('')
  const tests = await server.database.pool.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE datname LIKE 'tradewright_restore_test_%'",
  )
  expect(tests.rows.map(({ datname }) => datname)).toEqual([underWay])
  await server.database.pool.query(`DROP DATABASE ${underWay}`)
  const counts = await countsIn(file)
  expect([counts['users']! > 0, counts['store_files']! > 0]).toEqual([true, true])
  const empty = await emptyDatabase()
  const target = { DATABASE_URL: empty.url, DATA_DIR: join(folder, 'other'), APP_SECRET }
  expect((await command('restore', target, '--from', file)).stderr).toBe('')
  expect(await rowCounts(empty.url)).toEqual(counts)
  expect((await command('restore', target, '--from', file)).stderr).toContain('This instance has users already')
  await empty.close()
})

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
