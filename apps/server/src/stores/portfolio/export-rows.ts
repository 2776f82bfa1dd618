import { sql } from 'kysely'
import type { ExportRows } from '../../portfolio/export.ts'
import type { Database } from '../database.ts'
import { portions } from './portions.ts'

export function createExportRows(database: Database): ExportRows {
  return {
    orders: (accountId) =>
      portions(
        database,
        sql`
        SELECT orders.created_at, orders.sent_at, orders.updated_at, deployments.name AS deployment, orders.ticker,
          orders.side, orders.quantity, orders.notional, orders.time_in_force, orders.state, orders.filled_quantity,
          orders.average_price, orders.reason, orders.client_order_id, orders.broker_order_id
        FROM order_intents orders JOIN deployments ON deployments.id = orders.deployment_id
        WHERE orders.account_id = ${sql.lit(accountId)} ORDER BY orders.created_at, orders.client_order_id`,
      ),
    ledger: (accountId) =>
      portions(
        database,
        sql`
        SELECT entry.id, entry.recorded_at, deployments.name AS deployment, entry.entry_type, entry.direction,
          entry.amount, entry.currency, entry.note, entry.cash_after, entry.equity_after
        FROM ledger_entries entry LEFT JOIN deployments ON deployments.id = entry.deployment_id
        WHERE entry.account_id = ${sql.lit(accountId)} ORDER BY entry.id`,
      ),
    activities: (accountId, kind) =>
      portions(
        database,
        sql`
        SELECT activity_id, happened_at, day::text AS day, type, ticker, side, quantity, price, net_amount, description,
          order_id
        FROM account_activities
        WHERE account_id = ${sql.lit(accountId)} AND kind = ${sql.lit(kind)} ORDER BY happened_at, activity_id, part`,
      ),
  }
}
