import { once } from 'node:events'
import type { Clock } from '@tradewright/core/clock'
import type pg from 'pg'
import type { IsOperator } from '../auth/operator.ts'
import { inConnectionLane } from '../connection-lane.ts'
import type { Config } from '../config.ts'
import { diskSpaceOf } from '../disk-floor.ts'
import type { Foundation } from '../foundation.ts'
import { serveOperator } from '../http/operator/routes.ts'
import type { Handle } from '../http/server/handle.ts'
import { serveWorkerEndpoints } from '../http/system/worker-endpoints.ts'
import { createMetrics, type Metrics, type MetricSources } from '../observe/metrics.ts'
import { keepReporting } from '../observe/process-reports.ts'
import { processHealth } from '../process-health.ts'
import { programCommit, programVersion } from '../program-version.ts'
import type { Logger } from '../log.ts'
import { countInstance, createOperatorStore, createProcessReportStore } from '../stores/observe/operator.ts'
import { createInvitationStore } from '../stores/auth/invitations.ts'
import { newestMigration } from '../stores/migrate.ts'
import type { Services } from './services.ts'

type Observed = Pick<Foundation, 'database' | 'pool' | 'notifications'>

/** Each process says how it is doing, for the admin page of whichever process is asked. */
export const reportProcess = (
  kind: MetricSources['kind'],
  { database }: Pick<Foundation, 'database'>,
  { compute }: Pick<Services, 'compute'>,
  log: Logger,
): (() => Promise<void>) =>
  keepReporting({
    kind,
    version: programVersion,
    health: processHealth,
    lanes: () => compute.load(),
    store: createProcessReportStore(database),
    log,
  })

interface OperatorNeeds {
  readonly config: Config
  readonly foundation: Pick<Foundation, 'database'>
  readonly clock: Clock
  readonly isOperator: IsOperator
  readonly backups: MetricSources['backups']
}

export function serveOperatorArea(
  handle: Handle,
  { config, foundation, clock, isOperator, backups }: OperatorNeeds,
): void {
  const { database } = foundation
  serveOperator(handle, {
    isOperator,
    store: createOperatorStore(database),
    reports: createProcessReportStore(database),
    count: () => countInstance(database),
    backups,
    disk: () => diskSpaceOf(config.dataDir),
    program: { version: programVersion, commit: programCommit(), schema: newestMigration },
    invitations: createInvitationStore(database),
    registration: config.registration,
    clock,
  })
}

export const openMetrics = (
  kind: MetricSources['kind'],
  { database, pool, notifications }: Observed,
  { compute }: Pick<Services, 'compute'>,
  backups?: MetricSources['backups'],
): Metrics =>
  createMetrics({
    version: programVersion,
    kind,
    pool,
    isListening: () => notifications.isListening(),
    lanes: () => compute.load(),
    threads: compute.threads,
    count: () => countInstance(database),
    backups,
    health: processHealth,
  })

/** Whether the database answers, asked at most once a second however many ask. */
export function databaseReadiness(pool: pg.Pool): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  return () => {
    answer ??= ask(pool).finally(() => setTimeout(() => (answer = undefined), 1000).unref())
    return answer
  }
}

async function ask(pool: pg.Pool): Promise<boolean> {
  try {
    await inConnectionLane('health', () => pool.query('SELECT 1'))
    return true
  } catch {
    return false
  }
}

/** Why a process would serve badly at present, as a sentence. */
export async function notReady(
  { notifications }: Pick<Foundation, 'notifications'>,
  isDatabaseUp: () => Promise<boolean>,
): Promise<string | undefined> {
  if (!(await isDatabaseUp())) return 'The database cannot be reached right now.'
  return notifications.isListening() ? undefined : 'Messages of other processes do not arrive right now.'
}

/** Where the operator has set METRICS_PORT, a worker can be watched. Gives what ends it. */
export async function serveWorker(
  config: Config,
  foundation: Foundation,
  runtime: Services,
): Promise<() => Promise<void>> {
  if (config.metricsPort === undefined) return async () => {}
  const isUp = databaseReadiness(foundation.pool)
  const { metricsToken: token } = config
  const source = token === undefined ? undefined : openMetrics('worker', foundation, runtime)
  const server = serveWorkerEndpoints({
    isUp,
    isReady: async () => (await notReady(foundation, isUp)) === undefined,
    metrics: source && { source, token: token! },
  })
  server.listen(config.metricsPort, config.host)
  await once(server, 'listening')
  return async () => {
    source?.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}
