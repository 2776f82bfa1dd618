import { hostname } from 'node:os'
import { randomUUID } from 'node:crypto'
import type { Logger } from '../log.ts'
import type { ProcessHealth } from '../process-health.ts'
import type { LaneLoad } from '../workers/lanes.ts'
import { outsideCalls, type ServiceCalls } from './outside-calls.ts'
import type { ProcessReport, ProcessReportStore } from './ports.ts'
import { recentErrors } from './recent-errors.ts'

const REPORT_INTERVAL_MS = 15_000
const MEGABYTE = 1024 * 1024

interface ReportDeps {
  readonly kind: ProcessReport['kind']
  readonly version: string
  readonly health: ProcessHealth
  readonly lanes: () => readonly LaneLoad[]
  readonly store: ProcessReportStore
  readonly log: Logger
}

/** Writes how this process is doing where every web process reads it. Gives what ends it, with the report. */
export function keepReporting(deps: ReportDeps): () => Promise<void> {
  const { store, log } = deps
  const id = randomUUID()
  let isClosed = false
  let writing: Promise<void> = Promise.resolve()
  const report = () => {
    writing = store
      .save(id, reportOf(deps))
      .catch((error: unknown) => log.debug({ err: error }, 'the report of this process could not be written'))
  }
  report()
  const timer = setInterval(report, REPORT_INTERVAL_MS)
  timer.unref()
  return async () => {
    if (isClosed) return
    isClosed = true
    clearInterval(timer)
    await writing
    await store.remove(id).catch(() => undefined)
  }
}

function reportOf({ kind, version, health, lanes }: ReportDeps): ProcessReport {
  return {
    kind,
    host: hostname(),
    pid: process.pid,
    version,
    startedAt: health.startedAt.toISOString(),
    restarts: health.restarts,
    memoryMb: Math.round(process.memoryUsage.rss() / MEGABYTE),
    eventLoopDelayMs: health.eventLoopDelay()?.p99Ms ?? null,
    lanes: lanes(),
    services: outsideCalls.list().map(toReport),
    errors: recentErrors.list(),
  }
}

const toReport = ({ lastFailureAt, limit, ...calls }: ServiceCalls): ProcessReport['services'][number] => ({
  ...calls,
  limit: limit ?? null,
  lastFailureAt: lastFailureAt?.toISOString() ?? null,
})
