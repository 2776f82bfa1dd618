import { hasBlocks } from '@tradewright/core/strategy-kinds'
import type { StrategyType } from '@tradewright/core/strategy-kinds'
import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import { MARKET_EXECUTION, type OrderExecution } from '@tradewright/core/order-types'
import { Problem } from '@tradewright/core/problem'
import { type EpochDay, epochDayOf, parseDate, type UtcMillis } from '@tradewright/core/time'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { TickerSuccessor } from '@tradewright/engine/market/successors'
import type { HeldOrder } from '@tradewright/engine/live/held-orders'
import type { LastTrade } from '@tradewright/engine/live/trade-or-hold'
import type { TickerMapping } from '@tradewright/engine/live/trading-weights'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { BookedStop } from '@tradewright/engine/trading/position-stops'
import type { DeploymentStatus } from '@tradewright/engine/trading/deployment-status'
import type { RebalanceFrequency } from '@tradewright/core/backtest-settings'
import type { Actor } from './actor.ts'

export type Weekday = 'Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday' | 'Sunday'

export const WEEKDAYS: readonly Weekday[] = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

export type NotificationEvent = 'trades' | 'errors' | 'signals' | 'daily_summary'

/** `walk_forward` trains a model for each window of the strategy's backtest, as these go on. */
export type RetrainingSchedule = 'walk_forward' | 'never'

/** `sell` stops the deployment, cancels its open orders and sells all that it holds. */
type LossAction = 'pause' | 'sell'

export type CapitalPolicy = 'fixed_contribution' | 'percent_of_account'

/** A strategy read from its saved form. Plain data: it is kept with the deployment. */
export interface RunnableStrategy {
  readonly request: BacktestRequest
  readonly model: ModelChoice | undefined
  /** A market data provider's id, or `auto`. */
  readonly provider: string
  /** Tickers that took the place of ones it names since it was deployed, oldest first. */
  readonly successors?: readonly TickerSuccessor[]
}

/** Which prices decide, wherever they are asked for: signals, trainings and replays. */
export interface DataChoice {
  readonly provider: string
  readonly successors: readonly TickerSuccessor[]
}

export const dataChoiceOf = ({ provider, successors = [] }: RunnableStrategy): DataChoice => ({ provider, successors })

/** Set by the user, never looser than the operator's; null is no limit of their own. */
interface UserOrderLimits {
  readonly maxOrderUsd: number | null
  readonly maxDailyUsd: number | null
  readonly maxDailyOrders: number | null
  /** In percent of the deployment's value. */
  readonly maxDailyTurnoverPct: number | null
  /** The account has lost more than this today: the deployment sends nothing more. */
  readonly maxAccountLossPct: number | null
  /** The value of an order in percent of the account; this one and the next two are absent in deployments of earlier versions. */
  readonly maxOrderPct?: number | null | undefined
  /** How many times the largest of its latest orders an order may be worth. */
  readonly maxOrderMultiple?: number | null | undefined
  /** How far a fresh quote may be from the price that an order was sized by. */
  readonly priceBandPct?: number | null | undefined
}

/** Fields of the edit form. Plain data. */
export interface DeploymentSettings {
  readonly rebalanceThresholdPct: number
  readonly rebalanceFrequency: RebalanceFrequency
  readonly frequencyType: 'continuous' | 'end_of_day'
  readonly checkFrequencyMinutes: number
  readonly minutesBeforeClose: number
  /** Empty reads as weekdays. */
  readonly tradingDays: readonly Weekday[]
  readonly bypassMarketHours: boolean
  readonly tickerMapping: TickerMapping
  readonly forgivenessPct: number
  readonly notifications: {
    readonly isEnabled: boolean
    readonly emails: readonly string[]
    readonly events: Readonly<Record<NotificationEvent, boolean>>
  }
  readonly training: {
    readonly mode: 'full_range' | 'holdout'
    readonly holdoutTrainPct: number
    /** YYYY-MM-DD; null takes the strategy's own start, and for the end the present. */
    readonly start: string | null
    readonly end: string | null
  }
  /** Absent in deployments of earlier versions, which are not retrained. */
  readonly retraining?: RetrainingSchedule
  readonly dryRun: boolean
  readonly maxDailyLossPct: number | null
  readonly maxDrawdownPct: number | null
  /** What a broken loss limit does; absent, it pauses. */
  readonly lossAction?: LossAction | undefined
  /** Absent in deployments of earlier versions. */
  readonly orderLimits?: UserOrderLimits
  /** Absent in deployments of earlier versions, which send market orders. */
  readonly execution?: OrderExecution
}

/** Chosen once, when the deployment was created. */
export interface Origin {
  readonly autoStart: boolean
  readonly contributionMode: 'cash' | 'positions'
  readonly contributedPositions: readonly { readonly symbol: string; readonly quantity: string }[]
  readonly contributedCash: string
}

export interface CapitalTotals {
  readonly committed: Usd
  readonly contributions: Usd
  readonly withdrawals: Usd
  readonly net: Usd
}

export interface DeployedTrade extends LastTrade {
  /** Who asked for the trade that comes next. */
  readonly askedBy?: Actor
}

/** A dividend of shares that were held before its ex-date and is not paid yet. Plain data but for the amount. */
export interface DividendDue {
  readonly ticker: string
  readonly exDay: EpochDay
  /** Negative where the shares were owed. */
  readonly amount: Usd
}

export interface Deployment {
  readonly id: number
  readonly userId: number
  readonly orderKey: string
  readonly name: string
  readonly accountId: number
  readonly accountName: string
  readonly isPaper: boolean
  readonly mayTradeSynthetic: boolean
  readonly strategyId: number | null
  readonly strategyName: string
  readonly strategyType: StrategyType
  readonly strategy: RunnableStrategy
  readonly status: DeploymentStatus
  readonly capitalPolicy: CapitalPolicy
  /** Dollars or percent. */
  readonly capitalPolicyValue: Decimal
  readonly totals: CapitalTotals
  readonly settings: DeploymentSettings
  readonly origin: Origin
  readonly lastTrade: DeployedTrade | undefined
  readonly nextRunAt: Date | null
  /** Why it does not trade although it runs. */
  readonly healthProblem: Note | null
  /** Set by the emergency stop, until it is started again. */
  readonly emergencyStoppedAt: Date | null
  /** Set while a stopped deployment sells everything it holds: the instant that decision is for. */
  readonly liquidatingSince: Date | null
  /** Who asked for that sale; null where none is under way, or it began before this was kept. */
  readonly liquidatingBy: Actor | null
  /** When the model of the next walk-forward window can be trained; null: at once, where it is retrained at all. */
  readonly retrainAt: Date | null
  /** Why the model that is due could not be trained, as a sentence. */
  readonly retrainingProblem: string | null
  readonly createdAt: Date
  /** Absent where there are none. */
  readonly dividendsDue?: readonly DividendDue[]
  /** Orders that did not come through and wait, for their time or for their user; absent where there are none. */
  readonly heldOrders?: readonly HeldOrder[]
  /** What the stops of its positions know of them, by ticker; absent where there are none. */
  readonly stops?: Readonly<Record<string, BookedStop>>
}

/** What it is worth beside its slice. */
export const dueTo = ({ dividendsDue = [] }: Pick<Deployment, 'dividendsDue'>): Usd =>
  dividendsDue.reduce((sum, { amount }) => sum.plus(amount), Decimal.zero)

/** How its orders are sent. */
export const executionOf = ({ settings }: Pick<Deployment, 'settings'>): OrderExecution =>
  settings.execution ?? MARKET_EXECUTION

export const deploymentMissing = (): Problem =>
  new Problem('missing', 'deployment.missing', 'There is no such deployment.')

/** Where its data begins, for good: features with unlimited memory stay comparable. */
export function trainingRange({ strategy, settings }: Deployment, now: UtcMillis): { from: EpochDay; to: EpochDay } {
  const today = epochDayOf(now)
  // Rules are followed from the start of their backtest, whatever the training fields say.
  if (settings.retraining === 'walk_forward' || hasBlocks(strategy.request.strategy)) {
    return { from: strategy.request.from, to: today }
  }
  const from = parseDate(settings.training.start ?? '') ?? strategy.request.from
  const to =
    parseDate(settings.training.end ?? '') ?? (settings.training.mode === 'full_range' ? today : strategy.request.to)
  return { from, to: Math.min(to, today) }
}

/** The strategy's run with the deployment's range. Its start never moves. */
export function requestFor(deployment: Deployment, now: number): BacktestRequest {
  const { request } = deployment.strategy
  return { ...request, from: trainingRange(deployment, now).from, to: epochDayOf(now) }
}
