import { loadDotEnv, readConfig, type Config } from './config.ts'
import { LogFile } from './log-file.ts'
import { createLog, type Logger } from './log.ts'
import { processHealth } from './process-health.ts'
import { StartupFailure } from './startup-failure.ts'

/** After requests under way were answered; the database keeps what was acknowledged whatever happens. */
const CLOSE_WITHIN_MS = 10_000
/** sysexits.h: EX_SOFTWARE. The launcher starts the program again. */
const BUG_EXIT_CODE = 70

export interface RunningProgram {
  /** Where it listens, if it does: a restart listens there again. */
  port?: number
  close(): Promise<void>
}

/** Messages to the launcher (scripts/supervise.mjs), over the IPC channel. */
type LauncherMessage = { is: 'ready'; port?: number } | { is: 'misconfigured' } | { is: 'closing'; withinMs: number }

/**
 * Runs a program that starts, works and is closed once: by a signal, or because its launcher is gone. A failure the
 * operator can do something about is one line; anything else is a bug and shows its trace.
 */
export async function runProgram(start: (config: Config, log: Logger) => Promise<RunningProgram>): Promise<void> {
  // What the program writes is its users' own, whatever the shell that started it gives away.
  process.umask(0o077)
  let stopping: Promise<void> | undefined
  const { config, log } = settings()
  const starting = start(config, log)
  const stop = (exitCode = 0): Promise<void> => {
    stopping ??= closeAndExit(starting, exitCode, config.drain.acceptMs + config.drain.finishMs + CLOSE_WITHIN_MS)
    return stopping
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  installLastResort(log, () => void stop(BUG_EXIT_CODE))
  if (process.env['TRADEWRIGHT_LAUNCHED'] && process.channel) {
    process.on('disconnect', () => void stop())
    process.channel.unref()
  }
  try {
    const { port } = await starting
    tellLauncher({ is: 'ready', ...(port !== undefined && { port }) })
  } catch (error) {
    if (stopping) return
    endWithMessage(error)
  }
}

function settings(): { config: Config; log: Logger } {
  try {
    loadDotEnv()
    const config = readConfig(process.env)
    return { config, log: createLog(config, config.logFile && new LogFile(config.logFile)) }
  } catch (error) {
    if (error instanceof StartupFailure) tellLauncher({ is: 'misconfigured' })
    return endWithMessage(error)
  }
}

/**
 * A rejection that nothing handles is a bug in one piece of work: it is logged and counted, and the others go on, since
 * what counts is in the database. After an exception outside of any promise the state of the process is not known: it
 * closes in order, and the launcher starts it again.
 */
function installLastResort(log: Logger, stop: () => void): void {
  process.on('unhandledRejection', (reason) => {
    processHealth.unhandledRejections.add()
    log.error({ err: reason }, 'bug: a promise was rejected and nothing handled it; the process continues')
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'bug: an exception was not caught; the process closes and is started again')
    stop()
  })
}

async function closeAndExit(starting: Promise<RunningProgram>, exitCode: number, withinMs: number): Promise<void> {
  tellLauncher({ is: 'closing', withinMs })
  // Before the start is awaited: one that waits for a database that does not answer would never end.
  setTimeout(() => process.exit(exitCode || 1), withinMs).unref()
  const running = await starting.catch(() => undefined)
  if (!running) process.exit(exitCode || 1)
  await running.close().catch((error: unknown) => process.stderr.write(`${describeBug(error)}\n`))
  process.exit(exitCode)
}

function endWithMessage(error: unknown): never {
  process.stderr.write(`${error instanceof StartupFailure ? error.message : describeBug(error)}\n`)
  process.exit(1)
}

function tellLauncher(message: LauncherMessage): void {
  if (process.env['TRADEWRIGHT_LAUNCHED'] && process.connected) process.send?.(message)
}

function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
