import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { LaneLoad } from '../workers/schedule.ts'
import { jobEnds, outsideCalls } from './process-counts.ts'
import type { BackupStatus, InstanceCounts } from './process-reports.ts'

/** What a process measures itself by. */
export interface MetricSources {
  readonly version: string
  readonly kind: 'web' | 'worker'
  readonly pool: { totalCount: number; idleCount: number; waitingCount: number; options: { max: number } }
  readonly isListening: () => boolean
  readonly lanes: () => readonly LaneLoad[]
  readonly threads: number
  readonly count: () => Promise<InstanceCounts>
  readonly backups: (() => Promise<BackupStatus>) | undefined
  readonly health: { readonly restarts: number; readonly unhandledRejections: { count: number } }
}

/** An answered call, by the pattern of its path: a path itself may hold names. */
interface AnsweredCall {
  readonly method: string
  readonly route: string
  readonly status: number
  /** Undefined of an answer that goes on, such as a stream of events. */
  readonly seconds: number | undefined
}

export interface Metrics {
  readonly contentType: string
  recordCall(call: AnsweredCall): void
  /** In the text format of Prometheus. */
  text(): Promise<string>
  /** The names of all metrics. */
  names(): string[]
  close(): void
}

const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const JOB_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200, 28_800]
/** However many ask: counting costs the database some queries. */
const COUNTS_MAX_AGE_MS = 5_000

/** Metrics of one process. Labels are words of this program alone: no names, tickers or ids of users. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counted = atMostEvery(COUNTS_MAX_AGE_MS, sources.count)
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect: (this: Gauge<Label>) => void | Promise<void>,
  ) =>
    new Gauge<Label>({
      name: `tradewright_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset()
        await collect.call(this)
      },
    })

  gauge('info', 'Version of the program and kind of the process', ['version', 'kind'], function () {
    this.set({ version: sources.version, kind: sources.kind }, 1)
  })
  gauge('restarts', 'How often the launcher has started this program again', [], function () {
    this.set(sources.health.restarts)
  })
  gauge('unhandled_rejections', 'Failures that nothing handled, since the start', [], function () {
    this.set(sources.health.unhandledRejections.count)
  })
  databaseMetrics(gauge, sources)
  gauge('compute_threads', 'Threads that compute', [], function () {
    this.set(sources.threads)
  })
  gauge('compute_tasks', 'Tasks of the compute threads by lane', ['lane', 'state'], function () {
    for (const { lane, waiting, running } of sources.lanes()) {
      this.set({ lane, state: 'waiting' }, waiting)
      this.set({ lane, state: 'running' }, running)
    }
  })
  instanceMetrics(gauge, counted)
  serviceMetrics(gauge, registry)
  if (sources.backups) backupMetrics(gauge, sources.backups)

  const calls = new Counter({
    name: 'tradewright_http_requests_total',
    help: 'Answered calls',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  })
  const seconds = new Histogram({
    name: 'tradewright_http_request_seconds',
    help: 'From the arrival of a call to the end of its answer',
    labelNames: ['method', 'route'] as const,
    buckets: CALL_SECONDS,
    registers,
  })
  const outside = new Histogram({
    name: 'tradewright_outside_call_seconds',
    help: 'Calls to providers, brokers and other services',
    labelNames: ['service', 'outcome'] as const,
    buckets: CALL_SECONDS,
    registers,
  })
  const jobs = new Histogram({
    name: 'tradewright_job_seconds',
    help: 'Runs of jobs in this process, by their end',
    labelNames: ['kind', 'state'] as const,
    buckets: JOB_SECONDS,
    registers,
  })
  const stops = [
    outsideCalls.onCall(({ service, outcome, seconds: took }) => outside.observe({ service, outcome }, took)),
    jobEnds.onEnd(({ kind, state, seconds: took }) => jobs.observe({ kind, state }, took)),
  ]
  return {
    contentType: registry.contentType,
    recordCall({ method, route, status, seconds: took }) {
      calls.inc({ method, route, status: String(status) })
      if (took !== undefined) seconds.observe({ method, route }, took)
    },
    text: () => registry.metrics(),
    names: () => registry.getMetricsAsArray().map(({ name }) => name),
    close() {
      for (const stop of stops) stop()
      registry.clear()
    },
  }
}

type MakeGauge = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  collect: (this: Gauge<Label>) => void | Promise<void>,
) => Gauge<Label>

function databaseMetrics(gauge: MakeGauge, { pool, isListening }: MetricSources): void {
  gauge('database_connections', 'Connections of this process to the database', ['state'], function () {
    this.set({ state: 'idle' }, pool.idleCount)
    this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
  })
  gauge('database_connections_limit', 'Maximum connections of this process', [], function () {
    this.set(pool.options.max)
  })
  gauge('database_waiting_calls', 'Queries that wait for a connection', [], function () {
    this.set(pool.waitingCount)
  })
  gauge('database_listening', '1 while messages of other processes arrive', [], function () {
    this.set(isListening() ? 1 : 0)
  })
}

function instanceMetrics(gauge: MakeGauge, counted: () => Promise<InstanceCounts | undefined>): void {
  gauge('database_up', '1 while the database answers', [], async function () {
    this.set((await counted()) ? 1 : 0)
  })
  gauge('database_bytes', 'Size of the database', [], async function () {
    const counts = await counted()
    if (counts) this.set(counts.databaseBytes)
  })
  gauge('users', 'Accounts of this instance', [], async function () {
    const counts = await counted()
    if (counts) this.set(counts.users)
  })
  gauge('jobs', 'Unfinished jobs of all users', ['kind', 'state'], async function () {
    for (const { kind, state, count } of (await counted())?.jobs ?? []) this.set({ kind, state }, count)
  })
  gauge('jobs_oldest_seconds', 'Age of the oldest unfinished job', ['kind', 'state'], async function () {
    for (const { kind, state, oldestSeconds } of (await counted())?.jobs ?? []) this.set({ kind, state }, oldestSeconds)
  })
  gauge('deployments', 'Running deployments, and those of them that need attention', ['state'], async function () {
    const counts = (await counted())?.deployments
    for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count)
  })
}

function serviceMetrics(gauge: MakeGauge, registry: Registry): void {
  gauge('outside_limit_calls', 'Calls that a service allows within its window, of one key', ['service'], function () {
    for (const { service, limit } of outsideCalls.list()) if (limit) this.set({ service }, limit.calls)
  })
  gauge('outside_limit_window_seconds', 'Window of that limit', ['service'], function () {
    for (const { service, limit } of outsideCalls.list()) if (limit) this.set({ service }, limit.windowMillis / 1_000)
  })
  const waited = new Counter({
    name: 'tradewright_outside_wait_seconds_total',
    help: 'Time in which calls were held back because of the limit of a service',
    labelNames: ['service'] as const,
    registers: [],
    collect() {
      this.reset()
      for (const { service, waitedSeconds } of outsideCalls.list()) this.inc({ service }, waitedSeconds)
    },
  })
  registry.registerMetric(waited)
}

function backupMetrics(gauge: MakeGauge, backups: () => Promise<BackupStatus>): void {
  gauge('backup_newest_timestamp_seconds', 'When the newest good backup was made', [], async function () {
    const { newestAt } = await backups()
    if (newestAt) this.set(newestAt.getTime() / 1_000)
  })
  gauge('backup_last_failure_timestamp_seconds', 'When a backup last failed', [], async function () {
    const { lastFailureAt } = await backups()
    if (lastFailureAt) this.set(lastFailureAt.getTime() / 1_000)
  })
  gauge('backups', 'Backups that are kept', [], async function () {
    this.set((await backups()).count)
  })
}

/** Undefined where it fails: a scrape without the database still tells of the process. */
function atMostEvery<Result>(milliseconds: number, ask: () => Promise<Result>): () => Promise<Result | undefined> {
  let answer: Promise<Result | undefined> | undefined
  let askedAt = -Infinity
  return () => {
    if (!answer || performance.now() - askedAt >= milliseconds) {
      askedAt = performance.now()
      answer = ask().catch(() => undefined)
    }
    return answer
  }
}
