import type {
  CreateDeploymentBody,
  CreateWithPositionsBody,
  UpdateDeploymentBody,
} from '@tradewright/contract/live-trading-form'
import type { AccountPosition } from '@tradewright/contract/live-trading-fields'
import { contributedValue, type DeployForm, type NumberText } from './draft.ts'
import { clampedHoldout } from './form-rules.ts'

/** Capital is not part of an edit: contributions and disallocation change it. */
export function toUpdateBody(form: DeployForm): UpdateDeploymentBody {
  return {
    deployment_name: form.deploymentName.trim(),
    strategy_id: form.strategyId,
    alpaca_account_id: form.accountId,
    rebalance_threshold: numberIn(form.rebalanceThreshold),
    rebalance_frequency: form.rebalanceFrequency,
    check_frequency_minutes: numberIn(form.checkFrequencyMinutes),
    trading_frequency_type: form.tradingFrequencyType,
    end_of_day_minutes_before_close: numberIn(form.minutesBeforeClose),
    trading_days: form.tradingDays,
    ticker_mapping: form.tickerMapping,
    bypass_market_hours: form.bypassMarketHours,
    buying_power_forgiveness_pct: numberIn(form.buyingPowerForgivenessPct),
    email_notifications_enabled: form.emailEnabled,
    notification_emails: form.emails,
    notification_events: form.events,
    training_mode: form.trainingMode,
    holdout_train_size: clampedHoldout(form.holdoutTrainSize),
    training_start_date: form.trainingStartDate || null,
    training_end_date: form.trainingEndDate || null,
    retraining_schedule: form.retrainingSchedule,
    dry_run: form.dryRun,
    max_daily_loss_pct: limitIn(form.maxDailyLossPct),
    max_drawdown_pct: limitIn(form.maxDrawdownPct),
    loss_action: form.sellsOnLoss ? 'sell' : 'pause',
    order_execution: {
      type: form.orderType,
      collar_pct: numberIn(form.collarPct),
      timeout_minutes: numberIn(form.timeoutMinutes),
      after_timeout: form.afterTimeout,
      slices: numberIn(form.slices),
      slice_minutes: numberIn(form.sliceMinutes),
    },
    order_limits: {
      max_order_usd: limitIn(form.maxOrderUsd),
      max_daily_usd: limitIn(form.maxDailyUsd),
      max_daily_orders: limitIn(form.maxDailyOrders),
      max_daily_turnover_pct: limitIn(form.maxDailyTurnoverPct),
      max_account_loss_pct: limitIn(form.maxAccountLossPct),
      max_order_pct: limitIn(form.maxOrderPct),
      max_order_multiple: limitIn(form.maxOrderMultiple),
      price_band_pct: limitIn(form.priceBandPct),
    },
  }
}

/** What was left empty is left to the server, which limits new deployments with real money. */
function withDefaults(body: UpdateDeploymentBody): UpdateDeploymentBody {
  const { max_order_pct, max_order_multiple, price_band_pct, ...limits } = body.order_limits!
  return {
    ...body,
    order_limits: {
      ...limits,
      ...(max_order_pct !== null && { max_order_pct }),
      ...(max_order_multiple !== null && { max_order_multiple }),
      ...(price_band_pct !== null && { price_band_pct }),
    },
  }
}

/** Amounts go as they were typed, so that not a cent is lost on the way. */
export function toCreateBody(form: DeployForm): CreateDeploymentBody {
  return {
    ...withDefaults(toUpdateBody(form)),
    capital_policy: form.capitalPolicy,
    capital_policy_value: form.capitalValue || '0',
    capital_currency: 'USD',
    auto_start: form.autoStart,
    contribution_mode: 'cash',
  }
}

/** The value is what the chosen positions are worth, plus the extra cash. */
export function toPositionsBody(form: DeployForm, positions: readonly AccountPosition[]): CreateWithPositionsBody {
  return {
    ...withDefaults(toUpdateBody(form)),
    capital_policy: 'fixed_contribution',
    capital_policy_value: contributedValue(form, positions).toFixed(2),
    capital_currency: 'USD',
    auto_start: form.autoStart,
    contribution_mode: 'positions',
    contributed_positions: Object.entries(form.positions).map(([symbol, quantity]) => ({ symbol, quantity })),
    contributed_cash: form.extraCash || '0',
  }
}

/** An emptied field counts as nothing; what is out of range is the server's to refuse. */
const numberIn = (text: NumberText): number => Number(text) || 0
const limitIn = (text: NumberText): number | null => (text.trim() === '' ? null : Number(text))
