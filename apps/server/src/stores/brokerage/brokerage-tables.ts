import type { StoredSnapshot } from '../../portfolio/ports.ts'
import { boolean, bytes, date, decimal, defaulted, double, instant, integer, json, nullable, text } from '../columns.ts'

export const brokerageTables = {
  brokerage_accounts: {
    id: defaulted(integer),
    user_id: integer,
    name: text,
    broker: text,
    is_paper: boolean,
    is_default: boolean,
    /** Null for the built-in account, which needs none. */
    sealed_keys: nullable(bytes),
    status: text,
    status_reason: nullable(text),
    /** When the broker last answered with these keys. */
    connected_at: nullable(instant),
    created_at: instant,
    /** Null until the broker has answered, and for the built-in account. */
    broker_account_id: nullable(text),
  },
  paper_accounts: {
    account_id: integer,
    cash: decimal,
    trading_cost_bps: double,
    partial_fill: double,
    /** In percent a year. */
    short_borrow_pct: defaulted(double),
    fill_model: defaulted(text),
    orders_issued: integer,
    fills_issued: integer,
    /** Everything up to here has happened in it. */
    settled_at: instant,
    opened_at: instant,
  },
  paper_positions: {
    account_id: integer,
    ticker: text,
    quantity: decimal,
    average_entry_price: decimal,
  },
  paper_orders: {
    account_id: integer,
    order_id: text,
    number: integer,
    client_order_id: text,
    ticker: text,
    side: text,
    quantity: nullable(decimal),
    notional: nullable(decimal),
    limit_price: nullable(decimal),
    time_in_force: text,
    state: text,
    filled_quantity: decimal,
    average_fill_price: nullable(decimal),
    submitted_at: instant,
    ended_at: nullable(instant),
    reason: nullable(text),
  },
  paper_fills: {
    account_id: integer,
    execution_id: text,
    number: integer,
    order_id: text,
    client_order_id: text,
    ticker: text,
    side: text,
    quantity: decimal,
    price: decimal,
    fee: decimal,
    executed_at: instant,
  },
  paper_cash_activities: {
    account_id: integer,
    id: defaulted(integer),
    type: text,
    day: date,
    net_amount: decimal,
    description: text,
    ticker: nullable(text),
    booked_at: instant,
    /** Shares that a split brought (or took); null in splits of earlier versions. */
    quantity: nullable(decimal),
  },
  paper_closes: {
    account_id: integer,
    day: date,
    equity: decimal,
  },
  portfolio_snapshots: {
    account_id: integer,
    taken_at: instant,
    snapshot: json<StoredSnapshot>(),
  },
  account_activities: {
    account_id: integer,
    kind: text,
    activity_id: text,
    happened_at: instant,
    day: date,
    /** Null where the broker names the day alone. */
    booked_at: nullable(instant),
    type: text,
    ticker: nullable(text),
    side: nullable(text),
    quantity: nullable(decimal),
    price: nullable(decimal),
    net_amount: nullable(decimal),
    description: text,
    /** The order that an execution belongs to. */
    order_id: nullable(text),
    /** Tells parts of one event apart that share an id. */
    part: defaulted(text),
    /** Names the event that it is a part of. */
    group_id: nullable(text),
  },
  /** How the lots of an account are chosen; the oldest first where nothing is said. */
  lot_methods: { account_id: integer, method: text },
  /** Shares of a purchase that were chosen for a sale. */
  lot_choices: { account_id: integer, sale_id: text, purchase_id: text, quantity: decimal },
  /** How far the activities of an account have been collected, oldest first. */
  activity_progress: {
    account_id: integer,
    kind: text,
    page: nullable(text),
    is_complete: boolean,
  },
}
