import * as contract from '@tradewright/contract/operator'
import { Problem } from '@tradewright/core/problem'
import { type AccountActionDeps, actOnAccount } from '../../auth/account-actions.ts'
import { createInvitation, type AdmissionDeps } from '../../auth/admission.ts'
import type { IsOperator } from '../../auth/operator.ts'
import type {
  BackupStatus,
  FailedJobs,
  InstanceCounts,
  OperatorStore,
  ProcessReportStore,
  StoredReport,
} from '../../observe/process-reports.ts'
import type { Handle } from '../server/handle.ts'

interface OperatorDeps {
  readonly isOperator: IsOperator
  readonly store: OperatorStore
  readonly reports: ProcessReportStore
  readonly count: () => Promise<InstanceCounts>
  readonly backups: (() => Promise<BackupStatus>) | undefined
  readonly disk: () => Promise<{ freeBytes: number; bytes: number }>
  readonly program: { readonly version: string; readonly commit: string | null; readonly schema: string }
  readonly invitations: AdmissionDeps['invitations']
  readonly registration: AdmissionDeps['registration']
  readonly clock: AdmissionDeps['clock']
}

const MAX_ERRORS = 50

/** Health, usage, users and invitations. Nothing here reads secrets, positions or strategies. */
export function serveOperator(handle: Handle, deps: OperatorDeps): void {
  const { isOperator, store, reports, count, backups, disk, program } = deps
  handle(contract.getOperatorAccess, async ({ user }) => ({ is_operator: await isOperator(user.id) }))

  handle(contract.getOperatorOverview, async () => {
    const [counts, processes, storage, accounts, failedJobs, backup, space] = await Promise.all([
      count(),
      reports.list(),
      store.storage(),
      store.accounts(),
      store.failedJobs(),
      backups?.(),
      disk(),
    ])
    return {
      ...program,
      node: process.versions.node,
      postgres: storage.postgres,
      users: counts.users,
      deployments: { ...counts.deployments },
      jobs: counts.jobs.map(({ kind, state, count: jobs, oldestSeconds }) => ({
        kind,
        state,
        count: jobs,
        oldest_seconds: oldestSeconds,
      })),
      failed_jobs: failedJobs.map(failedToWire),
      accounts,
      storage: {
        database_bytes: counts.databaseBytes,
        series_bytes: storage.seriesBytes,
        disk_free_bytes: space.freeBytes,
        disk_bytes: space.bytes,
      },
      backups: backup
        ? {
            count: backup.count,
            newest_at: backup.newestAt?.toISOString() ?? null,
            last_failure_at: backup.lastFailureAt?.toISOString() ?? null,
            is_running: backup.isRunning,
          }
        : null,
      processes: processes.map(processToWire),
      services: servicesOf(processes),
      errors: processes
        .flatMap(({ errors, host, pid }) => errors.map((error) => ({ ...error, process: `${host} ${pid}` })))
        .sort((a, b) => (a.at < b.at ? 1 : -1))
        .slice(0, MAX_ERRORS),
    }
  })

  handle(contract.listOperatorUsers, async ({ query }) => {
    const limit = contract.OPERATOR_USERS_PER_PAGE
    const { total, users } = await store.users({ limit, offset: (query.page - 1) * limit })
    const wire = users.map(async (user) => ({
      user_id: user.id,
      username: user.username,
      registered_at: user.createdAt.toISOString(),
      last_seen_at: user.lastSeenAt?.toISOString() ?? null,
      sessions: user.sessions,
      series_bytes: user.seriesBytes,
      jobs: user.jobs,
      running_deployments: user.runningDeployments,
      is_operator: await isOperator(user.id),
      is_suspended: user.isSuspended,
    }))
    return { total, users: await Promise.all(wire) }
  })
  serveInvitations(handle, deps)
}

/** What the operator may do to an account; not to their own, which would leave the instance without one. */
export function serveAccountActions(handle: Handle, isOperator: IsOperator, deps: AccountActionDeps): void {
  handle(contract.actOnAccount, async ({ params, body }) => {
    if (await isOperator(params.id)) {
      throw new Problem('conflict', 'operator.self', 'The account of the operator is changed in its own Settings.')
    }
    return { success: true as const, password: await actOnAccount(deps, params.id, body.action) }
  })
}

function serveInvitations(handle: Handle, deps: OperatorDeps): void {
  const { invitations, clock, registration } = deps
  handle(contract.listInvitations, async () => ({
    registration,
    invitations: (await invitations.list(clock.now())).map(invitationToWire),
  }))
  handle(contract.createInvitation, async ({ body }) => {
    if ((await invitations.list(clock.now())).length >= contract.MAX_OPEN_INVITATIONS) {
      const sentence = `There are ${contract.MAX_OPEN_INVITATIONS} open invitations. Please revoke some first.`
      throw new Problem('conflict', 'invitation.limit', sentence)
    }
    const { token, ...made } = await createInvitation(deps, body.days)
    return { success: true as const, invitation: invitationToWire(made), token }
  })
  handle(contract.revokeInvitation, async ({ params }) => {
    if (!(await invitations.remove(params.id))) {
      throw new Problem('missing', 'invitation.unknown', 'There is no such invitation; it may have been used.')
    }
    return { success: true as const }
  })
}

const invitationToWire = ({ id, createdAt, expiresAt }: { id: string; createdAt: Date; expiresAt: Date }) => ({
  id,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
})

const failedToWire = ({ kind, cause, code, count, users, lastAt }: FailedJobs) => ({
  kind,
  cause,
  code,
  count,
  users,
  last_at: lastAt.toISOString(),
})

const processToWire = (report: StoredReport) => ({
  id: report.id,
  kind: report.kind,
  host: report.host,
  pid: report.pid,
  version: report.version,
  started_at: report.startedAt,
  reported_at: report.reportedAt.toISOString(),
  restarts: report.restarts,
  memory_mb: report.memoryMb,
  event_loop_delay_ms: report.eventLoopDelayMs === null ? null : Math.round(report.eventLoopDelayMs * 10) / 10,
  lanes: [...report.lanes],
})

const later = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b > a) ? b : a)

/** Calls of all processes together. */
function servicesOf(processes: readonly StoredReport[]) {
  const services = new Map<string, contract.OperatorOverview['services'][number]>()
  for (const one of processes.flatMap((each) => each.services)) {
    const sum = services.get(one.service)
    services.set(one.service, {
      service: one.service,
      is_broker: one.isBroker,
      calls: one.calls + (sum?.calls ?? 0),
      refused: (one.failures.refused ?? 0) + (sum?.refused ?? 0),
      limited: (one.failures.limit ?? 0) + (sum?.limited ?? 0),
      unreachable: (one.failures.network ?? 0) + (sum?.unreachable ?? 0),
      failed: (one.failures.failed ?? 0) + (sum?.failed ?? 0),
      waited_seconds: Math.round((one.waitedSeconds + (sum?.waited_seconds ?? 0)) * 10) / 10,
      limit: one.limit
        ? { calls: one.limit.calls, window_seconds: one.limit.windowMillis / 1_000 }
        : (sum?.limit ?? null),
      last_failure_at: later(one.lastFailureAt, sum?.last_failure_at ?? null),
    })
  }
  return [...services.values()].sort((a, b) => (a.service < b.service ? -1 : 1))
}
