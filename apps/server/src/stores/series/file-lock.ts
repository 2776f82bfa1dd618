import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '@tradewright/core/problem'
import { undefinedIfMissing } from './parquet/local-folder.ts'
import type { WriterLock } from './writer-lock.ts'

interface Owner {
  readonly token: string
  readonly pid: number
  readonly host: string
  /** Process numbers are used again; the start time tells two bearers apart where the system says it. */
  readonly started: string | undefined
}

const HEARTBEAT_MS = 10_000
/** An owner on another machine, or one that died before it wrote its name, is known by its silence only. */
const SILENCE_MS = 60_000
const WAIT_MS = 30

/**
 * A lock file in the folder that the name is. It is politeness and not safety: a store's log refuses the second of two
 * changes made at once. So a lock whose owner is dead may be taken without fear.
 */
export function fileLock(within: WriterLock, patienceMs = 600_000): WriterLock {
  return {
    exclusive: (folder, work) =>
      within.exclusive(folder, async () => {
        const release = await acquire(folder, patienceMs)
        try {
          return await work()
        } finally {
          await release()
        }
      }),
  }
}

async function acquire(folder: string, patienceMs: number): Promise<() => Promise<void>> {
  const path = join(folder, '.writer.lock')
  await mkdir(folder, { recursive: true })
  const owner: Owner = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    started: await startOf(process.pid),
  }
  const deadline = performance.now() + patienceMs
  while (!(await create(path, owner))) {
    if (await isAbandoned(path)) await takeAway(path)
    else if (performance.now() > deadline) {
      throw new Problem('conflict', 'store.busy', `Somebody else has been writing to ${folder} for too long.`)
    } else await pause(WAIT_MS)
  }
  const heartbeat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS)
  heartbeat.unref()
  return async () => {
    clearInterval(heartbeat)
    if ((await readOwner(path))?.token === owner.token) await rm(path, { force: true })
  }
}

async function create(path: string, owner: Owner): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    try {
      await file.writeFile(JSON.stringify(owner))
    } catch (error) {
      // A lock without a name, as a full disk leaves it, would keep the next writer waiting for its silence.
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function readOwner(path: string): Promise<Owner | undefined> {
  const text = await readFile(path, 'utf8').catch(undefinedIfMissing)
  try {
    return text ? (JSON.parse(text) as Owner) : undefined
  } catch {
    return undefined
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const found = await stat(path).catch(undefinedIfMissing)
  if (!found) return false
  const owner = await readOwner(path)
  if (owner?.host !== hostname()) return Date.now() - found.mtimeMs > SILENCE_MS
  return !isAlive(owner.pid) || (await startOf(owner.pid)) !== owner.started
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Linux tells when a process started; elsewhere its number must do. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .at(19)
}

/** Renaming gives the lock to one of several who found it abandoned. */
async function takeAway(path: string): Promise<void> {
  const away = `${path}.${randomUUID()}`
  await rename(path, away).catch(undefinedIfMissing)
  await rm(away, { force: true })
}
