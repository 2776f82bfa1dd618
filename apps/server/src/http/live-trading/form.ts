import type {
  CreateDeploymentBody,
  CreateWithPositionsBody,
  UpdateDeploymentBody,
} from '@tradewright/contract/live-trading-form'
import { Decimal } from '@tradewright/core/decimal'
import type { z } from 'zod'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import type { DeployForm } from '../../live-trading/deploy/deploy.ts'
import type { DeploymentSettings } from '../../live-trading/deployment.ts'
import type { EditForm } from '../../live-trading/deploy/edit.ts'

type Options = z.output<typeof UpdateDeploymentBody>
type Cash = z.output<typeof CreateDeploymentBody>
type Positions = z.output<typeof CreateWithPositionsBody>

export function toDeployForm(body: Cash | Positions): DeployForm {
  return {
    name: body.deployment_name ?? '',
    strategyId: body.strategy_id,
    accountId: body.alpaca_account_id,
    settings: {
      dryRun: false,
      maxDailyLossPct: null,
      maxDrawdownPct: null,
      ...settingsOf(body),
    },
    capitalPolicy: body.capital_policy,
    capitalPolicyValue: decimalOf(body.capital_policy_value),
    autoStart: body.auto_start,
    contributionMode: 'contributed_positions' in body ? 'positions' : 'cash',
    positions:
      'contributed_positions' in body
        ? body.contributed_positions.map(({ symbol, quantity }) => ({
            symbol: symbol.toUpperCase(),
            quantity: decimalOf(quantity),
          }))
        : [],
    confirmation: body.confirmation ?? undefined,
    usesDefaults: true,
    extraCash: 'contributed_cash' in body ? decimalOf(body.contributed_cash) : Decimal.zero,
  }
}

export const toEditForm = (body: Options, known: { readonly name: string }): EditForm => ({
  name: body.deployment_name ?? known.name,
  strategyId: body.strategy_id,
  accountId: body.alpaca_account_id,
  settings: settingsOf(body),
})

/** `1e-7` is how small numbers arrive as text. */
const decimalOf = (text: string): Decimal =>
  /^[+-]?(\d+\.?\d*)$/.test(text) ? Decimal.parse(text) : Decimal.fromNumber(Number(text))

const clamped = (value: number, from: number, to: number): number => Math.min(to, Math.max(from, value))

function settingsOf(body: Options): EditForm['settings'] {
  const settings: Omit<DeploymentSettings, 'dryRun' | 'maxDailyLossPct' | 'maxDrawdownPct'> = {
    rebalanceThresholdPct: body.rebalance_threshold,
    rebalanceFrequency: body.rebalance_frequency,
    frequencyType: body.trading_frequency_type,
    checkFrequencyMinutes: body.check_frequency_minutes,
    minutesBeforeClose: body.end_of_day_minutes_before_close,
    tradingDays: [...new Set(body.trading_days)],
    bypassMarketHours: body.bypass_market_hours,
    tickerMapping: oneWriting(body.ticker_mapping),
    forgivenessPct: body.buying_power_forgiveness_pct,
    notifications: {
      isEnabled: body.email_notifications_enabled,
      emails: body.notification_emails,
      events: body.notification_events,
    },
    training: {
      mode: body.training_mode,
      holdoutTrainPct: clamped(Number.isFinite(body.holdout_train_size) ? body.holdout_train_size : 70, 1, 99),
      start: body.training_start_date,
      end: body.training_end_date,
    },
  }
  return {
    ...settings,
    ...(body.retraining_schedule !== undefined && { retraining: body.retraining_schedule }),
    ...(body.dry_run !== undefined && { dryRun: body.dry_run }),
    ...(body.max_daily_loss_pct !== undefined && { maxDailyLossPct: body.max_daily_loss_pct }),
    ...(body.max_drawdown_pct !== undefined && { maxDrawdownPct: body.max_drawdown_pct }),
    ...(body.loss_action !== undefined && { lossAction: body.loss_action }),
    ...(body.order_execution !== undefined && {
      execution: {
        type: body.order_execution.type,
        collarPct: body.order_execution.collar_pct,
        timeoutMinutes: body.order_execution.timeout_minutes,
        afterTimeout: body.order_execution.after_timeout,
        slices: body.order_execution.slices,
        sliceMinutes: body.order_execution.slice_minutes,
      },
    }),
    ...(body.order_limits !== undefined && {
      orderLimits: {
        maxOrderUsd: body.order_limits.max_order_usd,
        maxDailyUsd: body.order_limits.max_daily_usd,
        maxDailyOrders: body.order_limits.max_daily_orders,
        maxDailyTurnoverPct: body.order_limits.max_daily_turnover_pct,
        maxAccountLossPct: body.order_limits.max_account_loss_pct,
        maxOrderPct: body.order_limits.max_order_pct,
        maxOrderMultiple: body.order_limits.max_order_multiple,
        priceBandPct: body.order_limits.price_band_pct,
      },
    }),
  }
}

/** Signal tickers as the engine writes them, so that `spy ?l=2` finds its mapping. A wrong one is a Problem. */
const oneWriting = (mapping: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(mapping).map(([signal, trading]) => [formatTicker(parseTicker(signal)), trading.toUpperCase()]),
  )
