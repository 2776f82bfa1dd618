import { choicesOf } from '@tradewright/core/backtest-settings'
import { brokerIds } from '@tradewright/core/broker-catalogue'
import { orderTypeIds } from '@tradewright/core/order-types'
import { z } from 'zod'
import { Sentence } from './answers.ts'
import { SplicedTickers } from './backtest-figures.ts'
import { StrategyType } from './strategies.ts'

const DEPLOYMENT_STATUSES = ['created', 'running', 'paused', 'stopped'] as const
export const CONTROL_ACTIONS = ['start', 'pause', 'resume', 'stop'] as const
export const TICKER_CHOICES = ['trade', 'sell'] as const

export const STOPPED_POSITIONS = ['keep', 'sell'] as const
export const CAPITAL_POLICIES = ['fixed_contribution', 'percent_of_account'] as const
export const CONTRIBUTION_MODES = ['cash', 'positions'] as const
export const CONTRIBUTION_TYPES = ['CONTRIBUTION', 'WITHDRAWAL'] as const
export const TRADING_FREQUENCY_TYPES = ['continuous', 'end_of_day'] as const
export const TRAINING_MODES = ['full_range', 'holdout'] as const
/** `walk_forward`: a new model at each step of the strategy's walk-forward backtest. */
export const RETRAINING_SCHEDULES = ['walk_forward', 'never'] as const
export const AFTER_TIMEOUT = ['cancel', 'market'] as const
export const NOTIFICATION_EVENTS = ['trades', 'errors', 'signals', 'daily_summary'] as const
export const TRADING_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export const DEPLOYMENT_REBALANCE_FREQUENCIES = choicesOf('rebalanceFrequency')

/** Choices of the form, in its order. The server takes any whole number of minutes within these bounds. */
export const CHECK_FREQUENCY_MINUTES = [5, 15, 30, 60, 240] as const
export const MINUTES_BEFORE_CLOSE = [10, 15, 30, 45, 60] as const
export const RAW_LINE_COUNTS = [200, 300, 500, 1000] as const
export const DEFAULT_RAW_LINES = 300
export const ACTIVITY_LIMIT = 100
export const LEDGER_PAGE_SIZE = 50

export const LEDGER_ENTRY_TYPES = [
  'CONTRIBUTION',
  'WITHDRAWAL',
  'DISALLOCATION',
  'TRADE_BUY',
  'TRADE_SELL',
  'REBALANCE',
  'FEE',
  'DIVIDEND',
  'INTEREST',
  'SPLIT',
  'CORPORATE_ACTION',
  'CORRECTION',
  'SNAPSHOT',
] as const
export type LedgerEntryType = (typeof LEDGER_ENTRY_TYPES)[number]

/** Initial values of the deploy form. */
export const NEW_DEPLOYMENT = {
  capital_policy: 'fixed_contribution',
  capital_policy_value: 0,
  capital_currency: 'USD',
  rebalance_threshold: 5,
  rebalance_frequency: 'monthly',
  auto_start: false,
  check_frequency_minutes: 60,
  trading_frequency_type: 'continuous',
  end_of_day_minutes_before_close: 30,
  trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  bypass_market_hours: false,
  buying_power_forgiveness_pct: 0,
  email_notifications_enabled: false,
  notification_emails: [],
  notification_events: { trades: true, errors: true, signals: false, daily_summary: false },
  training_mode: 'full_range',
  holdout_train_size: 70,
  contribution_mode: 'cash',
  dry_run: false,
} as const

/** Money and quantities of an answer: numbers for people to read; the exact decimals stay in the ledger. */
const money = z.number()

export const NotificationEvents = z.object({
  trades: z.boolean(),
  errors: z.boolean(),
  signals: z.boolean(),
  daily_summary: z.boolean(),
})
export type NotificationEvents = z.infer<typeof NotificationEvents>

export const AccountSnapshot = z.object({ cash: money, account_value: money, timestamp: z.iso.datetime() })

const ContributedPosition = z.object({ symbol: z.string(), quantity: z.number() })

/** How its orders are sent. Of the figures, those of its type count. */
export const OrderExecution = z.object({
  type: z.enum(orderTypeIds),
  /** How much worse than a fresh quote a marketable limit may be. */
  collar_pct: z.number(),
  timeout_minutes: z.int(),
  /** What becomes of the rest of a limit order when its time is over. */
  after_timeout: z.enum(AFTER_TIMEOUT),
  slices: z.int(),
  slice_minutes: z.int(),
})
export type OrderExecution = z.infer<typeof OrderExecution>

export const LOSS_ACTIONS = ['pause', 'sell'] as const

/** Limits that the user sets for one deployment beside the operator's; null is no limit of their own. */
export const OrderLimits = z.object({
  max_order_usd: money.nullable(),
  max_daily_usd: money.nullable(),
  max_daily_orders: z.int().nullable(),
  /** In percent of the deployment's value. */
  max_daily_turnover_pct: z.number().nullable(),
  /** In percent of the account's value at the close of the session before. */
  max_account_loss_pct: z.number().nullable(),
  /** The value of an order in percent of the account. */
  max_order_pct: z.number().nullable(),
  /** How many times the largest of its latest orders an order may be worth. */
  max_order_multiple: z.number().nullable(),
  /** How far, in percent, a fresh quote may be from the price that an order was sized by. */
  price_band_pct: z.number().nullable(),
})
export type OrderLimits = z.infer<typeof OrderLimits>

/** The size of orders against what is traded of a ticker on an average day. */
export const VolumeShare = z.object({
  symbol: z.string(),
  order_value: money,
  /** Close times volume over the last 20 days; null where no volume is known. */
  average_daily_usd: money.nullable(),
  /** Percent of it; above 1 an order moves the price. */
  share_pct: z.number().nullable(),
  /** Why there is none, as a sentence. */
  reason: Sentence.nullable(),
  /** The volume is of the synthetic sample market. */
  synthetic: z.boolean(),
})
export type VolumeShare = z.infer<typeof VolumeShare>

export const Deployment = z.object({
  id: z.int(),
  deployment_name: z.string(),
  strategy_id: z.int().nullable(),
  strategy_name: z.string(),
  strategy_type: StrategyType,
  alpaca_account_id: z.int().nullable(),
  account_name: z.string(),
  paper_trading: z.boolean(),
  status: z.enum(DEPLOYMENT_STATUSES),
  capital_policy: z.enum(CAPITAL_POLICIES),
  /** Dollars, or percent of the account. */
  capital_policy_value: money,
  capital_currency: z.string(),
  committed_capital: money,
  committed_cash: money,
  total_contributions: money,
  total_withdrawals: money,
  net_contributions: money,
  last_account_snapshot: AccountSnapshot.nullable(),
  rebalance_threshold: z.number(),
  rebalance_frequency: z.enum(DEPLOYMENT_REBALANCE_FREQUENCIES),
  auto_start: z.boolean(),
  check_frequency_minutes: z.int(),
  trading_frequency_type: z.enum(TRADING_FREQUENCY_TYPES),
  end_of_day_minutes_before_close: z.int(),
  trading_days: z.array(z.enum(TRADING_DAYS)),
  /** Signal ticker to trading ticker. In the list it also carries the three settings that cards read from it. */
  ticker_mapping: z.record(z.string(), z.unknown()),
  bypass_market_hours: z.boolean(),
  buying_power_forgiveness_pct: z.number(),
  email_notifications_enabled: z.boolean(),
  notification_emails: z.array(z.string()),
  notification_events: NotificationEvents,
  training_mode: z.enum(TRAINING_MODES),
  holdout_train_size: z.number(),
  training_start_date: z.string().nullable(),
  training_end_date: z.string().nullable(),
  retraining_schedule: z.enum(RETRAINING_SCHEDULES),
  contribution_mode: z.enum(CONTRIBUTION_MODES),
  contributed_positions: z.array(ContributedPosition),
  contributed_cash: money,
  total_pnl: money,
  config: z.object({
    signal1_allocation: z.record(z.string(), z.number()),
    signal0_allocation: z.record(z.string(), z.number()),
    start_date: z.string().nullable(),
    end_date: z.string().nullable(),
    data_granularity: z.string(),
    buying_power_forgiveness_pct: z.number(),
  }),
  /** Does everything but send orders. */
  dry_run: z.boolean(),
  /** Percent of the value at the session's start that may be lost in it; null is no limit. */
  max_daily_loss_pct: z.number().nullable(),
  /** Percent below its highest value without flows; null is no limit. */
  max_drawdown_pct: z.number().nullable(),
  /** What a broken loss limit does: `sell` stops it, cancels its orders and sells all that it holds. */
  loss_action: z.enum(LOSS_ACTIONS),
  order_limits: OrderLimits,
  order_execution: OrderExecution,
  /** Why it does not trade although it runs, or would not when it is started, as a sentence; null when it would. */
  health_problem: Sentence.nullable(),
  /**
   * Holdings that a corporate action turned into another ticker. Nothing is traded until its user has chosen for each whether
   * the new ticker is traded in the place of the old one.
   */
  ticker_changes: z.array(z.object({ from: z.string(), to: z.string(), sentence: Sentence })),
  /** Orders that were cancelled at the broker, or refused for a reason of the user's: not sent again until they choose. */
  held_orders: z.array(z.object({ ticker: z.string(), side: z.enum(['buy', 'sell']), sentence: Sentence })),
  /** Borrowed shares that it owes, as positive quantities. */
  short_positions: z.array(z.object({ symbol: z.string(), quantity: z.number() })),
  /** It is stopped and sells everything it holds. */
  liquidating: z.boolean(),
  /** Whether its newest decision stood on made-up prices. */
  synthetic: z.boolean(),
  /** Tickers that the newest decision priced by the synthetic sample market. */
  synthetic_tickers: z.array(z.string()),
  next_run_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
})
export type Deployment = z.infer<typeof Deployment>

export const DeployableStrategy = z.object({
  id: z.int(),
  name: z.string(),
  strategy_type: StrategyType,
  config: z.record(z.string(), z.unknown()),
  is_deployable: z.boolean(),
  /** Why not, as a sentence; null where it is. */
  not_deployable_reason: Sentence.nullable(),
  /** Tickers of its allocations in one writing, CASHX included: the rows of the ticker mapping. */
  signal_tickers: z.array(z.string()),
  /** The strategy's backtest refits its model at each step, so a deployment can be retrained by the same schedule. */
  walk_forward: z.boolean(),
  /** When its backtest fills a decision of its model; null for a strategy that predicts nothing. */
  fill_timing: z.enum(choicesOf('fillTiming')).nullable(),
  /** The rebalancing that it is backtested with; null where it names none. */
  tested_rebalance_frequency: z.enum(DEPLOYMENT_REBALANCE_FREQUENCIES).nullable(),
  /** What it may sell short, in one writing; empty for most strategies. */
  short_tickers: z.array(z.string()),
  /** What its backtest charges for borrowed shares, in percent a year; null where it sells nothing short. */
  short_borrow_pct: z.number().nullable(),
  /** The stop of each position that it is tested and traded with; null where it has none. */
  position_stop: z.object({ type: z.enum(choicesOf('stopType')), pct: z.number() }).nullable(),
  /**
   * A fraction; null without a saved backtest. `synthetic`: on made-up prices, in whole or in part; `spliced_tickers`: whose
   * prices stood in for a ticker on its days.
   */
  latest_performance: z
    .object({ total_return: z.number(), synthetic: z.boolean(), spliced_tickers: SplicedTickers })
    .nullable(),
})
export type DeployableStrategy = z.infer<typeof DeployableStrategy>

/** Figures are null when the broker could not be asked; `error` then says why. */
export const TradingAccount = z.object({
  id: z.int(),
  account_name: z.string(),
  /** The broker, which decides what order types the account takes. */
  broker: z.enum(brokerIds),
  paper_trading: z.boolean(),
  is_default: z.boolean(),
  percent_allocated: z.number(),
  /** Percent of the account that stopped deployments kept: not allocated by the sum above, and not available. */
  percent_kept: z.number(),
  committed_capital: money,
  available_cash: money.nullable(),
  available_capital: money.nullable(),
  cash: money.nullable(),
  equity: money.nullable(),
  buying_power: money.nullable(),
  capital_base: money.nullable(),
  /** Whether it may hold short positions; null where the broker could not be asked. */
  shorting_allowed: z.boolean().nullable(),
  /** What it charges for borrowed shares, in percent a year; null where the broker has a rate for each day and ticker. */
  short_borrow_pct: z.number().nullable(),
  error: Sentence.nullable(),
  /** The operator's limits, which are the same for every account of the instance. */
  operator_limits: OrderLimits,
})
export type TradingAccount = z.infer<typeof TradingAccount>

export const AccountPosition = z.object({
  symbol: z.string(),
  quantity: z.number(),
  current_price: money,
  market_value: money,
  unrealized_pl: money,
  /** A fraction. */
  unrealized_plpc: z.number(),
  is_fully_allocated: z.boolean(),
  allocated_to_deployments: z.array(
    z.object({ deployment_id: z.int(), deployment_name: z.string(), quantity: z.number() }),
  ),
  allocated_quantity: z.number(),
  available_quantity: z.number(),
})
export type AccountPosition = z.infer<typeof AccountPosition>

export const LedgerEntry = z.object({
  id: z.int(),
  recorded_at: z.iso.datetime(),
  entry_type: z.enum(LEDGER_ENTRY_TYPES),
  /** Seen from the deployment's cash and positions. */
  direction: z.enum(['in', 'out', 'none']),
  note: Sentence.nullable(),
  currency: z.string(),
  amount: money,
  cash_after: money,
  equity_after: money,
  account_value_after: money.nullable(),
  positions_after: z.record(z.string(), z.number()),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

export const LedgerPagination = z.object({ page: z.int(), page_size: z.int(), total_entries: z.int() })

/** Real money is traded only with the deployment's name, typed by the user. Paper accounts need none. */
export const Confirmation = z.string().max(200).nullish()

const ACTOR_KINDS = ['user', 'schedule', 'system'] as const

/** `schedule` is a run of the deployment, `system` the program itself. */
const Actor = z.object({
  kind: z.enum(ACTOR_KINDS),
  /** A user's name, or the kind. */
  name: z.string(),
  /** Device, address and sign-in of a user's session in words, or the part of the program that was asked. */
  session: Sentence.nullable(),
})

/** `event` is beyond the specification: something that is neither a signal nor a trade, such as a refusal to trade. */
export const ActivityItem = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('signal'),
    timestamp: z.iso.datetime(),
    /** `Buy`, `Sell` or `Allocation`. */
    signal_type: z.string(),
    /** The probability of the signal that was given; null where nothing is predicted. */
    confidence: z.number().nullable(),
    action_taken: z.string(),
  }),
  z.object({
    type: z.literal('trade'),
    timestamp: z.iso.datetime(),
    side: z.enum(['buy', 'sell']),
    quantity: z.number(),
    symbol: z.string(),
    status: z.string(),
    price: money.nullable(),
    reason: Sentence.nullable(),
  }),
  z.object({
    type: z.literal('event'),
    timestamp: z.iso.datetime(),
    level: z.enum(['info', 'warning', 'error']),
    message: Sentence,
    /** Who caused it; null in events of earlier versions. */
    actor: Actor.nullable(),
  }),
])
export type ActivityItem = z.infer<typeof ActivityItem>

export const TickerValidation = z.object({
  valid: z.boolean(),
  error: Sentence.nullable(),
  warning: Sentence.nullable(),
  /** Its last known price lacks several sessions: the account may hold it, but no decision is made on it. */
  is_price_old: z.boolean(),
  max_leverage: z.number(),
  requested_leverage: z.number(),
  trading_ticker: z.string(),
})
export type TickerValidation = z.infer<typeof TickerValidation>

export const MappingValidation = z.object({
  all_valid: z.boolean(),
  /** By signal ticker. */
  ticker_results: z.record(z.string(), TickerValidation),
})
export type MappingValidation = z.infer<typeof MappingValidation>
