import { sql } from 'kysely'
import type { Database } from '../database.ts'

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
