import type {
  AccountPosition,
  ActivityItem,
  DeployableStrategy,
  Deployment,
  LedgerEntry,
  TradingAccount,
} from '@tradewright/contract/live-trading-fields'
import type { Decision } from '@tradewright/contract/live-trading-decision'
import type { getDeploymentOverview, MonthReplay } from '@tradewright/contract/live-trading-watch'
import type { z } from 'zod'

type Overview = z.input<typeof getDeploymentOverview.answer>

/** Objects of the tests, each as the contract has it. */
export function deployment(changes: Partial<Deployment> = {}): Deployment {
  return {
    id: 1,
    deployment_name: 'Regime switch, core',
    strategy_id: 3,
    strategy_name: 'SPY / TLT regime switch',
    strategy_type: 'ML',
    alpaca_account_id: 7,
    account_name: 'Main account',
    paper_trading: true,
    status: 'running',
    capital_policy: 'fixed_contribution',
    capital_policy_value: 25_000,
    capital_currency: 'USD',
    committed_capital: 25_000,
    committed_cash: 1240.18,
    total_contributions: 25_000,
    total_withdrawals: 0,
    net_contributions: 25_000,
    last_account_snapshot: { cash: 1240.18, account_value: 26_862.44, timestamp: '2026-11-13T21:00:00.000Z' },
    rebalance_threshold: 5,
    rebalance_frequency: 'monthly',
    auto_start: false,
    check_frequency_minutes: 60,
    trading_frequency_type: 'end_of_day',
    end_of_day_minutes_before_close: 30,
    trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
    ticker_mapping: { 'SPY?L=2': 'SSO', TLT: 'TLT', trading_frequency_type: 'end_of_day' },
    bypass_market_hours: false,
    buying_power_forgiveness_pct: 0,
    email_notifications_enabled: true,
    notification_emails: ['ann@example.com'],
    notification_events: { trades: true, errors: true, signals: false, daily_summary: false },
    training_mode: 'full_range',
    holdout_train_size: 70,
    training_start_date: '2018-01-01',
    training_end_date: null,
    retraining_schedule: 'never',
    contribution_mode: 'cash',
    contributed_positions: [],
    contributed_cash: 0,
    total_pnl: 1862.44,
    config: {
      signal1_allocation: { 'SPY?L=2': 100 },
      signal0_allocation: { TLT: 100 },
      start_date: '2018-01-01',
      end_date: null,
      data_granularity: 'daily',
      buying_power_forgiveness_pct: 0,
    },
    dry_run: false,
    max_daily_loss_pct: null,
    max_drawdown_pct: null,
    order_limits: NO_LIMITS,
    order_execution: {
      type: 'market',
      collar_pct: 0.5,
      timeout_minutes: 5,
      after_timeout: 'cancel',
      slices: 4,
      slice_minutes: 10,
    },
    health_problem: null,
    ticker_changes: [],
    short_positions: [],
    liquidating: false,
    synthetic: false,
    synthetic_tickers: [],
    next_run_at: '2026-11-16T20:30:00.000Z',
    created_at: '2026-09-01T14:00:00.000Z',
    ...changes,
  }
}

export function strategy(changes: Partial<DeployableStrategy> = {}): DeployableStrategy {
  return {
    id: 3,
    name: 'SPY / TLT regime switch',
    strategy_type: 'ML',
    config: { data_granularity: 'daily', start_date: '2018-01-01', buying_power_forgiveness_pct: 2.5 },
    is_deployable: true,
    not_deployable_reason: null,
    signal_tickers: ['SPY?L=2', 'TLT', 'CASHX'],
    walk_forward: false,
    fill_timing: 'next_open',
    tested_rebalance_frequency: 'monthly',
    short_tickers: [],
    short_borrow_pct: null,
    latest_performance: { total_return: 0.842, synthetic: false, spliced_tickers: [] },
    ...changes,
  }
}

const NO_LIMITS = {
  max_order_usd: null,
  max_daily_usd: null,
  max_daily_orders: null,
  max_daily_turnover_pct: null,
  max_account_loss_pct: null,
}

export function account(changes: Partial<TradingAccount> = {}): TradingAccount {
  return {
    id: 7,
    account_name: 'Main account',
    broker: 'alpaca',
    paper_trading: true,
    is_default: true,
    percent_allocated: 36.9,
    percent_kept: 0,
    committed_capital: 40_000,
    available_cash: 12_500,
    available_capital: 30_000,
    cash: 17_645.68,
    equity: 108_412.6,
    buying_power: 35_291.36,
    capital_base: 108_412.6,
    error: null,
    shorting_allowed: true,
    short_borrow_pct: null,
    operator_limits: NO_LIMITS,
    ...changes,
  }
}

export function position(changes: Partial<AccountPosition> = {}): AccountPosition {
  return {
    symbol: 'AAPL',
    quantity: 12,
    current_price: 231.5,
    market_value: 2778,
    unrealized_pl: 142.2,
    unrealized_plpc: 0.054,
    is_fully_allocated: false,
    allocated_to_deployments: [],
    allocated_quantity: 0,
    available_quantity: 12,
    ...changes,
  }
}

export function ledgerEntry(id: number, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id,
    recorded_at: '2026-11-13T20:30:05.000Z',
    entry_type: 'CONTRIBUTION',
    direction: 'in',
    note: 'First money',
    currency: 'USD',
    amount: 25_000,
    cash_after: 25_000,
    equity_after: 25_000,
    account_value_after: 108_412.6,
    positions_after: {},
    ...changes,
  }
}

export const ACTIVITY: ActivityItem[] = [
  {
    type: 'trade',
    timestamp: '2026-11-13T20:30:06.000Z',
    side: 'buy',
    quantity: 104.25,
    symbol: 'SSO',
    status: 'filled',
    price: 98.4,
    reason: null,
  },
  {
    type: 'signal',
    timestamp: '2026-11-13T20:30:05.000Z',
    signal_type: 'Buy',
    confidence: 0.612,
    action_taken: 'Bought SSO with all of the capital',
  },
  {
    type: 'event',
    timestamp: '2026-11-12T20:30:00.000Z',
    level: 'warning',
    message: 'The data of TLT is 3 days old; no order was sent.',
    actor: { kind: 'schedule', name: 'schedule', session: null },
  },
  {
    type: 'event',
    timestamp: '2026-11-12T14:30:00.000Z',
    level: 'info',
    message: 'Started.',
    actor: {
      kind: 'user',
      name: 'ann',
      session: 'Firefox on Linux at 10.0.0.5, signed in 2026-11-12 08:00 UTC',
    },
  },
]

export const LOG_LINES = [
  '2026-11-13 20:29:58,001 - [DEBUG] - live - lease:12 - Lease renewed',
  '2026-11-13 20:30:00,120 - [INFO] - live - fetchData:31 - Fetching market data for SPY, TLT',
  '2026-11-13 20:30:01,480 - [INFO] - live - loadModel:18 - Loading model of 2,210 rows',
  '2026-11-13 20:30:02,020 - [INFO] - live - decide:77 - Generating signal: Buy, probability 0.612',
  '2026-11-13 20:30:03,900 - [WARNING] - live - place:140 - Executing trades: SSO order cut by 0.4%',
  '2026-11-13 20:30:06,310 - [ERROR] - live - notify:9 - The e-mail server refused the message',
  'a line that cannot be parsed',
]

export const DECISION: Decision = {
  id: 41,
  decided_for: '2026-11-13T20:30:00.000Z',
  decided_at: '2026-11-13T20:30:02.000Z',
  data_as_of: '2026-11-13T05:00:00.000Z',
  signal_type: 'Buy',
  signal: 1,
  probability: 0.612,
  unit: 'probability',
  base: 0.537,
  model_version: 1,
  influences: [
    { feature: 'rolling_volatility(SPY, 20)', value: 0.0112, contribution: 0.061 },
    { feature: 'rsi(SPY, 14)', value: 58.2, contribution: 0.032 },
    { feature: 'momentum(TLT, 60)', value: -0.031, contribution: -0.018 },
  ],
  rules: null,
  external: null,
  target_weights: [{ symbol: 'SSO', signal_ticker: 'SPY?L=2', weight: 1 }],
  reason: 'The probability of a rise is above 50%, so the allocation of signal 1 is held.',
  outcome: 'done',
  synthetic: false,
  synthetic_tickers: [],
  data_notes: [],
}

export const MONTH: MonthReplay = {
  start_date: '2026-10-14',
  end_date: '2026-11-13',
  start_value: 25_000,
  end_value: 25_410.5,
  points: Array.from({ length: 22 }, (_, day) => ({
    timestamp: new Date(Date.UTC(2026, 9, 14 + day, 21)).toISOString(),
    value: 25_000 + (410.5 * day) / 21,
  })),
  decision_count: 22,
  decisions: [{ timestamp: '2026-10-14T20:00:00.000Z', signal_type: 'Buy', probability: 0.58, traded: true }],
  order_count: 1,
  orders: [
    {
      timestamp: '2026-10-15T20:00:00.000Z',
      symbol: 'SPY?L=2',
      side: 'buy',
      quantity: 41.2,
      price: 606.8,
      value: 25_000,
    },
  ],
  trained_until: '2026-10-13',
  synthetic_tickers: [],
}

/** Eight weeks of equity that drift a little from their replay. */
export function overview(changes: Partial<Overview> = {}): Overview {
  const days = Array.from({ length: 40 }, (_, day) => new Date(Date.UTC(2026, 8, 21 + day, 21)).toISOString())
  const growth = (day: number) => 1 + day * 0.0018 + Math.sin(day / 3) * 0.006
  return {
    success: true,
    deployment: deployment(),
    value: 26_862.44,
    cash: 1240.18,
    positions: [{ symbol: 'SSO', quantity: 260.4, price: 98.4, market_value: 25_622.26, weight: 0.954 }],
    equity: days.map((timestamp, day) => ({
      timestamp,
      value: 25_000 * growth(day),
      net_contributions: 25_000,
      growth: growth(day),
    })),
    replay: {
      points: days.map((timestamp, day) => ({ timestamp, growth: growth(day) + day * 0.0001 })),
      drift_pct: -0.39,
      computed_at: '2026-11-13T22:00:00.000Z',
      error: null,
      causes: [
        { cause: 'model_version', drift_pct: 0, client_order_ids: [], days: [] },
        { cause: 'data_corrected', drift_pct: 0, client_order_ids: [], days: [] },
        { cause: 'paused', drift_pct: 0, client_order_ids: [], days: [] },
        { cause: 'runs_missed', drift_pct: -0.21, client_order_ids: [], days: ['2026-11-11'] },
        { cause: 'fees', drift_pct: 0.01, client_order_ids: ['tw-1-20261113-SSO-buy'], days: [] },
        { cause: 'fill_price', drift_pct: -0.18, client_order_ids: ['tw-1-20261113-SSO-buy'], days: [] },
        { cause: 'rounding', drift_pct: -0.01, client_order_ids: [], days: [] },
      ],
      fills: [
        {
          client_order_id: 'tw-1-20261113-SSO-buy',
          symbol: 'SSO',
          side: 'buy',
          timestamp: '2026-11-13T20:30:03.000Z',
          quantity: 104.25,
          price: 95.92,
          decision_price: 95.75,
          quote: null,
          quote_at_sending: 95.9,
          fee: 0.2,
          cost_bps: 17.75,
        },
      ],
      slippage: { cost_bps: 17.75, fee_bps: 0.2, assumed_bps: 1 },
    },
    next_run_at: '2026-11-16T20:30:00.000Z',
    last_decision: DECISION,
    orders: [
      {
        client_order_id: 'tw-1-20261113-SSO-buy',
        broker_order_id: 'b-1',
        symbol: 'SSO',
        side: 'buy',
        is_short: false,
        quantity: 104.25,
        notional: null,
        filled_quantity: 104.25,
        average_price: 98.4,
        state: 'filled',
        reason: null,
        created_at: '2026-11-13T20:30:04.000Z',
        updated_at: '2026-11-13T20:30:06.000Z',
      },
      {
        client_order_id: 'tw-1-20261113-SSO-buy-with-2',
        broker_order_id: null,
        symbol: 'SSO',
        side: 'buy',
        is_short: false,
        quantity: 3.5,
        notional: null,
        filled_quantity: 3.5,
        average_price: 98.4,
        state: 'filled',
        reason: 'Bought from "Bonds and gold" inside the account, without costs',
        created_at: '2026-11-13T20:30:04.000Z',
        updated_at: '2026-11-13T20:30:04.000Z',
      },
      {
        client_order_id: 'tw-1-20261112-TLT-sell',
        broker_order_id: null,
        symbol: 'TLT',
        side: 'sell',
        is_short: false,
        quantity: 12,
        notional: null,
        filled_quantity: 0,
        average_price: null,
        state: 'rejected',
        reason: 'The asset is halted.',
        created_at: '2026-11-12T20:30:04.000Z',
        updated_at: '2026-11-12T20:30:06.000Z',
      },
    ],
    health: {
      light: (changes.deployment?.status ?? 'running') === 'running' ? 'green' : 'idle',
      reasons: [],
      reconciled_at: '2026-11-13T21:05:00.000Z',
      books_agree: true,
      is_attended: true,
    },
    model: {
      trained_at: '2026-11-13T13:00:00.000Z',
      data_fingerprint: 'f1d2a3b4c5d6e7f80912',
      rows: 2210,
      training_start: '2018-01-02',
      training_end: '2026-11-12',
      synthetic: false,
      synthetic_tickers: [],
      data_notes: [],
      version: 1,
    },
    model_versions: [
      {
        version: 1,
        trained_at: '2026-11-13T13:00:00.000Z',
        decides_after: null,
        window: null,
        training_start: '2018-01-02',
        training_end: '2026-11-12',
      },
    ],
    retraining: { schedule: 'never', next_training_at: null, problem: null },
    emergency_stopped: false,
    ...changes,
  }
}
