import { sql } from 'kysely'
import type {
  FailedJobs,
  OperatorStore,
  ProcessReport,
  ProcessReportStore,
  UserUse,
  DeploymentCounts,
  InstanceCounts,
  OpenJobs,
} from '../../observe/process-reports.ts'
import type { Database } from '../database.ts'
import { DISAGREEMENT } from '../../live-trading/health.ts'

const MAX_FAILURES = 30

export function createOperatorStore(database: Database): OperatorStore {
  return {
    async firstUser() {
      const { rows } = await sql<{ user_id: number }>`
        WITH added AS (
          INSERT INTO instance_operator (user_id)
          SELECT min(id) FROM users HAVING count(*) > 0 AND NOT EXISTS (SELECT FROM instance_operator)
          ON CONFLICT DO NOTHING RETURNING user_id
        )
        SELECT user_id FROM instance_operator UNION ALL SELECT user_id FROM added`.execute(database)
      return rows[0]?.user_id
    },
    async userNamed(key) {
      const row = await database.selectFrom('users').select('id').where('username_key', '=', key).executeTakeFirst()
      return row?.id
    },
    async users({ limit, offset }) {
      const total = await sql<{ total: number }>`SELECT count(*) AS total FROM users`.execute(database)
      const { rows } = await sql<UserUse>`
        SELECT users.id, username, users.created_at AS "createdAt",
          (SELECT max(last_used_at) FROM sessions WHERE user_id = users.id) AS "lastSeenAt",
          (SELECT count(*) FROM sessions WHERE user_id = users.id AND expires_at > now()) AS sessions,
          (SELECT coalesce(sum(bytes), 0)::float8 FROM store_files
            JOIN store_catalogues ON store_catalogues.id = catalogue_id AND is_local
            JOIN data_stores ON data_stores.id = store_id
            WHERE data_stores.user_id = users.id AND retired_version IS NULL) AS "seriesBytes",
          (SELECT count(*) FROM jobs WHERE user_id = users.id AND state IN ('queued', 'running')) AS jobs,
          (SELECT count(*) FROM deployments
            WHERE user_id = users.id AND status = 'running' AND deleted_at IS NULL) AS "runningDeployments",
          suspended_at IS NOT NULL AS "isSuspended"
        FROM users ORDER BY users.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(database)
      return { total: total.rows[0]!.total, users: rows }
    },
    async storage() {
      const { rows } = await sql<{ seriesBytes: number; postgres: string }>`
        SELECT (SELECT coalesce(sum(bytes), 0)::float8 FROM store_files
            JOIN store_catalogues ON store_catalogues.id = catalogue_id AND is_local
            WHERE retired_version IS NULL) AS "seriesBytes",
          current_setting('server_version') AS postgres`.execute(database)
      return rows[0]!
    },
    async accounts() {
      const { rows } = await sql<{ broker: string; accounts: number; unverified: number }>`
        SELECT broker, count(*) AS accounts, count(*) FILTER (WHERE status <> 'verified') AS unverified
        FROM brokerage_accounts GROUP BY broker ORDER BY broker`.execute(database)
      return rows
    },
    async failedJobs() {
      const { rows } = await sql<FailedJobs>`
        SELECT kind, error ->> 'kind' AS cause, error ->> 'code' AS code, count(*) AS count,
          count(DISTINCT user_id) AS users, max(finished_at) AS "lastAt"
        FROM jobs WHERE state = 'failed' AND finished_at > now() - interval '24 hours'
        GROUP BY 1, 2, 3 ORDER BY 4 DESC, 6 DESC LIMIT ${MAX_FAILURES}`.execute(database)
      return rows
    },
  }
}

export function createProcessReportStore(database: Database): ProcessReportStore {
  return {
    async save(id, report) {
      await sql`
        INSERT INTO process_reports (id, reported_at, report)
        VALUES (${id}, clock_timestamp(), ${JSON.stringify(report)})
        ON CONFLICT (id) DO UPDATE SET reported_at = excluded.reported_at, report = excluded.report`.execute(database)
    },
    async remove(id) {
      await database.deleteFrom('process_reports').where('id', '=', id).execute()
      // Reports are left of processes that were killed.
      await sql`DELETE FROM process_reports WHERE reported_at < now() - interval '1 day'`.execute(database)
    },
    async list() {
      const rows = await database
        .selectFrom('process_reports')
        .selectAll()
        .where('reported_at', '>', sql<Date>`now() - interval '2 minutes'`)
        .orderBy(sql`report ->> 'startedAt'`)
        .limit(200)
        .execute()
      return rows.map(({ id, reported_at, report }) =>
        Object.assign({ id, reportedAt: reported_at }, report as ProcessReport),
      )
    },
  }
}

export async function countInstance(database: Database): Promise<InstanceCounts> {
  const [jobs, deployments, others] = await Promise.all([
    sql<OpenJobs>`
      SELECT kind, state, count(*) AS count,
        extract(epoch FROM clock_timestamp() - min(CASE WHEN state = 'running' THEN started_at ELSE created_at END))::float8
          AS "oldestSeconds"
      FROM jobs WHERE state IN ('queued', 'running') GROUP BY kind, state ORDER BY kind, state`.execute(database),
    sql<DeploymentCounts>`
      SELECT count(*) AS running,
        count(*) FILTER (WHERE expires_at IS NULL OR expires_at < clock_timestamp() OR NOT isfinite(expires_at)) AS unattended,
        count(*) FILTER (WHERE run_missed_at IS NOT NULL) AS missed,
        count(*) FILTER (WHERE health_code = ${DISAGREEMENT}) AS disagreeing,
        count(*) FILTER (WHERE health_problem IS NOT NULL) AS blocked
      FROM deployments LEFT JOIN deployment_leases ON deployment_id = id
      WHERE status = 'running' AND deleted_at IS NULL`.execute(database),
    sql<{ users: number; databaseBytes: number }>`
      SELECT (SELECT count(*) FROM users) AS users, pg_database_size(current_database()) AS "databaseBytes"`.execute(
      database,
    ),
  ])
  return { jobs: jobs.rows, deployments: deployments.rows[0]!, ...others.rows[0]! }
}

export interface SystemCounts {
  queuedJobs: number
  runningJobs: number
  runningDeployments: number
  /** Running, and no process holds its lease. */
  unattendedDeployments: number
}

/** Work of all users together. */
export async function countSystem(database: Database): Promise<SystemCounts> {
  const { rows } = await sql<SystemCounts>`
    SELECT
      (SELECT count(*) FROM jobs WHERE state = 'queued') AS "queuedJobs",
      (SELECT count(*) FROM jobs WHERE state = 'running') AS "runningJobs",
      count(*) AS "runningDeployments",
      count(*) FILTER (WHERE expires_at IS NULL OR expires_at < clock_timestamp() OR NOT isfinite(expires_at)) AS "unattendedDeployments"
    FROM deployments LEFT JOIN deployment_leases ON deployment_id = id
    WHERE status = 'running' AND deleted_at IS NULL`.execute(database)
  return rows[0]!
}
