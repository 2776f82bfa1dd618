import {
  bigint,
  boolean,
  bytes,
  date,
  decimal,
  defaulted,
  double,
  instant,
  integer,
  json,
  nullable,
  text,
  textArray,
  uuid,
} from '../columns.ts'
import type { RunnableStrategy } from '../../live-trading/deployment.ts'

export const liveTradingTables = {
  deployments: {
    id: defaulted(integer),
    user_id: integer,
    /** Random part of its orders' ids at the broker. */
    order_key: text,
    name: text,
    account_id: integer,
    account_name: text,
    is_paper: boolean,
    may_trade_synthetic: boolean,
    /** Null once the strategy was deleted; what is traded lies in `strategy`. */
    strategy_id: nullable(integer),
    strategy_name: text,
    strategy_type: text,
    /** As it was when deployed or last edited: later changes of the saved strategy move no money. */
    strategy: json<unknown>(),
    status: text,
    capital_policy: text,
    capital_policy_value: decimal,
    committed_capital: defaulted(decimal),
    total_contributions: defaulted(decimal),
    total_withdrawals: defaulted(decimal),
    net_contributions: defaulted(decimal),
    settings: json<unknown>(),
    last_trade: nullable(json<unknown>()),
    next_run_at: nullable(instant),
    health_problem: nullable(text),
    /** The code of the problem; null where there is none. */
    health_code: nullable(text),
    created_at: instant,
    deleted_at: nullable(instant),
    /** When the emergency stop stopped it; null again when it is started. */
    emergency_stopped_at: nullable(instant),
    /** While it sells everything; `decided_for` of that decision. */
    liquidating_since: nullable(instant),
    liquidating_by: nullable(json<unknown>()),
    /** When the model of the next walk-forward window can be trained; null: at once, or never. */
    retrain_at: nullable(instant),
    /** Why the model that is due could not be trained, as a sentence. */
    retraining_problem: nullable(text),
    /** When the last run was due, where it was missed; null again with the next decision, start or stop. */
    run_missed_at: nullable(instant),
    /** Dividends on shares that were held before the ex-date, until they are paid; null where there are none. */
    dividends_due: nullable(json<unknown>()),
    /** Orders that did not come through and wait; null where there are none. */
    held_orders: nullable(json<unknown>()),
    /** What the stops of its positions know of them, by ticker; null where there are none. */
    stops: nullable(json<unknown>()),
  },
  deployment_pauses: {
    id: defaulted(bigint),
    deployment_id: integer,
    paused_at: instant,
    resumed_at: nullable(instant),
  },
  deployment_ticker_changes: {
    deployment_id: integer,
    from_ticker: text,
    to_ticker: text,
    sentence: text,
    created_at: instant,
    successors: json<unknown>(),
  },
  deployment_leases: { deployment_id: integer, holder: uuid, expires_at: instant },
  /** Processes that run deployments, and how much of the work each takes beside the others. */
  live_processes: { holder: uuid, capacity: integer, seen_at: instant },
  deployment_models: {
    deployment_id: integer,
    recipe: text,
    bytes,
    checksum: text,
    data_fingerprint: text,
    rows: integer,
    trained_from: date,
    trained_to: date,
    synthetic: boolean,
    trained_at: instant,
    data_notes: json<readonly string[]>(),
    /** Empty in models of earlier versions. */
    synthetic_tickers: defaulted(textArray),
    /** Counts the deployment's models from 1. */
    version: integer,
    /** The stamp of the last bar before those it decides on; null: it decides on all. */
    decides_after: nullable(instant),
    /** The walk-forward window that the model is for, from 0; null where it is not retrained. */
    window_number: nullable(integer),
    sized_on_rows: nullable(integer),
  },
  deployment_decisions: {
    id: defaulted(integer),
    deployment_id: integer,
    decided_for: instant,
    decided_at: instant,
    expires_at: instant,
    outcome: text,
    reason: text,
    is_partial: boolean,
    /** Tickers that could not be traded, where they are all that it lacks. */
    waits_for: nullable(json<unknown>()),
    signal: json<unknown>(),
  },
  order_intents: {
    client_order_id: text,
    deployment_id: integer,
    account_id: integer,
    decision_id: integer,
    ticker: text,
    side: text,
    quantity: nullable(decimal),
    notional: nullable(decimal),
    time_in_force: text,
    state: text,
    attempts: defaulted(integer),
    sent_at: nullable(instant),
    broker_order_id: nullable(text),
    filled_quantity: defaulted(decimal),
    booked_quantity: defaulted(decimal),
    booked_value: nullable(decimal),
    average_price: nullable(decimal),
    reason: nullable(text),
    booked_from_order: defaulted(boolean),
    is_short: defaulted(boolean),
    estimated_value: nullable(decimal),
    order_type: defaulted(text),
    /** Not sent before; null: at once. */
    send_at: nullable(instant),
    limit_price: nullable(decimal),
    times_out_at: nullable(instant),
    timed_out: defaulted(boolean),
    /** When we asked for its cancellation. */
    cancel_asked_at: nullable(instant),
    /** Right before it was sent. */
    quote_bid: nullable(decimal),
    quote_ask: nullable(decimal),
    quote_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
  },
  account_books: {
    account_id: integer,
    user_id: integer,
    version: defaulted(bigint),
    opened_at: instant,
    events_since: instant,
    compared_at: nullable(instant),
    disagreement: nullable(text),
    moving_since: nullable(instant),
    idle_asked_at: nullable(instant),
    cash: nullable(decimal),
    equity: nullable(decimal),
    buying_power: nullable(decimal),
    leverage_limit: nullable(double),
    prices: json<unknown>(),
    /** Orders under keys that no deployment of this installation has: the newest of each key. */
    foreign_orders: nullable(json<unknown>()),
    /** Tickers whose orders the broker takes and does not fill. */
    halts: nullable(json<unknown>()),
  },
  /** The sum of all legs so far; the ledger alone would give the same. */
  book_balances: { account_id: integer, party: text, asset: text, amount: decimal },
  /** Executions and activities of the broker that were seen, and booked unless they came before the books. */
  account_events: { account_id: integer, key: text, at: instant },
  ledger_entries: {
    id: defaulted(bigint),
    account_id: integer,
    deployment_id: nullable(integer),
    /** Counts the deployment's entries from 1: nothing is ever removed, so a page is a range of numbers. */
    number: nullable(bigint),
    /** The same within its type. */
    type_number: nullable(bigint),
    entry_type: text,
    key: text,
    recorded_at: instant,
    direction: text,
    amount: decimal,
    currency: defaulted(text),
    note: nullable(text),
    legs: json<unknown>(),
    cash_after: decimal,
    equity_after: decimal,
    account_value_after: nullable(decimal),
    positions_after: json<unknown>(),
  },
  ledger_counts: { deployment_id: integer, entry_type: text, entries: bigint },
  deployment_snapshots: {
    id: defaulted(bigint),
    deployment_id: integer,
    at: instant,
    value: decimal,
    cash: decimal,
    net_contributions: decimal,
    growth: double,
    account_value: decimal,
  },
  deployment_activity: { id: defaulted(bigint), deployment_id: integer, at: instant, item: json<unknown>() },
  deployment_log: { id: defaulted(bigint), deployment_id: integer, line: text },
  /** E-mails and alerts until their receiver has taken them, and for a while after that: each thing is told once. */
  deployment_messages: {
    id: defaulted(bigint),
    /** Null for an event, which outlives its deployment. */
    deployment_id: nullable(integer),
    user_id: integer,
    event: text,
    key: text,
    recipient: text,
    subject: text,
    body: text,
    state: defaulted(text),
    attempts: defaulted(integer),
    due_at: defaulted(instant),
    failure: nullable(text),
    created_at: instant,
    /** The channel that carries an alert; null for an e-mail of the deployment. */
    channel_id: nullable(integer),
    /** Quiet hours do not hold it. */
    is_urgent: defaulted(boolean),
    /** The content of an event for a webhook; null for e-mails and alerts. */
    data: nullable(json<unknown>()),
    tried_at: nullable(instant),
  },
  /** Hash-chained records of decisions, of a deployment or of a saved strategy. */
  forward_records: {
    id: defaulted(integer),
    deployment_id: nullable(integer),
    header: text,
    is_open: boolean,
    created_at: instant,
    token_hash: nullable(bytes),
    link_expires_at: nullable(instant),
    /** The first so many came with an import. */
    imported_entries: defaulted(integer),
    user_id: integer,
    strategy_id: nullable(integer),
    /** The saved strategy as it was when its record began. */
    strategy: nullable(json<RunnableStrategy>()),
    /** The session whose bar it decides on next, and from when on that is tried. */
    next_session: nullable(integer),
    due_at: nullable(instant),
    /** Sessions without a decision since the last entry, as days since 1970. */
    missed: json<number[]>(),
    /** Why the decision that is due could not be made, as a sentence. */
    problem: nullable(text),
  },
  forward_entries: {
    record_id: integer,
    seq: integer,
    content: text,
    previous: text,
    hash: text,
    bar: nullable(double),
    probability: nullable(double),
    /** Looked up later, and no part of the chain. */
    happened: nullable(boolean),
  },
  /**
   * Models of saved strategies with an open record: the one that decides, and where it is known already, the next one.
   */
  forward_models: {
    record_id: integer,
    /** The walk-forward window that the model is for, from 0; 0 where it is not retrained. */
    window_number: integer,
    sized_on_rows: nullable(integer),
    /** The stamp of the last bar before those it decides on; null: it decides on all. */
    decides_after: nullable(instant),
    bytes,
    checksum: text,
    /** When the model after it can be trained; null: never. */
    next_at: nullable(instant),
  },
  deployment_replays: { deployment_id: integer, computed_at: instant, result: json<unknown>() },
}
