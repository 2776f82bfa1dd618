import { getHealth, getReady, getSystemHealth } from '@tradewright/contract/health'
import { Problem } from '@tradewright/core/problem'
import type { ProcessHealth, Tally } from '../../process-health.ts'
import type { SystemCounts } from '../../stores/observe/operator.ts'
import type { Handle } from '../server/handle.ts'

/** `isReady` asks the database; while it is away we are up but of no use. */
export function serveHealth(handle: Handle, isReady: () => Promise<boolean>): void {
  handle(getHealth, async () => {
    if (!(await isReady())) {
      throw new Problem('unavailable', 'database.away', 'The database cannot be reached right now.', {
        retryAfterSeconds: 5,
      })
    }
    return { status: 'ok' as const }
  })
}

/** `obstacle` is why no request should come here, as a sentence. */
export function serveReadiness(handle: Handle, obstacle: () => Promise<string | undefined>): void {
  handle(getReady, async () => {
    const sentence = await obstacle()
    if (sentence !== undefined)
      throw new Problem('unavailable', 'process.not-ready', sentence, { retryAfterSeconds: 5 })
    return { status: 'ready' as const }
  })
}

interface SystemHealthDeps {
  readonly health: ProcessHealth
  readonly isOwnDatabase: boolean
  readonly pool: { totalCount: number; idleCount: number; waitingCount: number; options: { max: number } }
  readonly isListening: () => boolean
  readonly count: () => Promise<SystemCounts>
  readonly lastBeatAt: () => Date | undefined
}

const MEGABYTE = 1024 * 1024

/** Numbers and times only: what failed and why is for the log, which may hold users' data. */
export function serveSystemHealth(handle: Handle, deps: SystemHealthDeps): void {
  const { health, pool, isOwnDatabase, isListening, count, lastBeatAt } = deps
  handle(getSystemHealth, async () => {
    const counts = await count()
    const delay = health.eventLoopDelay()
    return {
      process: {
        started_at: health.startedAt.toISOString(),
        restarts: health.restarts,
        last_end: health.lastEnd ? { reason: health.lastEnd.reason, at: health.lastEnd.at.toISOString() } : null,
        unhandled_rejections: toWireTally(health.unhandledRejections),
        memory_mb: Math.round(process.memoryUsage.rss() / MEGABYTE),
        event_loop_delay_ms: delay
          ? { p50: rounded(delay.p50Ms), p99: rounded(delay.p99Ms), max: rounded(delay.maxMs) }
          : null,
      },
      database: {
        is_own: isOwnDatabase,
        restarts: toWireTally(health.databaseRestarts),
        connections: {
          open: pool.totalCount,
          idle: pool.idleCount,
          waiting_calls: pool.waitingCount,
          limit: pool.options.max,
        },
        is_listening: isListening(),
      },
      jobs: { queued: counts.queuedJobs, running: counts.runningJobs },
      live_trading: {
        last_beat_at: lastBeatAt()?.toISOString() ?? null,
        running: counts.runningDeployments,
        unattended: counts.unattendedDeployments,
      },
    }
  })
}

const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10

const toWireTally = ({ count, lastAt }: Tally) => ({ count, last_at: lastAt?.toISOString() ?? null })
