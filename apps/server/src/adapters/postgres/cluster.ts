import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupFailure } from '../../startup-failure.ts'
import { errorCode } from '../../system-error.ts'
import { postgresBinaries, type PostgresBinaries } from './binaries.ts'
import { serverUser, type ServerUser } from './server-user.ts'

export const MAJOR_VERSION = '18'
const LOG_LIMIT_BYTES = 10 * 1024 * 1024

/** A PostgreSQL cluster on disk: its folder, its password, and how to run a program on it. */
export interface Cluster {
  folder: string
  logFile: string
  password: string
  /** Starts a server process that outlives a Ctrl-C in our terminal, so that we can finish our writes first. */
  spawnServer(port: number): ChildProcess
}

export const CLUSTER_USER = 'tradewright'

interface ClusterPlace {
  /** The folder's name in DATA_DIR. */
  readonly name?: string
  readonly major?: string
}

/** Opens the cluster below `dataDir`, creating it when there is none. */
export async function openCluster(
  dataDir: string,
  { name = 'postgres', major = MAJOR_VERSION }: ClusterPlace = {},
): Promise<Cluster> {
  const folder = join(dataDir, name)
  const user = serverUser(folder)
  const binaries = postgresBinaries(user, major === MAJOR_VERSION ? undefined : major)
  const passwordFile = join(dataDir, 'postgres.password')
  const logFile = join(dataDir, 'postgres.log')
  if (!existsSync(folder)) await createCluster(folder, passwordFile, user, binaries)
  checkCluster(folder, passwordFile, major)
  return {
    folder,
    logFile,
    password: readFileSync(passwordFile, 'utf8').trim(),
    spawnServer: (port) => spawnServer({ folder, logFile, user, binaries, port }),
  }
}

/** The major version of the database in DATA_DIR; undefined where there is none. */
export function clusterVersion(dataDir: string): string | undefined {
  const file = join(dataDir, 'postgres', 'PG_VERSION')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** Made under another name and moved when whole: a start cut short leaves nothing that looks like a database. */
async function createCluster(folder: string, passwordFile: string, user: ServerUser, binaries: PostgresBinaries) {
  const release = lockCreation(`${folder}.creating`, folder)
  try {
    // Another program may have finished it before the lock was free.
    if (!existsSync(folder)) await initialize(folder, passwordFile, user, binaries)
  } finally {
    release()
  }
}

/** Two programs that start on an empty folder would each remove what the other has begun. A killed one leaves its file behind. */
function lockCreation(lockFile: string, folder: string): () => void {
  const create = () => writeFileSync(lockFile, `${process.pid}\n`, { mode: 0o600, flag: 'wx' })
  try {
    create()
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const pid = Number(readFileSync(lockFile, 'utf8'))
    if (pid !== process.pid && isAlive(pid)) {
      throw new StartupFailure(
        `Another program (process ${pid}) is creating the database in ${folder}. Try again in a moment.`,
      )
    }
    rmSync(lockFile, { force: true })
    create()
  }
  return () => rmSync(lockFile, { force: true })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

async function initialize(folder: string, passwordFile: string, user: ServerUser, binaries: PostgresBinaries) {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (user.identity) chownSync(unfinished, user.identity.uid, user.identity.gid)
  // An upgrade makes the new database beside the old one: both have the same password.
  const known = existsSync(passwordFile) ? readFileSync(passwordFile, 'utf8').trim() : ''
  const password = known || randomBytes(24).toString('base64url')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  const passwordForInitdb = temporarySecret(password, user)
  try {
    await runInitdb(unfinished, passwordForInitdb, user, binaries)
  } finally {
    rmSync(passwordForInitdb, { force: true })
  }
  renameSync(unfinished, folder)
}

function temporarySecret(secret: string, user: ServerUser): string {
  const file = join(tmpdir(), `tradewright-${randomBytes(12).toString('hex')}`)
  writeFileSync(file, secret, { mode: 0o600, flag: 'wx' })
  if (user.identity) chownSync(file, user.identity.uid, user.identity.gid)
  return file
}

async function runInitdb(folder: string, passwordFile: string, user: ServerUser, binaries: PostgresBinaries) {
  const at = reachable(folder, user)
  const args = ['-D', at.path, '-U', CLUSTER_USER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '-E', 'UTF8']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const child = spawn(
    binaries.initdb,
    [...args, ...locale],
    processOptions(user, ['ignore', 'pipe', 'pipe', ...at.handles]),
  )
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  at.release()
  if (code !== 0) throw new StartupFailure(`The database could not be created in ${folder}: ${lastLine(output)}`)
}

const LOOK_AT_LOG_MS = 60_000

/** The server appends to it, so that it goes on at the beginning. */
export function boundLog(logFile: string): () => void {
  const timer = setInterval(() => cutLog(logFile), LOOK_AT_LOG_MS)
  timer.unref()
  return () => clearInterval(timer)
}

export function cutLog(logFile: string): void {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) truncateSync(logFile)
}

interface ServerStart {
  folder: string
  logFile: string
  user: ServerUser
  binaries: PostgresBinaries
  port: number
}

function spawnServer({ folder, logFile, user, binaries, port }: ServerStart): ChildProcess {
  cutLog(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const at = reachable(folder, user)
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    // A password over loopback works the same on every system; socket paths have a length limit.
    unix_socket_directories: '',
    max_connections: 200,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const options = processOptions(user, ['ignore', log, log, ...at.handles])
  const child = spawn(binaries.postgres, ['-D', at.path, ...args], { ...options, detached: true })
  child.unref()
  closeSync(log)
  at.release()
  return child
}

/**
 * As root we may own folders that the server's user cannot walk through (0700 above the data). Linux resolves
 * /proc/self/fd/N without walking, so the server gets the open folder itself instead of a path to it.
 */
function reachable(folder: string, user: ServerUser): { path: string; handles: number[]; release(): void } {
  if (!user.identity || process.platform !== 'linux') return { path: folder, handles: [], release: () => {} }
  const handle = openSync(folder, 'r')
  return { path: '/proc/self/fd/3', handles: [handle], release: () => closeSync(handle) }
}

function processOptions(user: ServerUser, stdio: SpawnOptions['stdio']): SpawnOptions {
  // A clean environment: PGDATA, PGPORT and the like of the machine are not ours.
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }
  return { ...user.identity, cwd: '/', env, stdio }
}

function checkCluster(folder: string, passwordFile: string, major: string): void {
  const advice = 'Restore DATA_DIR from a backup, or set DATA_DIR to another folder to start empty.'
  if (!statSync(folder).isDirectory() || !readdirSync(folder).includes('PG_VERSION')) {
    throw new StartupFailure(`${folder} is damaged: it does not hold a PostgreSQL database. ${advice}`)
  }
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (version !== major) {
    const hint = Number(version) < Number(major) ? 'Start the program once to upgrade the database.' : advice
    throw new StartupFailure(`${folder} holds a PostgreSQL ${version} database, this needs ${major}. ${hint}`)
  }
  if (!existsSync(passwordFile)) throw new StartupFailure(`${passwordFile} is missing. ${advice}`)
}

export function lastLine(text: string): string {
  const lines = text.trim().split('\n')
  const fatal = lines.findLast((line) => /FATAL|PANIC|error:/.test(line))
  return (fatal ?? lines.at(-1) ?? 'no message').replace(/^.*?(FATAL|PANIC|error):\s*/, '').trim()
}
