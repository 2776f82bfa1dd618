import type { Clock } from '@tradewright/core/clock'
import type { Logger } from '../log.ts'
import type { JournalStore } from './ports/journal.ts'

type LogLevel = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR'

/** The raw log of deployments: `timestamp - [LEVEL] - logger - function:line - message`, in UTC. */
export interface DeploymentLog {
  write(deploymentId: number, level: LogLevel, message: string): void
  /** Everything written so far is stored, or kept for a later try while the database is away. */
  flush(): Promise<void>
}

const LOGGER = 'live_trading'
/** While the database is away; the oldest lines go first. */
const MAX_WAITING = 20_000
const BATCH = 500
const PINO = { DEBUG: 'debug', INFO: 'debug', WARNING: 'warn', ERROR: 'error' } as const

export function createDeploymentLog(
  journal: Pick<JournalStore, 'appendLog'>,
  clock: Clock,
  log: Logger,
): DeploymentLog {
  let waiting: { deploymentId: number; line: string }[] = []
  let writing: Promise<void> | undefined

  async function store(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      await journal.appendLog(batch)
      waiting = waiting.slice(batch.length)
    }
  }

  return {
    write: function write(deploymentId, level, message) {
      const oneLine = message.replaceAll(/\s*\n\s*/g, ' ')
      const line = `${timestamp(clock.now())} - [${level}] - ${LOGGER} - ${callerOf(write)} - ${oneLine}`
      waiting.push({ deploymentId, line })
      if (waiting.length > MAX_WAITING) waiting.shift()
      log[PINO[level]]({ deploymentId }, oneLine)
    },
    async flush() {
      // One writer at a time: two would store the same lines.
      writing ??= store().finally(() => (writing = undefined))
      await writing.catch((error: unknown) => log.warn({ err: error }, 'deployment log: will try again'))
    },
  }
}

/** `2026-03-04 16:00:00,123`. */
const timestamp = (at: Date): string => at.toISOString().replace('T', ' ').replace('.', ',').replace('Z', '')

/** `function:line` of the code that wrote the line. */
function callerOf(write: DeploymentLog['write']): string {
  // One frame: a whole stack costs more than all the rest of a line.
  const depth = Error.stackTraceLimit
  const place = { stack: '' }
  Error.stackTraceLimit = 1
  Error.captureStackTrace(place, write)
  Error.stackTraceLimit = depth
  const frame = place.stack.split('\n')[1] ?? ''
  const named = /at (?:async )?(?:\S+\.)?([\w$<>]+) .*:(\d+):\d+\)$/.exec(frame)
  return named ? `${named[1]}:${named[2]}` : `run:${/:(\d+):\d+$/.exec(frame)?.[1] ?? 0}`
}
