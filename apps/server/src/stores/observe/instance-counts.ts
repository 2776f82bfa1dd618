import { sql } from 'kysely'
import { DISAGREEMENT } from '../../live-trading/health.ts'
import type { DeploymentCounts, InstanceCounts, OpenJobs } from '../../observe/ports.ts'
import type { Database } from '../database.ts'

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
