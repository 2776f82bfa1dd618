// `npm run release-check [ref]`: installs the previous release, fills it, brings it to this one under load, backs up while
// writes go on, restores in an empty folder and counts rows. The previous release is the newest tag, or without tags the
// commit before the newest migration.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../apps/server/src/free-port.ts'
import { startEmptyProviders } from '../../apps/server/test-support/providers-at.ts'
import { fillUser, Load } from './load.ts'
import { countRows, installedAt } from './installed.ts'

const root = join(import.meta.dirname, '../..')
const USERS = 5
const SECRET_OF_BACKUP = 'a passphrase of the release check'
/** Rows that come and go by themselves: queues, sessions, counters, what the start itself writes. */
const CHANGING =
  /^(jobs|attempt_counters|call_allowances|deployment_leases|known_places|kysely_migration(_lock)?|idempotent_calls|process_reports)$/

const folder = mkdtempSync(join(tmpdir(), 'tradewright-release-check-'))
// As root, PostgreSQL runs as another user, who has to reach the program of the previous release.
chmodSync(folder, 0o755)
const ref = process.argv[2] ?? previousRelease()
const previousFolder = join(folder, 'previous')
const failures: string[] = []
const providers = await startEmptyProviders()
const environment = { ...providers.environment, PORT: String(await freePort()), DATABASE_URL: '' }
const dataDir = join(folder, 'data')
const restoredDir = join(folder, 'restored')
const previous = installedAt(previousFolder, environment)
const current = installedAt(root, environment)
try {
  say(`previous release: ${git('log', '-1', '--format=%h %s', ref)}`)
  git('worktree', 'add', '--detach', previousFolder, ref)
  install(previousFolder)
  await upgradeUnderLoad()
  await backUpAndRestore()
  await refuseOldProgram()
} catch (error) {
  failures.push((error as Error).stack ?? String(error))
} finally {
  await previous.stop()
  await current.stop()
  await providers.close()
  spawnSync('git', ['worktree', 'remove', '--force', previousFolder], { cwd: root })
  rmSync(folder, { recursive: true, force: true })
}
for (const failure of failures) console.error(`FAILED ${failure}`)
say(failures.length === 0 ? 'The release check passed.' : `${failures.length} findings.`)
process.exit(failures.length === 0 ? 0 : 1)

async function upgradeUnderLoad(): Promise<void> {
  const address = await previous.start(dataDir)
  const users = await Promise.all(Array.from({ length: USERS }, (_, i) => fillUser(address, `user-${i}`)))
  say(`filled by ${users.length} users`)
  const load = new Load(users)
  await load.untilWritten(20)
  await previous.stop()
  const before = await countRows(dataDir)
  const stopped = performance.now()
  await current.start(dataDir)
  say(`upgraded; no answers for ${((performance.now() - stopped) / 1000).toFixed(1)} s`)
  await load.untilWritten(20)
  await load.stop()
  await check('after the upgrade', users, load)
  await current.stop()
  compare('the upgrade', before, await countRows(dataDir), (old, now) => now >= old)
}

async function check(when: string, users: readonly Awaited<ReturnType<typeof fillUser>>[], load: Load): Promise<void> {
  for (const user of users) {
    const lost = await load.lostBy(user)
    if (lost.length > 0)
      failures.push(`${when} ${user.name} misses ${lost.length} writes that were acknowledged: ${lost[0]}`)
    for (const path of user.lists) {
      const { status, text } = await user.get(path)
      // A ticker is written in capitals.
      if (status !== 200 || !text.toLowerCase().includes(user.name))
        failures.push(`${when} ${path} of ${user.name} answered ${status}: ${text.slice(0, 200)}`)
    }
  }
  say(
    `${when}: ${load.written} writes acknowledged, all there; ${load.unanswered} calls without an answer while it restarted`,
  )
}

async function backUpAndRestore(): Promise<void> {
  const address = await current.start(dataDir)
  const users = await Promise.all(
    Array.from({ length: USERS }, (_, i) => fillUser(address, `user-${i}`, { isKnown: true })),
  )
  const load = new Load(users)
  await load.untilWritten(5)
  const archive = join(folder, 'backup.tar.gz')
  say(
    current.command(
      'backup',
      { DATA_DIR: dataDir, BACKUP_PASSPHRASE: SECRET_OF_BACKUP },
      '--to',
      archive,
      '--secrets',
      '--test',
    ),
  )
  await load.stop()
  await current.stop()
  const before = await countRows(dataDir)
  say(current.command('restore', { DATA_DIR: restoredDir, BACKUP_PASSPHRASE: SECRET_OF_BACKUP }, '--from', archive))
  const restored = await countRows(restoredDir)
  // What was written after the archive began is not in it.
  compare(
    'the restore',
    before,
    restored,
    (old, now, table) => now === old || (table === 'ticker_lists' && now <= old && now > 0),
  )
  await current.start(restoredDir)
  for (const user of users) {
    const { status, text } = await user.get('/api/strategies')
    if (status !== 200 || !text.includes(user.name))
      failures.push(`the restored instance answers ${user.name} with ${status}`)
  }
  await current.stop()
  say(
    `restored: ${Object.values(restored).reduce((sum, count) => sum + count, 0)} rows of ${Object.keys(restored).length} tables`,
  )
}

async function refuseOldProgram(): Promise<void> {
  const said = await previous.start(dataDir).then(
    () => 'it started',
    (error: unknown) => String(error),
  )
  if (said.includes('newer Tradewright')) say('the previous program meets the newer tables and says so')
  else failures.push(`the previous program on newer tables: ${said}`)
}

type Counts = Readonly<Record<string, number>>

function compare(
  what: string,
  before: Counts,
  after: Counts,
  isFine: (old: number, now: number, table: string) => boolean,
): void {
  for (const [table, count] of Object.entries(before)) {
    if (CHANGING.test(table)) continue
    const now = after[table]
    // A table may be renamed or dropped by a migration; its rows are then checked by the calls that read them.
    if (now !== undefined && !isFine(count, now, table))
      failures.push(`${what}: ${table} had ${count} rows and has ${now}`)
  }
}

function install(at: string): void {
  say('installing the previous release …')
  const { status, stderr } = spawnSync(process.execPath, [join(at, 'scripts/prepare.mjs'), '--web'], {
    cwd: at,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the previous release could not be installed: ${stderr}`)
}

function previousRelease(): string {
  const tag = spawnSync('git', ['describe', '--tags', '--abbrev=0', 'HEAD^'], { cwd: root, encoding: 'utf8' })
  if (tag.status === 0) return tag.stdout.trim()
  return `${git('log', '-1', '--format=%H', '--', 'apps/server/src/stores/migrations')}^`
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

function say(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)
}
