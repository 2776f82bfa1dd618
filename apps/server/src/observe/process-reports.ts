import { hostname } from 'node:os'
import { randomUUID } from 'node:crypto'
import type { Logger } from '../log.ts'
import type { ProcessHealth } from '../process-health.ts'
import type { LaneLoad } from '../workers/schedule.ts'
import { outsideCalls, type ServiceCalls, type CallOutcome, recentErrors, type RecentError } from './process-counts.ts'

/** Jobs of one kind that are not finished, of all users together. */
export interface OpenJobs {
  readonly kind: string
  readonly state: 'queued' | 'running'
  readonly count: number
  /** Since the oldest was put in, or began. */
  readonly oldestSeconds: number
}

export interface DeploymentCounts {
  readonly running: number
  /** Running, and no process holds its lease. */
  readonly unattended: number
  /** Running, and the last scheduled run did not take place. */
  readonly missed: number
  /** Running, while books and broker differ. */
  readonly disagreeing: number
  /** Running, with any problem that keeps it from trading. */
  readonly blocked: number
}

/** What the database knows of the work of all users together, without names. */
export interface InstanceCounts {
  readonly jobs: readonly OpenJobs[]
  readonly deployments: DeploymentCounts
  readonly users: number
  readonly databaseBytes: number
}

/** A backup folder, where this process makes backups. */
export interface BackupStatus {
  readonly isRunning: boolean
  readonly newestAt: Date | undefined
  readonly count: number
  readonly lastFailureAt: Date | undefined
}

interface ReportedService {
  readonly service: string
  readonly isBroker: boolean
  readonly calls: number
  readonly failures: Readonly<Partial<Record<CallOutcome, number>>>
  readonly waitedSeconds: number
  readonly limit: { readonly calls: number; readonly windowMillis: number } | null
  readonly lastFailureAt: string | null
}

/** What a process says of itself. */
export interface ProcessReport {
  readonly kind: 'web' | 'worker'
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly startedAt: string
  readonly restarts: number
  readonly memoryMb: number
  readonly eventLoopDelayMs: number | null
  readonly lanes: readonly LaneLoad[]
  readonly services: readonly ReportedService[]
  readonly errors: readonly RecentError[]
}

export interface StoredReport extends ProcessReport {
  readonly id: string
  readonly reportedAt: Date
}

export interface ProcessReportStore {
  save(id: string, report: ProcessReport): Promise<void>
  remove(id: string): Promise<void>
  /** Processes that reported within the last minutes, the longest running first. */
  list(): Promise<StoredReport[]>
}

export interface UserUse {
  readonly id: number
  readonly username: string
  readonly createdAt: Date
  readonly lastSeenAt: Date | null
  readonly sessions: number
  readonly seriesBytes: number
  readonly jobs: number
  readonly runningDeployments: number
  readonly isSuspended: boolean
}

/** Jobs of all users that failed in the same way. Their sentences name what users work on and are left out. */
export interface FailedJobs {
  readonly kind: string
  /** The kind of its `Problem`, or `bug`. */
  readonly cause: string
  readonly code: string
  readonly count: number
  readonly users: number
  readonly lastAt: Date
}

export interface OperatorStore {
  /** The first account of the instance, remembered from the first question on; undefined while there is none. */
  firstUser(): Promise<number | undefined>
  userNamed(usernameKey: string): Promise<number | undefined>
  users(page: { readonly limit: number; readonly offset: number }): Promise<{ total: number; users: UserUse[] }>
  storage(): Promise<{ seriesBytes: number; postgres: string }>
  accounts(): Promise<{ broker: string; accounts: number; unverified: number }[]>
  /** Failures of the last day, the most frequent first, by kind and cause in the program's own words. */
  failedJobs(): Promise<FailedJobs[]>
}

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
