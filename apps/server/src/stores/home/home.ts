import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { sql } from 'kysely'
import type { BacktestResult } from '@tradewright/engine/backtest/result'
import type { Figure } from '@tradewright/engine/performance/figure'
import type {
  ChecklistStep,
  ChecklistStore,
  Alert,
  AlertStore,
  ResultSummaryStore,
  StoredSummary,
} from '../../home/home.ts'
import type { Database } from '../database.ts'

export function createChecklistStore(database: Database): ChecklistStore {
  return {
    async find(userId) {
      const row = await database
        .selectFrom('home_checklists')
        .select(['done', 'is_hidden'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return { done: (row?.done ?? []) as ChecklistStep[], isHidden: row?.is_hidden ?? false }
    },

    async traces(userId) {
      const { rows } = await sql<Record<ChecklistStep, boolean>>`
        SELECT
          EXISTS (SELECT FROM backtests WHERE user_id = ${userId})
            OR EXISTS (SELECT FROM jobs WHERE user_id = ${userId} AND kind = 'backtest' AND state = 'completed')
            AS backtest,
          EXISTS (SELECT FROM strategies WHERE user_id = ${userId}) AS strategy,
          EXISTS (
            SELECT FROM collection_runs
            WHERE user_id = ${userId} AND status = 'completed' AND records_stored > 0
          ) OR EXISTS (
            SELECT FROM series_coverage JOIN data_stores ON data_stores.id = series_coverage.store_id
            WHERE data_stores.user_id = ${userId} AND series_coverage.provider <> ${SAMPLE_PROVIDER_ID}
          ) AS data,
          EXISTS (SELECT FROM brokerage_accounts WHERE user_id = ${userId}) AS account,
          EXISTS (SELECT FROM deployments WHERE user_id = ${userId} AND status = 'running') AS deployment`.execute(
        database,
      )
      const found = rows[0]!
      return (Object.keys(found) as ChecklistStep[]).filter((step) => found[step])
    },

    async addDone(userId, steps) {
      await sql`
        INSERT INTO home_checklists (user_id, done, is_hidden) VALUES (${userId}, ${[...steps]}::text[], false)
        ON CONFLICT (user_id) DO UPDATE SET done = ARRAY(
          SELECT DISTINCT step FROM unnest(home_checklists.done || excluded.done) AS step ORDER BY step
        )`.execute(database)
    },

    async setHidden(userId, isHidden) {
      await database
        .insertInto('home_checklists')
        .values({ user_id: userId, done: [], is_hidden: isHidden })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ is_hidden: isHidden }))
        .execute()
    },
  }
}

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

interface SummaryRow {
  id: number
  name: string
  strategy_name: string
  created_at: Date
  cagr: Figure
  sharpe: Figure
  max_drawdown: number
  synthetic: boolean
  start_value: number
  spliced: BacktestResult['spliced'] | null
  wiped_out: NonNullable<BacktestResult['wipedOut']> | null
  curve: StoredSummary['curve']
}

export function createResultSummaryStore(database: Database): ResultSummaryStore {
  return {
    async newest(userId, limit) {
      const rows = await database
        .selectFrom('backtests')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    async bestBySharpe(userId, limit) {
      const bestOfEach = database
        .selectFrom('backtests')
        .distinctOn('strategy_name')
        .select(['id', 'sharpe'])
        .where('user_id', '=', userId)
        .where('is_saved', '=', true)
        .where('sharpe', 'is not', null)
        .orderBy('strategy_name')
        .orderBy('sharpe', 'desc')
        .orderBy('id', 'desc')
      const rows = await database
        .selectFrom(bestOfEach.as('best'))
        .select('id')
        .orderBy('sharpe', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    async summaries(userId, ids) {
      // A report may have megabytes: only the parts that are shown leave the database.
      const { rows } = await sql<SummaryRow>`
        SELECT backtests.id, backtests.name, coalesce(strategies.name, backtests.strategy_name) AS strategy_name,
          backtests.created_at, backtests.max_drawdown, backtests.synthetic,
          result #> '{metrics,cagr}' AS cagr,
          result #> '{metrics,sharpe}' AS sharpe,
          (result #>> '{settings,startValue}')::float8 AS start_value,
          result -> 'wipedOut' AS wiped_out,
          result -> 'spliced' AS spliced,
          jsonb_build_object(
            'days', result #> '{curve,days}', 'values', result #> '{curve,values}',
            'nominalValues', result #> '{curve,nominalValues}', 'flows', result #> '{curve,flows}'
          ) AS curve
        FROM backtests
        LEFT JOIN strategies ON strategies.id = backtests.strategy_id
        CROSS JOIN LATERAL (SELECT backtests.report -> 'result' AS result OFFSET 0) AS stored
        WHERE backtests.user_id = ${userId} AND backtests.id = ANY (${[...ids]}::int[])`.execute(database)
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        strategyName: row.strategy_name,
        createdAt: row.created_at,
        cagr: row.cagr,
        sharpe: row.sharpe,
        maxDrawdown: row.max_drawdown,
        synthetic: row.synthetic,
        startValue: row.start_value,
        wipedOut: row.wiped_out,
        spliced: row.spliced ?? [],
        curve: row.curve,
      }))
    },
  }
}
