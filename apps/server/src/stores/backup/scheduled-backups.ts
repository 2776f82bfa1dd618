import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Clock } from '@tradewright/core/clock'
import { type Config, projectFolder } from '../../config.ts'
import type { Logger } from '../../log.ts'
import type { BackupStatus } from '../../observe/process-reports.ts'

const POLL_MS = 60_000
/** The pause after a failure: a full disk is not helped by another attempt every minute. */
const RETRY_MS = 15 * 60_000
const NAME = /^tradewright-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.tar\.gz$/
const COMMAND = join(projectFolder, 'apps', 'server', 'src', 'commands', 'backup.ts')

interface Surroundings {
  readonly schedule: NonNullable<Config['backups']>
  readonly clock: Clock
  readonly log: Logger
  /** Writes one archive; rejects when it was not written, or did not pass its test. */
  readonly makeBackup: (file: string) => Promise<string>
}

/** Makes a backup when the newest in the folder is old enough, and removes the oldest ones after a good one. False: it failed. */
export async function backUpWhenDue({ schedule, clock, log, makeBackup }: Surroundings): Promise<boolean> {
  const { folder, everyHours, keep } = schedule
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const now = clock.now()
  const newest = (await archivesIn(folder)).at(-1)
  // A minute of grace: a daily backup does not wander through the day.
  if (newest && now.getTime() - timeOf(newest) < everyHours * 3_600_000 - POLL_MS) return true
  await removeUnfinished(folder)
  const file = join(folder, `tradewright-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`)
  try {
    log.info({ file, said: await makeBackup(file) }, 'scheduled backup')
  } catch (error) {
    log.error({ err: error, file }, 'the scheduled backup failed; older ones are kept')
    // One that did not pass its test counts neither as the newest nor among those that are kept.
    await rename(file, `${file}.failed`).catch(() => undefined)
    return false
  }
  const old = (await archivesIn(folder)).slice(0, -keep)
  for (const name of old) await rm(join(folder, name), { force: true })
  return true
}

/** Removes what killed backups left: one is made at a time. The last of those that failed stays, to be examined. */
async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder)
  const ending = (end: string) => names.filter((name) => name.endsWith(end) && NAME.test(name.slice(0, -end.length)))
  const old = [...ending('.unfinished'), ...ending('.failed').sort().slice(0, -1)]
  for (const name of old) await rm(join(folder, name), { force: true })
}

interface ScheduledBackups {
  /** Undefined where this process makes none. */
  readonly status: (() => Promise<BackupStatus>) | undefined
  stop(): void
}

/** In a process of its own: nothing of it waits on the thread that answers requests. */
export function scheduleBackups(config: Config, databaseUrl: string, clock: Clock, log: Logger): ScheduledBackups {
  const schedule = config.backups
  if (!schedule) return { status: undefined, stop() {} }
  let lastFailureAt: Date | undefined
  let isRunning = false
  let pausedUntil = 0
  const stopping = new AbortController()
  const makeBackup = async (file: string): Promise<string> => {
    const args = [
      COMMAND,
      '--to',
      file,
      ...(schedule.test ? ['--test'] : []),
      ...(config.backupPassphrase ? ['--secrets'] : []),
    ]
    const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, signal: stopping.signal })
    return stdout.trim()
  }
  const poll = async () => {
    if (isRunning || clock.now().getTime() < pausedUntil) return
    isRunning = true
    await backUpWhenDue({ schedule, clock, log, makeBackup })
      .then((isDone) => {
        pausedUntil = isDone ? 0 : clock.now().getTime() + RETRY_MS
        if (!isDone) lastFailureAt = clock.now()
      })
      .catch((error: unknown) => {
        lastFailureAt = clock.now()
        log.error({ err: error }, 'scheduled backups: the folder cannot be used')
      })
      .finally(() => (isRunning = false))
  }
  void poll()
  const timer = setInterval(() => void poll(), POLL_MS)
  timer.unref()
  return {
    async status() {
      const archives = await archivesIn(schedule.folder).catch(() => [])
      const newest = archives.at(-1)
      const newestAt = newest === undefined ? undefined : new Date(timeOf(newest))
      return { isRunning, newestAt, count: archives.length, lastFailureAt }
    },
    stop() {
      clearInterval(timer)
      stopping.abort()
    },
  }
}

async function archivesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => NAME.test(name)).sort()
}

function timeOf(name: string): number {
  const [, day, hour, minute, second] = NAME.exec(name)!
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`)
}
