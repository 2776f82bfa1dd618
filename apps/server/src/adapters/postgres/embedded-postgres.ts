import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../free-port.ts'
import { StartupFailure } from '../../startup-failure.ts'
import { errorCode } from '../../system-error.ts'
import { boundLog, CLUSTER_USER, isAlive, lastLine, openCluster, type Cluster } from './cluster.ts'
import { makePrivate } from '../../private-folder.ts'
import type { Logger } from '../../log.ts'
import { restartDelay } from '../../restart-delay.ts'

export const DATABASE = 'tradewright'
const READY_WITHIN_MS = 60_000
const ADOPTED_POLL_MS = 250

interface EmbeddedPostgres {
  url: string
  /** True when the server was left running by a program that died: we go on with it. */
  adopted: boolean
  /** Resolves when the server process has ended, ordered or not. */
  gone(): Promise<void>
  /** Starts it again at the same address after it has gone; rejects with the reason when it does not start. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

/** Starts the project's own PostgreSQL below `dataDir`, or adopts the one that a killed program left running there. */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  makeDataDir(dataDir)
  const cluster = await openCluster(dataDir)
  const opened = await openServer(cluster)
  let { server } = opened
  const stopBounding = boundLog(cluster.logFile)
  await ensureDatabase(urlOf(cluster, server.port, 'postgres'))
  return {
    url: urlOf(cluster, server.port, DATABASE),
    adopted: opened.isAdopted,
    gone: () => server.gone,
    async startAgain() {
      // Removes the lock file of the dead one. One that runs there belongs to another program: ours would not start.
      runningServer(cluster)
      server = await startServer(cluster, server.port)
    },
    stop() {
      stopBounding()
      return server.stop()
    },
  }
}

/** Starts the server of a cluster, or adopts the one that a killed program left running there. */
export async function openServer(cluster: Cluster): Promise<{ server: RunningServer; isAdopted: boolean }> {
  const left = runningServer(cluster)
  const server = left ? await adopt(cluster, left) : await startServer(cluster, await freePort())
  return { server, isAdopted: left !== undefined }
}

/** Ends a server that a killed program left running in a folder, which is about to be removed. */
export async function endServerIn(folder: string): Promise<void> {
  const left = runningServer({ folder })
  if (left) await stopServer(left.pid)
}

export interface RunningServer {
  port: number
  /** Resolves when the process has ended. */
  gone: Promise<void>
  stop(): Promise<void>
}

function makeDataDir(dataDir: string): void {
  const probe = join(dataDir, '.write-test')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    makePrivate(dataDir)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (cause) {
    const code = errorCode(cause)
    throw new StartupFailure(
      `DATA_DIR ${dataDir} cannot be written (${code}). Make it writable, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

/** The server that the cluster's lock file names, if it is really alive; a stale lock file is removed. */
function runningServer(cluster: Pick<Cluster, 'folder'>): { pid: number; port: number } | undefined {
  const lockFile = join(cluster.folder, 'postmaster.pid')
  if (!existsSync(lockFile)) return undefined
  const [pid, , , port] = readFileSync(lockFile, 'utf8').split('\n').map(Number)
  if (pid && isServerOf(pid, cluster)) return { pid, port: port ?? 0 }
  rmSync(lockFile, { force: true })
  return undefined
}

/** The process number may belong to another program by now; where /proc exists its folder is compared, too. */
function isServerOf(pid: number, cluster: Pick<Cluster, 'folder'>): boolean {
  if (!isAlive(pid)) return false
  if (!existsSync('/proc/self/cwd')) return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster.folder)
  } catch {
    return false
  }
}

/** A server that another process started gives no event when it ends. */
async function untilDead(pid: number): Promise<void> {
  while (isAlive(pid)) await pause(ADOPTED_POLL_MS, undefined, { ref: false })
}

async function adopt(cluster: Cluster, { pid, port }: { pid: number; port: number }): Promise<RunningServer> {
  await untilReady(cluster, port, () => isAlive(pid))
  return { port, gone: untilDead(pid), stop: () => stopServer(pid) }
}

export async function startServer(cluster: Cluster, port: number): Promise<RunningServer> {
  const logStart = statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0
  const child = cluster.spawnServer(port)
  let isGone = false
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  }).then(() => void (isGone = true))
  try {
    await untilReady(cluster, port, () => !isGone)
  } catch (error) {
    child.kill('SIGQUIT')
    throw isGone ? notStarting(cluster, logStart) : error
  }
  return { port, gone, stop: () => stopServer(child.pid!) }
}

function notStarting(cluster: Cluster, logStart: number): StartupFailure {
  const said = lastLine(readFileSync(cluster.logFile, 'utf8').slice(logStart))
  return new StartupFailure(
    `The database in ${cluster.folder} does not start: ${said}. See ${cluster.logFile}; restore DATA_DIR from a backup, or set DATA_DIR to another folder to start empty.`,
  )
}

async function untilReady(cluster: Cluster, port: number, isRunning: () => boolean): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    if (await answers(urlOf(cluster, port, 'postgres'))) return
    if (!isRunning()) throw new StartupFailure(`The database in ${cluster.folder} stopped while starting.`)
    if (performance.now() > deadline) {
      throw new StartupFailure(
        `The database in ${cluster.folder} did not answer within a minute. See ${cluster.logFile}.`,
      )
    }
    await pause(20)
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    if (errorCode(error) === '28P01') {
      throw new StartupFailure(
        'The database refuses the password in postgres.password. Restore DATA_DIR from a backup.',
      )
    }
    return false
  }
}

export async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`)
  } finally {
    await client.end()
  }
}

/** SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, everything committed is kept. */
async function stopServer(pid: number): Promise<void> {
  if (!isAlive(pid)) return
  process.kill(pid, 'SIGINT')
  while (isAlive(pid)) await pause(20)
}

export function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgres://${CLUSTER_USER}:${cluster.password}@127.0.0.1:${port}/${database}`
}

interface KeepRunningOptions {
  log: Logger
  onRestart: () => void
  /** Between the end and the next try; the number counts tries without a minute of health between them. */
  delayMs?: (attempt: number) => number
}

const HEALTHY_AFTER_MS = 60_000

/**
 * Starts the database again whenever it ends unasked: killed by hand, by the system for want of memory, or by itself on a
 * full disk. The address stays the same, so pools and listeners find it again. Gives what stops both.
 */
export function keepRunning(server: EmbeddedPostgres, options: KeepRunningOptions): () => Promise<void> {
  const { log, onRestart, delayMs = restartDelay } = options
  const stopping = new AbortController()

  async function watch(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const readyAt = performance.now()
      await server.gone()
      if (stopping.signal.aborted) return
      if (performance.now() - readyAt > HEALTHY_AFTER_MS) attempt = 0
      log.error('the database process ended unexpectedly; starting it again')
      attempt = await startAgain(attempt)
      if (stopping.signal.aborted) return
      onRestart()
      log.info('the database runs again')
    }
  }

  /** Starts the server until it runs, or the program stops; gives the number of the last try. */
  async function startAgain(attempt: number): Promise<number> {
    for (let next = attempt; ; next++) {
      await pause(delayMs(next), undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      if (stopping.signal.aborted) return next
      try {
        await server.startAgain()
        return next
      } catch (error) {
        log.error({ reason: (error as Error).message, attempt: next + 1 }, 'the database does not start; trying again')
      }
    }
  }

  const watching = watch()
  return async () => {
    stopping.abort()
    await server.stop()
    await watching
    // One that was being started when the stop came.
    await server.stop()
  }
}
