import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../log.ts'
import { restartDelay } from '../../restart-delay.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'

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
