import type { StrategyType } from '@tradewright/core/strategy-kinds'
import { Decimal } from '@tradewright/core/decimal'
import type { Note } from '@tradewright/core/note'
import type { HeldOrder } from '@tradewright/engine/live/held-orders'
import type { DeploymentStatus } from '@tradewright/engine/trading/deployment-status'
import type { Selectable } from 'kysely'
import type {
  CapitalPolicy,
  Deployment,
  DeploymentSettings,
  DividendDue,
  Origin,
  RunnableStrategy,
} from '../../live-trading/deployment.ts'
import type { Tables } from '../tables.ts'
import type { Actor } from '../../live-trading/actor.ts'

type Row = Selectable<Tables['deployments']>

export function toDeployment(row: Row): Deployment {
  const { origin, ...settings } = row.settings as DeploymentSettings & { origin: Origin }
  return {
    id: row.id,
    userId: row.user_id,
    orderKey: row.order_key,
    name: row.name,
    accountId: row.account_id,
    accountName: row.account_name,
    isPaper: row.is_paper,
    mayTradeSynthetic: row.may_trade_synthetic,
    strategyId: row.strategy_id,
    strategyName: row.strategy_name,
    strategyType: row.strategy_type as StrategyType,
    strategy: row.strategy as RunnableStrategy,
    // The table's checks let in nothing else.
    status: row.status as DeploymentStatus,
    capitalPolicy: row.capital_policy as CapitalPolicy,
    capitalPolicyValue: Decimal.parse(row.capital_policy_value),
    totals: {
      committed: Decimal.parse(row.committed_capital),
      contributions: Decimal.parse(row.total_contributions),
      withdrawals: Decimal.parse(row.total_withdrawals),
      net: Decimal.parse(row.net_contributions),
    },
    settings,
    origin,
    lastTrade: (row.last_trade as Deployment['lastTrade'] | null) ?? undefined,
    nextRunAt: row.next_run_at,
    healthProblem: healthOf(row),
    emergencyStoppedAt: row.emergency_stopped_at,
    liquidatingSince: row.liquidating_since,
    liquidatingBy: row.liquidating_by as Actor | null,
    retrainAt: row.retrain_at,
    retrainingProblem: row.retraining_problem,
    createdAt: row.created_at,
    ...(row.held_orders !== null && { heldOrders: row.held_orders as HeldOrder[] }),
    ...(row.stops !== null && { stops: row.stops as Deployment['stops'] & object }),
    ...(row.dividends_due !== null && { dividendsDue: (row.dividends_due as StoredDue[]).map(toDue) }),
  }
}

type StoredDue = Omit<DividendDue, 'amount'> & { readonly amount: string }

const toDue = (due: StoredDue): DividendDue => ({ ...due, amount: Decimal.parse(due.amount) })

/** A problem without a code was stored by an earlier version. */
const healthOf = ({ health_code, health_problem }: Row): Note | null =>
  health_problem === null ? null : { code: health_code ?? 'unknown', level: 'error', sentence: health_problem }
