import { sql } from 'kysely'
import type { FailedJobs, OperatorStore, ProcessReport, ProcessReportStore, UserUse } from '../../observe/ports.ts'
import type { Database } from '../database.ts'

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
