import { StartupFailure } from './startup-failure.ts'

/** Long enough for a request in flight; the database keeps what was acknowledged whatever happens. */
const CLOSE_WITHIN_MS = 10_000

/**
 * Runs a program that starts, works and is closed once: by a signal, or because its launcher is gone. A failure the
 * operator can do something about is one line; anything else is a bug and shows its trace.
 */
export async function runProgram(start: () => Promise<() => Promise<void>>): Promise<void> {
  let stopping: Promise<void> | undefined
  const started = start()
  const stop = (): Promise<void> => {
    stopping ??= closeAndExit(started)
    return stopping
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
  process.on('SIGHUP', () => void stop())
  if (process.env['TRADEWRIGHT_LAUNCHED'] && process.channel) {
    process.on('disconnect', () => void stop())
    process.channel.unref()
  }
  try {
    await started
  } catch (error) {
    if (stopping) return
    process.stderr.write(`${error instanceof StartupFailure ? error.message : describeBug(error)}\n`)
    process.exit(1)
  }
}

async function closeAndExit(started: Promise<() => Promise<void>>): Promise<void> {
  const close = await started.catch(() => undefined)
  if (!close) process.exit(1)
  setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref()
  await close()
  process.exit(0)
}

function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
