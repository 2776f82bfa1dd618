import type * as contract from '@tradewright/contract/live-trading-fields'
import { LEDGER_ENTRY_TYPES } from '@tradewright/contract/live-trading-fields'
import { toStudioGranularity } from '@tradewright/core/granularity'
import { usd } from '@tradewright/core/money'
import type { OrderExecution } from '@tradewright/core/order-types'
import { formatDate } from '@tradewright/core/time'
import { stopOf } from '@tradewright/engine/backtest/request'
import { awaitsAnswer, heldSentence } from '@tradewright/engine/live/held-orders'
import type { OrderLimits } from '@tradewright/engine/live/order-limits'
import { fixedRows } from '@tradewright/engine/backtest/request'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import { shortPositions } from '@tradewright/engine/trading/ledger/books'
import type { EntryType } from '@tradewright/engine/trading/ledger/entry'
import type { z } from 'zod'
import {
  type DeployableStrategy,
  shortedSignals,
  signalTickers,
  testedRebalancing,
} from '../../live-trading/deploy/deployable-strategies.ts'
import type { LedgerRow } from '../../live-trading/ports/books.ts'
import type { AccountPosition, TradingAccount } from '../../live-trading/deploy/trading-accounts.ts'
import type { TickerVerdict } from '../../live-trading/deploy/validate-tickers.ts'
import type { VolumeShare } from '../../live-trading/deploy/volume-shares.ts'
import { type ActivityEntry, type DeploymentView, problemsOf } from '../../live-trading/views.ts'
import { splicedToWire } from '../backtests/wire/provenance-wire.ts'
import { executionOf, WEEKDAYS } from '../../live-trading/deployment.ts'
import { hasWalkForward, retrainingOf } from '../../live-trading/retraining/recipe.ts'

export function deploymentToWire(view: DeploymentView): contract.Deployment {
  const { deployment, slice, pnl, snapshot, isSynthetic, syntheticTickers, tickerChanges } = view
  const { settings, origin, strategy, totals } = deployment
  return {
    id: deployment.id,
    deployment_name: deployment.name,
    strategy_id: deployment.strategyId,
    strategy_name: deployment.strategyName,
    strategy_type: deployment.strategyType,
    alpaca_account_id: deployment.accountId,
    account_name: deployment.accountName,
    paper_trading: deployment.isPaper,
    status: deployment.status,
    capital_policy: deployment.capitalPolicy,
    capital_policy_value: deployment.capitalPolicyValue.toNumber(),
    capital_currency: 'USD',
    committed_capital: totals.committed.toNumber(),
    committed_cash: slice.cash.toNumber(),
    total_contributions: totals.contributions.toNumber(),
    total_withdrawals: totals.withdrawals.toNumber(),
    net_contributions: totals.net.toNumber(),
    last_account_snapshot: snapshot
      ? {
          cash: snapshot.cash.toNumber(),
          account_value: snapshot.accountValue.toNumber(),
          timestamp: snapshot.at.toISOString(),
        }
      : null,
    rebalance_threshold: settings.rebalanceThresholdPct,
    rebalance_frequency: settings.rebalanceFrequency,
    auto_start: origin.autoStart,
    check_frequency_minutes: settings.checkFrequencyMinutes,
    trading_frequency_type: settings.frequencyType,
    end_of_day_minutes_before_close: settings.minutesBeforeClose,
    trading_days: settings.tradingDays.length === 0 ? [...WEEKDAYS] : [...settings.tradingDays],
    ticker_mapping: { ...settings.tickerMapping },
    bypass_market_hours: settings.bypassMarketHours,
    buying_power_forgiveness_pct: settings.forgivenessPct,
    email_notifications_enabled: settings.notifications.isEnabled,
    notification_emails: [...settings.notifications.emails],
    notification_events: { ...settings.notifications.events },
    training_mode: settings.training.mode,
    holdout_train_size: settings.training.holdoutTrainPct,
    training_start_date: settings.training.start,
    training_end_date: settings.training.end,
    retraining_schedule: retrainingOf(deployment),
    contribution_mode: origin.contributionMode,
    contributed_positions: origin.contributedPositions.map(({ symbol, quantity }) => ({
      symbol,
      quantity: Number(quantity),
    })),
    contributed_cash: Number(origin.contributedCash),
    total_pnl: pnl.toNumber(),
    config: configOf(strategy, settings.forgivenessPct),
    dry_run: settings.dryRun,
    max_daily_loss_pct: settings.maxDailyLossPct,
    max_drawdown_pct: settings.maxDrawdownPct,
    loss_action: settings.lossAction ?? 'pause',
    order_execution: executionToWire(executionOf(deployment)),
    order_limits: {
      max_order_usd: settings.orderLimits?.maxOrderUsd ?? null,
      max_daily_usd: settings.orderLimits?.maxDailyUsd ?? null,
      max_daily_orders: settings.orderLimits?.maxDailyOrders ?? null,
      max_daily_turnover_pct: settings.orderLimits?.maxDailyTurnoverPct ?? null,
      max_account_loss_pct: settings.orderLimits?.maxAccountLossPct ?? null,
      max_order_pct: settings.orderLimits?.maxOrderPct ?? null,
      max_order_multiple: settings.orderLimits?.maxOrderMultiple ?? null,
      price_band_pct: settings.orderLimits?.priceBandPct ?? null,
    },
    health_problem: problemsOf(view).join(' ') || null,
    ticker_changes: tickerChanges.map(({ from, to, sentence }) => ({ from, to, sentence })),
    held_orders: (deployment.heldOrders ?? [])
      .filter(awaitsAnswer)
      .map((held) => ({ ticker: held.ticker, side: held.side, sentence: heldSentence(held) })),
    short_positions: shortPositions(slice).map(([symbol, owed]) => ({ symbol, quantity: owed.toNumber() })),
    liquidating: deployment.liquidatingSince !== null,
    synthetic: isSynthetic,
    synthetic_tickers: [...syntheticTickers],
    next_run_at: deployment.nextRunAt?.toISOString() ?? null,
    created_at: deployment.createdAt.toISOString(),
  }
}

const executionToWire = (execution: OrderExecution): contract.OrderExecution => ({
  type: execution.type,
  collar_pct: execution.collarPct,
  timeout_minutes: execution.timeoutMinutes,
  after_timeout: execution.afterTimeout,
  slices: execution.slices,
  slice_minutes: execution.sliceMinutes,
})

/** Cards read three settings from the mapping of the list. */
export function listItemToWire(view: DeploymentView): contract.Deployment {
  const wire = deploymentToWire(view)
  const { trading_frequency_type, end_of_day_minutes_before_close, bypass_market_hours } = wire
  const settings = { trading_frequency_type, end_of_day_minutes_before_close, bypass_market_hours }
  return { ...wire, ticker_mapping: { ...wire.ticker_mapping, ...settings } }
}

function configOf(
  { request }: DeploymentView['deployment']['strategy'],
  forgivenessPct: number,
): contract.Deployment['config'] {
  const [held = [], onSell = []] = fixedRows(request.strategy)
  return {
    signal1_allocation: percentages(held),
    signal0_allocation: percentages(onSell),
    start_date: formatDate(request.from),
    end_date: formatDate(request.to),
    data_granularity: toStudioGranularity(request.granularity) ?? request.granularity,
    buying_power_forgiveness_pct: forgivenessPct,
  }
}

const percentages = (rows: readonly AllocationRow[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ ticker, allocationPct }) => [ticker, allocationPct]))

export const strategyToWire = (deployable: DeployableStrategy): contract.DeployableStrategy => {
  const { strategy, runnable, reason, performance } = deployable
  const shorts = runnable ? shortedSignals(runnable) : []
  return {
    id: strategy.id,
    name: strategy.name,
    strategy_type: strategy.type,
    config: { ...strategy.config },
    is_deployable: runnable !== undefined,
    not_deployable_reason: reason,
    signal_tickers: runnable ? signalTickers(runnable) : [],
    walk_forward: runnable !== undefined && hasWalkForward(runnable),
    fill_timing: runnable?.model ? runnable.request.fillTiming : null,
    tested_rebalance_frequency: testedRebalancing(deployable),
    short_tickers: shorts,
    short_borrow_pct: shorts.length > 0 ? (runnable?.request.shortBorrowPct ?? null) : null,
    position_stop: (runnable && stopOf(runnable.request)) ?? null,
    latest_performance: performance && {
      total_return: performance.totalReturn,
      synthetic: performance.synthetic,
      spliced_tickers: splicedToWire(performance.spliced ?? []),
    },
  }
}

export const accountToWire = (
  { account, percentAllocated, percentKept, committedCapital, figures, error }: TradingAccount,
  operator: OrderLimits,
): contract.TradingAccount => ({
  id: account.id,
  account_name: account.name,
  broker: account.broker,
  paper_trading: account.isPaper,
  is_default: account.isDefault,
  percent_allocated: percentAllocated.rounded(4).toNumber(),
  percent_kept: percentKept.rounded(4).toNumber(),
  committed_capital: committedCapital.toNumber(),
  available_cash: figures?.availableCash.toNumber() ?? null,
  available_capital: figures?.availableCapital.toNumber() ?? null,
  cash: figures?.cash.toNumber() ?? null,
  equity: figures?.equity.toNumber() ?? null,
  buying_power: figures?.buyingPower.toNumber() ?? null,
  capital_base: figures?.equity.toNumber() ?? null,
  shorting_allowed: figures?.isShortingAllowed ?? null,
  short_borrow_pct: figures?.shortBorrowPct ?? null,
  error,
  operator_limits: {
    max_order_usd: operator.maxOrderValue?.toNumber() ?? null,
    max_daily_usd: operator.maxDailyValue?.toNumber() ?? null,
    max_daily_orders: operator.maxDailyOrders ?? null,
    max_daily_turnover_pct: operator.maxDailyTurnoverPct ?? null,
    max_account_loss_pct: operator.maxDailyLossPct ?? null,
    max_order_pct: null,
    max_order_multiple: null,
    price_band_pct: null,
  },
})

export function positionToWire({
  position,
  allocatedTo,
  allocated,
  available,
}: AccountPosition): contract.AccountPosition {
  const { quantity, price, marketValue, averageEntryPrice } = position
  const cost = quantity.times(averageEntryPrice)
  const gain = marketValue.minus(cost)
  return {
    symbol: position.ticker,
    quantity: quantity.toNumber(),
    current_price: price.toNumber(),
    market_value: marketValue.toNumber(),
    unrealized_pl: gain.toNumber(),
    unrealized_plpc: cost.isZero ? 0 : gain.toNumber() / Math.abs(cost.toNumber()),
    is_fully_allocated: !available.isPositive,
    allocated_to_deployments: allocatedTo.map(({ deployment, quantity: owned }) => ({
      deployment_id: deployment.id,
      deployment_name: deployment.name,
      quantity: owned.toNumber(),
    })),
    allocated_quantity: allocated.toNumber(),
    available_quantity: available.toNumber(),
  }
}

type WireType = contract.LedgerEntryType
const WIRE_TYPES = new Set<string>(LEDGER_ENTRY_TYPES)
/** The account's own types appear in no deployment's ledger. */
export const wireType = (type: EntryType): WireType => (WIRE_TYPES.has(type) ? (type as WireType) : 'CORRECTION')

export const ledgerEntryToWire = (row: LedgerRow): contract.LedgerEntry => ({
  id: row.id,
  recorded_at: row.recordedAt.toISOString(),
  entry_type: wireType(row.type),
  direction: row.direction,
  note: row.note,
  currency: row.currency,
  amount: row.amount.toNumber(),
  cash_after: row.cashAfter.toNumber(),
  equity_after: row.equityAfter.toNumber(),
  account_value_after: row.accountValueAfter?.toNumber() ?? null,
  positions_after: Object.fromEntries(
    Object.entries(row.positionsAfter).map(([symbol, quantity]) => [symbol, Number(quantity)]),
  ),
})

export function activityToWire(entry: ActivityEntry): z.input<typeof contract.ActivityItem> {
  const timestamp = entry.at.toISOString()
  if ('trade' in entry) {
    const { side, ticker, state, filledQuantity, quantity, notional, averagePrice, reason } = entry.trade
    const price = averagePrice?.toNumber() ?? null
    const asked = quantity ?? filledQuantity
    return {
      type: 'trade',
      timestamp,
      side,
      symbol: ticker,
      quantity: (filledQuantity.isZero ? asked : filledQuantity).toNumber(),
      status: state,
      price,
      reason: reason ?? (notional ? `for ${usd(notional)}` : null),
    }
  }
  const { activity } = entry
  if (activity.type === 'event') return { ...activity, timestamp, actor: activity.actor ?? null }
  const { signalType, confidence, action } = activity
  return { type: 'signal', timestamp, signal_type: signalType, confidence, action_taken: action }
}

export const volumeToWire = ({
  ticker,
  orderValue,
  averageUsd,
  reason,
  isSynthetic,
}: VolumeShare): contract.VolumeShare => ({
  symbol: ticker,
  order_value: orderValue,
  average_daily_usd: averageUsd,
  share_pct: averageUsd ? (orderValue / averageUsd) * 100 : null,
  reason,
  synthetic: isSynthetic,
})

export const verdictToWire = (verdict: TickerVerdict): contract.TickerValidation => ({
  valid: verdict.valid,
  error: verdict.error,
  warning: verdict.warning,
  is_price_old: verdict.isPriceOld,
  max_leverage: verdict.maxLeverage,
  requested_leverage: verdict.requestedLeverage,
  trading_ticker: verdict.tradingTicker,
})
