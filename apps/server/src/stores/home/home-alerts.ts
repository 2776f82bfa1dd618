import { sql } from 'kysely'
import type { Alert, AlertStore } from '../../home/ports.ts'
import type { Database } from '../database.ts'

type Row = Omit<Alert, 'source'>

const NOT_VERIFIED = 'The broker has not confirmed its keys yet.'

export function createAlertStore(database: Database): AlertStore {
  return {
    async blocked(userId) {
      const rows = await database
        .selectFrom('deployments')
        .leftJoin('account_books', 'account_books.account_id', 'deployments.account_id')
        .select(['id', 'name', 'status', 'health_problem', 'disagreement'])
        .where('deployments.user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .where((row) =>
          row.or([
            row.and([row('status', '=', 'running'), row('health_problem', 'is not', null)]),
            row.and([row('status', '<>', 'running'), row('disagreement', 'is not', null)]),
          ]),
        )
        .orderBy('id', 'desc')
        .execute()
      return rows.map(({ id, name, status, health_problem, disagreement }) => ({
        source: 'deployment',
        id,
        name,
        level: 'error',
        text: (status === 'running' ? health_problem : disagreement)!,
        at: null,
      }))
    },

    async events(userId, since) {
      const { rows } = await sql<Row>`
        SELECT deployments.id, deployments.name, latest.item ->> 'level' AS level, latest.item ->> 'message' AS text,
          latest.at
        FROM deployments
        CROSS JOIN LATERAL (
          SELECT at, item FROM deployment_activity
          WHERE deployment_id = deployments.id AND at >= ${since}
            AND item ->> 'type' = 'event' AND item ->> 'level' IN ('warning', 'error')
          ORDER BY at DESC, id DESC LIMIT 1
        ) AS latest
        WHERE deployments.user_id = ${userId} AND deployments.deleted_at IS NULL AND deployments.status <> 'stopped'
        ORDER BY latest.at DESC`.execute(database)
      return rows.map((row) => Object.assign(row, { source: 'deployment' as const }))
    },

    async unverifiedAccounts(userId) {
      const rows = await database
        .selectFrom('brokerage_accounts')
        .select(['id', 'name', 'status_reason'])
        .where('user_id', '=', userId)
        .where('status', '<>', 'verified')
        .orderBy('id')
        .execute()
      return rows.map(({ id, name, status_reason }) => ({
        source: 'account',
        id,
        name,
        level: 'warning',
        text: status_reason ?? NOT_VERIFIED,
        at: null,
      }))
    },
  }
}
