import {
  type AccountPosition,
  type DeployableStrategy,
  type Deployment,
  NEW_DEPLOYMENT,
  type NotificationEvents,
  type TradingAccount,
} from '@tradewright/contract/live-trading-fields'
import { MARKET_EXECUTION, type OrderExecution, type OrderTypeId } from '@tradewright/core/order-types'
import { newOrderType } from '@tradewright/core/order-type-problem'
import { plainSymbol, tickersIn } from './signal-ticker.ts'

/** As a number field has it: empty, half typed or a number. */
export type NumberText = string

/** Numbers are kept as they were typed. */
export interface DeployForm {
  accountId: string
  strategyId: string
  deploymentName: string
  capitalPolicy: Deployment['capital_policy']
  /** Dollars, or percent of the account. */
  capitalValue: NumberText
  contributionMode: Deployment['contribution_mode']
  /** Quantity by symbol, of the positions that are contributed. */
  positions: Record<string, NumberText>
  extraCash: NumberText
  buyingPowerForgivenessPct: NumberText
  rebalanceThreshold: NumberText
  rebalanceFrequency: Deployment['rebalance_frequency']
  trainingMode: Deployment['training_mode']
  holdoutTrainSize: NumberText
  trainingStartDate: string
  trainingEndDate: string
  retrainingSchedule: Deployment['retraining_schedule']
  /** Trading ticker by signal ticker. */
  tickerMapping: Record<string, string>
  tradingFrequencyType: Deployment['trading_frequency_type']
  checkFrequencyMinutes: string
  minutesBeforeClose: string
  tradingDays: Deployment['trading_days']
  bypassMarketHours: boolean
  emailEnabled: boolean
  emails: string[]
  events: NotificationEvents
  autoStart: boolean
  dryRun: boolean
  /** Empty: no limit. */
  maxDailyLossPct: NumberText
  maxDrawdownPct: NumberText
  sellsOnLoss: boolean
  orderType: OrderTypeId
  collarPct: NumberText
  timeoutMinutes: NumberText
  afterTimeout: OrderExecution['afterTimeout']
  slices: NumberText
  sliceMinutes: NumberText
  maxOrderUsd: NumberText
  maxDailyUsd: NumberText
  maxDailyOrders: NumberText
  maxDailyTurnoverPct: NumberText
  maxAccountLossPct: NumberText
  maxOrderPct: NumberText
  maxOrderMultiple: NumberText
  priceBandPct: NumberText
}

/** Taken from the chosen strategy until the user changes it: null is "as the strategy has it". */
type FromStrategy =
  | 'deploymentName'
  | 'buyingPowerForgivenessPct'
  | 'rebalanceFrequency'
  | 'trainingStartDate'
  | 'trainingEndDate'
  | 'retrainingSchedule'

/** A form on its way: account and strategy may still be loading when it is opened. */
export type DeployDraft = Omit<DeployForm, FromStrategy | 'accountId' | 'orderType'> & {
  [Field in FromStrategy]: DeployForm[Field] | null
} & {
  /** Null: the default account. */
  accountId: string | null
  /** Null: what suits the account. */
  orderType: OrderTypeId | null
}
export type EditDraft = (change: Partial<DeployDraft>) => void

export function newDraft(strategyId = ''): DeployDraft {
  return {
    accountId: null,
    strategyId,
    deploymentName: null,
    capitalPolicy: NEW_DEPLOYMENT.capital_policy,
    capitalValue: String(NEW_DEPLOYMENT.capital_policy_value),
    contributionMode: NEW_DEPLOYMENT.contribution_mode,
    positions: {},
    extraCash: '0',
    buyingPowerForgivenessPct: null,
    rebalanceThreshold: String(NEW_DEPLOYMENT.rebalance_threshold),
    rebalanceFrequency: null,
    trainingMode: NEW_DEPLOYMENT.training_mode,
    holdoutTrainSize: String(NEW_DEPLOYMENT.holdout_train_size),
    trainingStartDate: null,
    trainingEndDate: null,
    retrainingSchedule: null,
    tickerMapping: {},
    tradingFrequencyType: NEW_DEPLOYMENT.trading_frequency_type,
    checkFrequencyMinutes: String(NEW_DEPLOYMENT.check_frequency_minutes),
    minutesBeforeClose: String(NEW_DEPLOYMENT.end_of_day_minutes_before_close),
    tradingDays: [...NEW_DEPLOYMENT.trading_days],
    bypassMarketHours: NEW_DEPLOYMENT.bypass_market_hours,
    emailEnabled: NEW_DEPLOYMENT.email_notifications_enabled,
    emails: [...NEW_DEPLOYMENT.notification_emails],
    events: { ...NEW_DEPLOYMENT.notification_events },
    autoStart: NEW_DEPLOYMENT.auto_start,
    dryRun: NEW_DEPLOYMENT.dry_run,
    maxDailyLossPct: '',
    maxDrawdownPct: '',
    sellsOnLoss: false,
    orderType: null,
    collarPct: String(MARKET_EXECUTION.collarPct),
    timeoutMinutes: String(MARKET_EXECUTION.timeoutMinutes),
    afterTimeout: MARKET_EXECUTION.afterTimeout,
    slices: String(MARKET_EXECUTION.slices),
    sliceMinutes: String(MARKET_EXECUTION.sliceMinutes),
    maxOrderUsd: '',
    maxDailyUsd: '',
    maxDailyOrders: '',
    maxDailyTurnoverPct: '',
    maxAccountLossPct: '',
    maxOrderPct: '',
    maxOrderMultiple: '',
    priceBandPct: '',
  }
}

export function draftOf(deployment: Deployment): DeployDraft {
  return {
    accountId: deployment.alpaca_account_id === null ? '' : String(deployment.alpaca_account_id),
    strategyId: deployment.strategy_id === null ? '' : String(deployment.strategy_id),
    deploymentName: deployment.deployment_name,
    capitalPolicy: deployment.capital_policy,
    capitalValue: String(deployment.capital_policy_value),
    contributionMode: deployment.contribution_mode,
    positions: {},
    extraCash: '0',
    buyingPowerForgivenessPct: String(deployment.buying_power_forgiveness_pct),
    rebalanceThreshold: String(deployment.rebalance_threshold),
    rebalanceFrequency: deployment.rebalance_frequency,
    trainingMode: deployment.training_mode,
    holdoutTrainSize: String(deployment.holdout_train_size),
    trainingStartDate: deployment.training_start_date ?? '',
    trainingEndDate: deployment.training_end_date ?? '',
    retrainingSchedule: deployment.retraining_schedule,
    tickerMapping: tickersIn(deployment.ticker_mapping),
    tradingFrequencyType: deployment.trading_frequency_type,
    checkFrequencyMinutes: String(deployment.check_frequency_minutes),
    minutesBeforeClose: String(deployment.end_of_day_minutes_before_close),
    tradingDays: [...deployment.trading_days],
    bypassMarketHours: deployment.bypass_market_hours,
    emailEnabled: deployment.email_notifications_enabled,
    emails: [...deployment.notification_emails],
    events: { ...deployment.notification_events },
    autoStart: deployment.auto_start,
    dryRun: deployment.dry_run,
    maxDailyLossPct: limitText(deployment.max_daily_loss_pct),
    maxDrawdownPct: limitText(deployment.max_drawdown_pct),
    sellsOnLoss: deployment.loss_action === 'sell',
    orderType: deployment.order_execution.type,
    collarPct: String(deployment.order_execution.collar_pct),
    timeoutMinutes: String(deployment.order_execution.timeout_minutes),
    afterTimeout: deployment.order_execution.after_timeout,
    slices: String(deployment.order_execution.slices),
    sliceMinutes: String(deployment.order_execution.slice_minutes),
    maxOrderUsd: limitText(deployment.order_limits.max_order_usd),
    maxDailyUsd: limitText(deployment.order_limits.max_daily_usd),
    maxDailyOrders: limitText(deployment.order_limits.max_daily_orders),
    maxDailyTurnoverPct: limitText(deployment.order_limits.max_daily_turnover_pct),
    maxAccountLossPct: limitText(deployment.order_limits.max_account_loss_pct),
    maxOrderPct: limitText(deployment.order_limits.max_order_pct),
    maxOrderMultiple: limitText(deployment.order_limits.max_order_multiple),
    priceBandPct: limitText(deployment.order_limits.price_band_pct),
  }
}

const limitText = (limit: number | null): NumberText => (limit === null ? '' : String(limit))

/** Another strategy brings its own tickers, dates, rebalancing, retraining and forgiveness. */
export const choosingStrategy = (strategyId: string): Partial<DeployDraft> => ({
  strategyId,
  tickerMapping: {},
  buyingPowerForgivenessPct: null,
  rebalanceFrequency: null,
  trainingStartDate: null,
  trainingEndDate: null,
  retrainingSchedule: null,
})

/** Positions are of an account, so another one has others. */
export const choosingAccount = (accountId: string): Partial<DeployDraft> => ({ accountId, positions: {} })

interface Choices {
  accounts: readonly TradingAccount[]
  strategies: readonly DeployableStrategy[]
}

export interface Chosen {
  form: DeployForm
  account: TradingAccount | undefined
  strategy: DeployableStrategy | undefined
}

/** The draft with what the chosen account and strategy fill in. */
export function chosenIn(draft: DeployDraft, { accounts, strategies }: Choices): Chosen {
  const standard = accounts.find(({ is_default }) => is_default) ?? accounts[0]
  const accountId = draft.accountId ?? String(standard?.id ?? '')
  const strategy = strategies.find(({ id }) => String(id) === draft.strategyId)
  const config = strategy?.config ?? {}
  const account = accounts.find(({ id }) => String(id) === accountId)
  const tickerMapping = mappingOf(draft, strategy)
  return {
    account,
    strategy,
    form: {
      ...draft,
      accountId,
      deploymentName: draft.deploymentName ?? strategy?.name ?? '',
      tickerMapping,
      orderType: draft.orderType ?? (account ? newOrderType(account.broker, Object.values(tickerMapping)) : 'market'),
      buyingPowerForgivenessPct: draft.buyingPowerForgivenessPct ?? textIn(config, 'buying_power_forgiveness_pct', '0'),
      rebalanceFrequency:
        draft.rebalanceFrequency ?? strategy?.tested_rebalance_frequency ?? NEW_DEPLOYMENT.rebalance_frequency,
      trainingStartDate: draft.trainingStartDate ?? textIn(config, 'start_date', textIn(config, 'startDate', '')),
      retrainingSchedule: strategy?.walk_forward ? (draft.retrainingSchedule ?? 'walk_forward') : 'never',
      trainingEndDate: draft.trainingEndDate ?? textIn(config, 'end_date', textIn(config, 'endDate', '')),
    },
  }
}

/** Each signal ticker trades as itself, without its leverage, until it is mapped to something else. */
function mappingOf({ tickerMapping }: DeployDraft, strategy: DeployableStrategy | undefined): Record<string, string> {
  if (!strategy) return tickerMapping
  return Object.fromEntries(
    strategy.signal_tickers.map((signal) => [signal, tickerMapping[signal] ?? plainSymbol(signal)]),
  )
}

function textIn(config: Record<string, unknown>, field: string, otherwise: string): string {
  const value = config[field]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise
}

/** Daily strategies decide on business days; the form says so where the schedule suggests otherwise. */
export function isDaily(strategy: DeployableStrategy | undefined): boolean {
  const granularity =
    textIn(strategy?.config ?? {}, 'data_granularity', '') || textIn(strategy?.config ?? {}, 'dataGranularity', 'daily')
  return strategy !== undefined && ['daily', '1d'].includes(granularity)
}

/** What it would be given, in dollars; 0 where that is not known. */
export function capitalOf(
  form: DeployForm,
  account: TradingAccount | undefined,
  positions: readonly AccountPosition[],
) {
  if (form.contributionMode === 'positions') return contributedValue(form, positions)
  const value = Number(form.capitalValue) || 0
  return form.capitalPolicy === 'percent_of_account' ? ((account?.equity ?? 0) * value) / 100 : value
}

/** Value of the chosen positions plus the extra cash. */
export function contributedValue(form: DeployForm, positions: readonly AccountPosition[]): number {
  const inPositions = positions
    .filter(({ symbol }) => symbol in form.positions)
    .reduce((sum, { symbol, current_price }) => sum + Number(form.positions[symbol]) * current_price, 0)
  const total = inPositions + Number(form.extraCash)
  return Number.isFinite(total) ? total : 0
}
