import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How often something happened, and when last. */
export class Tally {
  count = 0
  lastAt: Date | undefined

  add(): void {
    this.count++
    this.lastAt = new Date()
  }
}

type Histogram = ReturnType<typeof monitorEventLoopDelay>

interface EventLoopDelay {
  p50Ms: number
  p99Ms: number
  maxMs: number
}

const WINDOW_MS = 60_000
const RESOLUTION_MS = 20

/** One per process: the launcher and Node.js know only one, too. */
export class ProcessHealth {
  readonly startedAt = new Date()
  /** How often the launcher had to start the program again, and why the last time. */
  readonly restarts: number
  readonly lastEnd: { reason: string; at: Date } | undefined
  readonly unhandledRejections = new Tally()
  readonly databaseRestarts = new Tally()
  #delays: Histogram | undefined
  #lastWindow: EventLoopDelay | undefined

  constructor(environment: NodeJS.ProcessEnv) {
    this.restarts = Number(environment['TRADEWRIGHT_RESTARTS'] ?? 0)
    const [reason, at] = [environment['TRADEWRIGHT_LAST_END'], environment['TRADEWRIGHT_LAST_END_AT']]
    this.lastEnd = reason && at ? { reason, at: new Date(at) } : undefined
  }

  /** Begins to measure how late the event loop is; gives what stops it. */
  measureDelays(): () => void {
    const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    delays.enable()
    this.#delays = delays
    const timer = setInterval(() => {
      this.#lastWindow = delayOf(delays)
      delays.reset()
    }, WINDOW_MS)
    timer.unref()
    return () => {
      clearInterval(timer)
      delays.disable()
      this.#delays = undefined
    }
  }

  /** Delays of the last whole minute; of the first one as far as it has gone. Undefined while nothing is measured. */
  eventLoopDelay(): EventLoopDelay | undefined {
    return this.#lastWindow ?? (this.#delays && delayOf(this.#delays))
  }
}

/** The histogram holds the time between two turns, in nanoseconds: what is above its resolution is delay. */
function delayOf(delays: Histogram): EventLoopDelay {
  const milliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  if (delays.count === 0) return { p50Ms: 0, p99Ms: 0, maxMs: 0 }
  return {
    p50Ms: milliseconds(delays.percentile(50)),
    p99Ms: milliseconds(delays.percentile(99)),
    maxMs: milliseconds(delays.max),
  }
}

export const processHealth = new ProcessHealth(process.env)
