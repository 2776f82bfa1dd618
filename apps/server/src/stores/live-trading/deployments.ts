import { mayBeRowId } from '@tradewright/core/row-id'
import { sql } from 'kysely'
import type { Origin } from '../../live-trading/deployment.ts'
import type { DeploymentChange, DeploymentStore } from '../../live-trading/ports/deployments.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { toDeployment } from './deployment-row.ts'
import { holdingsOf } from './holdings.ts'

export function createDeploymentStore(database: Database | DatabaseTransaction): DeploymentStore {
  const alive = () => database.selectFrom('deployments').selectAll().where('deleted_at', 'is', null)
  const own = (userId: number, id: number) => alive().where('id', '=', id).where('user_id', '=', userId)
  const pause = (id: number, at: Date) =>
    sql`INSERT INTO deployment_pauses (deployment_id, paused_at) VALUES (${id}, ${at})
      ON CONFLICT (deployment_id) WHERE resumed_at IS NULL DO NOTHING`.execute(database)
  const resume = (id: number, at: Date) =>
    database
      .updateTable('deployment_pauses')
      .set({ resumed_at: at })
      .where('deployment_id', '=', id)
      .where('resumed_at', 'is', null)
      .execute()
  return {
    list: async (userId) =>
      (await alive().where('user_id', '=', userId).orderBy('id', 'desc').execute()).map(toDeployment),

    holdings: async (userId, id) => (id === undefined || mayBeRowId(id) ? holdingsOf(database, userId, id) : []),

    async find(userId, id) {
      const row = mayBeRowId(id) ? await own(userId, id).executeTakeFirst() : undefined
      return row && toDeployment(row)
    },

    async lock(userId, id) {
      const row = mayBeRowId(id) ? await own(userId, id).forNoKeyUpdate().executeTakeFirst() : undefined
      return row && toDeployment(row)
    },

    async lockAll(ids) {
      if (ids.length === 0) return new Map()
      // Always in the same order: two transactions that lock the same rows cannot deadlock.
      const rows = await alive()
        .where('id', 'in', [...ids])
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()
      return new Map(rows.map((row) => [row.id, toDeployment(row)]))
    },

    async byId(id) {
      const row = await alive().where('id', '=', id).executeTakeFirst()
      return row && toDeployment(row)
    },

    async byOrderKey(orderKey) {
      const row = await alive().where('order_key', '=', orderKey).executeTakeFirst()
      return row && toDeployment(row)
    },

    onAccount: async (accountId) =>
      (await alive().where('account_id', '=', accountId).orderBy('id').execute()).map(toDeployment),

    async knownOrderKeys(orderKeys) {
      if (orderKeys.length === 0) return new Set()
      const rows = await database
        .selectFrom('deployments')
        .select('order_key')
        .where('order_key', 'in', [...orderKeys])
        .execute()
      return new Set(rows.map((row) => row.order_key))
    },

    ofStrategy: async (userId, strategyId) =>
      (await alive().where('user_id', '=', userId).where('strategy_id', '=', strategyId).execute()).map(toDeployment),

    async insert(userId, deployment) {
      const row = await database
        .insertInto('deployments')
        .values({
          user_id: userId,
          order_key: deployment.orderKey,
          name: deployment.name,
          account_id: deployment.accountId,
          account_name: deployment.accountName,
          is_paper: deployment.isPaper,
          may_trade_synthetic: deployment.mayTradeSynthetic,
          strategy_id: deployment.strategyId,
          strategy_name: deployment.strategyName,
          strategy_type: deployment.strategyType,
          strategy: JSON.stringify(deployment.strategy),
          status: 'created',
          capital_policy: deployment.capitalPolicy,
          capital_policy_value: String(deployment.capitalPolicyValue),
          settings: JSON.stringify({ ...deployment.settings, origin: deployment.origin }),
          created_at: deployment.createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toDeployment(row)
    },

    async change(id, change) {
      const columns = toColumns(change)
      if (change.settings !== undefined) {
        const row = await database
          .selectFrom('deployments')
          .select('settings')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        const { origin } = row.settings as { origin: Origin }
        columns.settings = JSON.stringify({ ...change.settings, origin })
      }
      if (Object.keys(columns).length === 0) return
      await database.updateTable('deployments').set(columns).where('id', '=', id).execute()
      if (change.status === 'running') await resume(id, change.statusAt)
      else if (change.status !== undefined) await pause(id, change.statusAt)
    },

    async pauses(id) {
      const rows = await database
        .selectFrom('deployment_pauses')
        .select(['paused_at', 'resumed_at'])
        .where('deployment_id', '=', id)
        .orderBy('paused_at')
        .execute()
      return rows.map(({ paused_at, resumed_at }) => ({ from: paused_at, to: resumed_at }))
    },

    async decided(changes) {
      if (changes.length === 0) return
      await sql`
        UPDATE deployments SET next_run_at = decided.next_run_at, health_problem = NULL, health_code = NULL,
          run_missed_at = NULL,
          last_trade = coalesce(decided.last_trade, deployments.last_trade)
        FROM unnest(
          ${changes.map(({ id }) => id)}::int[],
          ${changes.map(({ nextRunAt }) => nextRunAt)}::timestamptz[],
          ${changes.map(({ lastTrade }) => (lastTrade ? JSON.stringify(lastTrade) : null))}::jsonb[]
        ) AS decided (id, next_run_at, last_trade)
        WHERE deployments.id = decided.id`.execute(database)
    },

    async bury(id, at) {
      await database
        .updateTable('deployments')
        .set({ deleted_at: at, next_run_at: null })
        .where('id', '=', id)
        .execute()
      for (const table of [
        'deployment_models',
        'deployment_log',
        'deployment_activity',
        'deployment_snapshots',
        'deployment_replays',
        'deployment_leases',
        'deployment_pauses',
        'deployment_ticker_changes',
        'deployment_messages',
      ] as const) {
        await database.deleteFrom(table).where('deployment_id', '=', id).execute()
      }
    },
  }
}

function toColumns(change: DeploymentChange) {
  const { totals } = change
  return {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.strategyId !== undefined && { strategy_id: change.strategyId }),
    ...(change.strategyName !== undefined && { strategy_name: change.strategyName }),
    ...(change.strategyType !== undefined && { strategy_type: change.strategyType }),
    ...(change.strategy !== undefined && { strategy: JSON.stringify(change.strategy) }),
    ...(change.status !== undefined && { status: change.status }),
    ...(change.capitalPolicyValue !== undefined && { capital_policy_value: String(change.capitalPolicyValue) }),
    ...(change.lastTrade !== undefined && {
      last_trade: change.lastTrade === null ? null : JSON.stringify(change.lastTrade),
    }),
    ...(change.nextRunAt !== undefined && { next_run_at: change.nextRunAt }),
    ...(change.healthProblem !== undefined && {
      health_problem: change.healthProblem?.sentence ?? null,
      health_code: change.healthProblem?.code ?? null,
    }),
    ...(change.emergencyStoppedAt !== undefined && { emergency_stopped_at: change.emergencyStoppedAt }),
    ...(change.liquidatingSince !== undefined && { liquidating_since: change.liquidatingSince }),
    ...(change.liquidatingBy !== undefined && { liquidating_by: JSON.stringify(change.liquidatingBy) }),
    ...(change.retrainAt !== undefined && { retrain_at: change.retrainAt }),
    ...(change.retrainingProblem !== undefined && { retraining_problem: change.retrainingProblem }),
    ...(change.heldOrders !== undefined && {
      held_orders: change.heldOrders.length === 0 ? null : JSON.stringify(change.heldOrders),
    }),
    ...(change.stops !== undefined && {
      stops: Object.keys(change.stops).length === 0 ? null : JSON.stringify(change.stops),
    }),
    ...(change.dividendsDue !== undefined && {
      dividends_due:
        change.dividendsDue.length === 0
          ? null
          : JSON.stringify(change.dividendsDue.map((due) => ({ ...due, amount: String(due.amount) }))),
    }),
    ...(change.runMissedAt !== undefined && { run_missed_at: change.runMissedAt }),
    ...(totals !== undefined && {
      committed_capital: String(totals.committed),
      total_contributions: String(totals.contributions),
      total_withdrawals: String(totals.withdrawals),
      net_contributions: String(totals.net),
    }),
  } as Record<string, unknown> & { settings?: string }
}
