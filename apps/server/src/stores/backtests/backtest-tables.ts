import type { SplicedTicker } from '@tradewright/engine/backtest/stand-ins'
import { boolean, bytes, defaulted, double, instant, integer, json, nullable, text, uuid } from '../columns.ts'

export const backtestTables = {
  strategies: {
    id: defaulted(integer),
    user_id: integer,
    name: text,
    description: nullable(text),
    strategy_type: text,
    config: json<unknown>(),
    created_at: instant,
    updated_at: instant,
  },
  backtests: {
    id: defaulted(integer),
    user_id: integer,
    /** Null when only the backtest was saved. */
    strategy_id: nullable(integer),
    /** As it was at the time; a strategy that is still there may have been renamed. */
    strategy_name: text,
    name: text,
    config: json<unknown>(),
    report: json<unknown>(),
    /** The figures of lists, so that these need not read reports. */
    cagr: nullable(double),
    sharpe: nullable(double),
    total_return: double,
    max_drawdown: double,
    synthetic: boolean,
    /** Null where no ticker has prices of others on a day of the result. */
    spliced: nullable(json<SplicedTicker[]>()),
    /** The job that made it: a run that is repeated after a crash saves once. */
    run_id: uuid,
    created_at: instant,
    /** False for a run that is only kept among the recent ones. */
    is_saved: boolean,
    /** Null until it was computed. */
    robustness: nullable(json<unknown>()),
  },
  /** Material of checks that are being computed. */
  robustness_work: {
    id: uuid,
    backtest_id: integer,
    material: bytes,
  },
  signal_addresses: {
    strategy_id: integer,
    user_id: integer,
    address_hash: bytes,
    sealed_secret: bytes,
    created_at: instant,
  },
  /** Accepted ones are the record of a strategy; the newest refused ones are its log. */
  external_signals: {
    id: defaulted(integer),
    user_id: integer,
    strategy_id: integer,
    received_at: instant,
    outcome: text,
    reason: nullable(text),
    event_id: nullable(text),
    target: nullable(json<unknown>()),
  },
  result_links: {
    id: defaulted(integer),
    backtest_id: integer,
    token_hash: bytes,
    created_at: instant,
    expires_at: instant,
    with_passport: defaulted(boolean),
  },
}
