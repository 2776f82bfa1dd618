import { Decimal } from '@tradewright/core/decimal'
import { hasEnded, type OrderSide } from '@tradewright/engine/trading/order'
import { sql, type Selectable } from 'kysely'
import type { IntentState, OrderIntent } from '../../live-trading/decision.ts'
import type { OrderStore } from '../../live-trading/ports/orders.ts'
import { type Database, type DatabaseTransaction, withinTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

const OPEN_STATES = ['intended', 'sending', 'pending', 'accepted', 'partially_filled']

/** Some months of a monthly rebalance, some weeks of a daily one. */
const LATEST_ORDERS = 100

/** Names the advisory locks of claims; the second number is the account. */
const CLAIMS = 7_100

/**
 * States that may still change: open ones into any other, and an abandoned order turns out to have arrived after all.
 */
const MOVABLE = [...OPEN_STATES, 'abandoned']

export function createOrderStore(database: Database | DatabaseTransaction): OrderStore {
  const all = () => database.selectFrom('order_intents').selectAll()
  return {
    async insert(intents) {
      if (intents.length === 0) return
      // The same order planned again, by this process or another one, is the same order.
      const once = database.insertInto('order_intents').values(intents.map(toRow))
      await once.onConflict((conflict) => conflict.column('client_order_id').doNothing()).execute()
    },

    ofDecision: async (decisionId) =>
      (
        await all().where('decision_id', '=', decisionId).orderBy('created_at').orderBy('client_order_id').execute()
      ).map(toIntent),

    unsettled: async (accountId) =>
      (
        await all()
          .where('account_id', '=', accountId)
          .where((row) =>
            row.or([row('state', 'in', OPEN_STATES), row('booked_quantity', '<>', row.ref('filled_quantity'))]),
          )
          .orderBy('created_at')
          .execute()
      ).map(toIntent),

    newest: async (deploymentId, limit) =>
      (await all().where('deployment_id', '=', deploymentId).orderBy('created_at', 'desc').limit(limit).execute()).map(
        toIntent,
      ),

    byClientIds: async (accountId, ids) =>
      ids.length === 0
        ? []
        : (
            await all()
              .where('account_id', '=', accountId)
              .where('client_order_id', 'in', [...ids])
              .execute()
          ).map(toIntent),

    claim: (clientOrderId, from, holder, at) =>
      withinTransaction(database, async (transaction) => {
        // Claims of one account wait for each other, so that two opposite ones cannot both find the way clear.
        await sql`SELECT pg_advisory_xact_lock(${CLAIMS}, account_id) FROM order_intents
          WHERE client_order_id = ${clientOrderId}`.execute(transaction)
        const { rows: opposite } = await sql`
          SELECT FROM order_intents AS other
          JOIN order_intents AS own USING (account_id, ticker)
          WHERE own.client_order_id = ${clientOrderId} AND other.side <> own.side
            AND other.state IN ('sending', 'pending', 'accepted', 'partially_filled') LIMIT 1`.execute(transaction)
        if (opposite.length > 0) return 'opposite'
        // Locks the deployment's row, as stop and pause do: they wait for this claim, or this claim for them.
        const { rows } = await sql`
        WITH running AS MATERIALIZED (
          SELECT deployments.id FROM deployments
          WHERE id = (SELECT deployment_id FROM order_intents WHERE client_order_id = ${clientOrderId})
            AND (status = 'running' OR liquidating_since = (
              SELECT decided_for FROM deployment_decisions
              WHERE id = (SELECT decision_id FROM order_intents WHERE client_order_id = ${clientOrderId})))
            AND emergency_stopped_at IS NULL AND deleted_at IS NULL
            AND EXISTS (SELECT FROM deployment_leases
              WHERE deployment_id = deployments.id AND holder = ${holder} AND expires_at > clock_timestamp())
          FOR SHARE OF deployments
        )
        UPDATE order_intents SET state = 'sending', attempts = attempts + 1, sent_at = ${at}, updated_at = ${at}
        WHERE client_order_id = ${clientOrderId} AND state = ${from}
          AND deployment_id IN (SELECT id FROM running)
        RETURNING client_order_id`.execute(transaction)
        return rows.length > 0 ? 'claimed' : 'lost'
      }),

    async wait(clientOrderId, reason, at) {
      const row = await database
        .updateTable('order_intents')
        .set({ state: 'intended', reason, updated_at: at })
        .where('client_order_id', '=', clientOrderId)
        .where('state', 'in', ['intended', 'sending'])
        .where((eb) => eb.or([eb('reason', 'is distinct from', reason), eb('state', '=', 'sending')]))
        .returning('client_order_id')
        .executeTakeFirst()
      return row !== undefined
    },

    async postpone(clientOrderId, reason, until, at) {
      const { rows } = await sql<{ before: string | null }>`
        UPDATE order_intents SET reason = ${reason}, send_at = ${until}, updated_at = ${at}
        FROM (SELECT client_order_id, reason AS before FROM order_intents
          WHERE client_order_id = ${clientOrderId} AND state = 'intended' FOR UPDATE) AS own
        WHERE order_intents.client_order_id = own.client_order_id RETURNING own.before`.execute(database)
      return rows[0] !== undefined && rows[0].before !== reason
    },

    async noteQuote(clientOrderId, { quote, limitPrice, quantity, timesOutAt }, at) {
      await database
        .updateTable('order_intents')
        .set({
          quote_bid: textOrNull(quote.bid),
          quote_ask: textOrNull(quote.ask),
          quote_at: new Date(quote.at),
          updated_at: at,
          ...(limitPrice && {
            limit_price: String(limitPrice),
            quantity: textOrNull(quantity),
            notional: null,
            times_out_at: timesOutAt,
          }),
        })
        .where('client_order_id', '=', clientOrderId)
        .where('state', '=', 'intended')
        .execute()
    },

    async timeOut(clientOrderId, again, at) {
      await database
        .updateTable('order_intents')
        .set({ timed_out: true, times_out_at: again, updated_at: at })
        .where('client_order_id', '=', clientOrderId)
        .execute()
    },

    async askCancel(accountId, brokerOrderIds, at) {
      if (brokerOrderIds.length === 0) return
      await database
        .updateTable('order_intents')
        .set({ cancel_asked_at: at })
        .where('account_id', '=', accountId)
        .where('broker_order_id', 'in', [...brokerOrderIds])
        .execute()
    },

    async adopt(order, at) {
      await database
        .updateTable('order_intents')
        .set({
          state: order.state,
          broker_order_id: order.id,
          filled_quantity: String(order.filledQuantity),
          average_price: order.averageFillPrice === undefined ? null : String(order.averageFillPrice),
          reason: order.reason ?? null,
          updated_at: at,
        })
        .where('client_order_id', '=', order.clientOrderId)
        .where((row) =>
          row.or([
            row('state', 'in', MOVABLE),
            // The end is final, but a late answer may know of more that was filled before it.
            ...(hasEnded(order.state) ? [row('filled_quantity', '<', String(order.filledQuantity))] : []),
          ]),
        )
        .execute()
    },

    async end(clientOrderId, state, reason, at) {
      const row = await database
        .updateTable('order_intents')
        .set({ state, reason, updated_at: at })
        .where('client_order_id', '=', clientOrderId)
        .where('state', 'in', ['intended', 'sending'])
        .returning('client_order_id')
        .executeTakeFirst()
      return row !== undefined
    },

    async cutDown(clientOrderId, notional, at) {
      await database
        .updateTable('order_intents')
        .set({ state: 'intended', notional: String(notional), estimated_value: String(notional), updated_at: at })
        .where('client_order_id', '=', clientOrderId)
        .where('state', '=', 'sending')
        .where('notional', 'is not', null)
        .execute()
    },

    async ofDay(of, since) {
      const sent = database
        .selectFrom('order_intents')
        .select((row) => [
          row.fn.countAll<string>().as('count'),
          sql<string>`coalesce(sum(coalesce(estimated_value, notional, filled_quantity * average_price)), 0)`.as(
            'value',
          ),
        ])
        .where('created_at', '>=', since)
        .where('state', 'not in', ['rejected', 'abandoned'])
        // Trades inside the account are no orders.
        .where((row) => row.or([row('state', '<>', 'filled'), row('broker_order_id', 'is not', null)]))
      const own =
        'accountId' in of
          ? sent.where('account_id', '=', of.accountId)
          : sent.where('deployment_id', '=', of.deploymentId)
      const { count, value } = await own.executeTakeFirstOrThrow()
      return { count: Number(count), value: Decimal.parse(value) }
    },

    async largest(deploymentId) {
      const latest = database
        .selectFrom('order_intents')
        .select(sql<string>`coalesce(estimated_value, notional, filled_quantity * average_price)`.as('value'))
        .where('deployment_id', '=', deploymentId)
        .where('state', '=', 'filled')
        .orderBy('created_at', 'desc')
        .limit(LATEST_ORDERS)
      const row = await database
        .selectFrom(latest.as('latest'))
        .select((eb) => eb.fn.max<string | null>('value').as('largest'))
        .executeTakeFirst()
      return row?.largest ? Decimal.parse(row.largest) : undefined
    },

    async bookFromOrder(clientOrderId, at) {
      await database
        .updateTable('order_intents')
        .set({
          booked_quantity: sql<string>`filled_quantity`,
          booked_value: sql<string>`filled_quantity * average_price`,
          booked_from_order: true,
          updated_at: at,
        })
        .where('client_order_id', '=', clientOrderId)
        .execute()
    },

    async correct(clientOrderId, { quantity, value }, at) {
      const filled = sql`(filled_quantity + ${String(quantity)}::numeric)`
      await database
        .updateTable('order_intents')
        .set({
          booked_quantity: sql<string>`booked_quantity + ${String(quantity)}::numeric`,
          booked_value: sql<string>`booked_value + ${String(value)}::numeric`,
          filled_quantity: sql<string>`${filled}`,
          average_price: sql<string>`case when ${filled} > 0
            then (average_price * filled_quantity + ${String(value)}::numeric) / ${filled} end`,
          updated_at: at,
        })
        .where('client_order_id', '=', clientOrderId)
        .execute()
    },

    async addBooked(clientOrderId, { quantity, value }, at) {
      const amount = String(quantity)
      await database
        .updateTable('order_intents')
        .set({
          booked_quantity: sql<string>`booked_quantity + ${amount}::numeric`,
          booked_value: sql<string>`booked_value + ${String(value)}::numeric`,
          filled_quantity: sql<string>`greatest(filled_quantity, booked_quantity + ${amount}::numeric)`,
          updated_at: at,
        })
        .where('client_order_id', '=', clientOrderId)
        .execute()
    },
  }
}

const toRow = (intent: OrderIntent) => ({
  client_order_id: intent.clientOrderId,
  deployment_id: intent.deploymentId,
  account_id: intent.accountId,
  decision_id: intent.decisionId,
  ticker: intent.ticker,
  side: intent.side,
  quantity: intent.quantity === undefined ? null : String(intent.quantity),
  notional: intent.notional === undefined ? null : String(intent.notional),
  time_in_force: intent.timeInForce,
  state: intent.state,
  filled_quantity: String(intent.filledQuantity),
  booked_quantity: String(intent.bookedQuantity),
  // Trades inside the account are booked as a whole.
  booked_value: intent.bookedQuantity.isZero ? '0' : null,
  average_price: intent.averagePrice === undefined ? null : String(intent.averagePrice),
  reason: intent.reason,
  estimated_value: intent.estimatedValue === undefined ? null : String(intent.estimatedValue),
  order_type: intent.orderType,
  is_short: intent.isShort,
  send_at: intent.sendAt,
  created_at: intent.createdAt,
  updated_at: intent.updatedAt,
})

const textOrNull = (amount: Decimal | undefined): string | null => (amount ? String(amount) : null)

const decimalOrNone = (text: string | null): Decimal | undefined => (text === null ? undefined : Decimal.parse(text))

const toIntent = (row: Selectable<Tables['order_intents']>): OrderIntent => ({
  clientOrderId: row.client_order_id,
  deploymentId: row.deployment_id,
  accountId: row.account_id,
  decisionId: row.decision_id,
  ticker: row.ticker,
  side: row.side as OrderSide,
  quantity: decimalOrNone(row.quantity),
  notional: decimalOrNone(row.notional),
  timeInForce: row.time_in_force as OrderIntent['timeInForce'],
  orderType: row.order_type as OrderIntent['orderType'],
  sendAt: row.send_at,
  limitPrice: decimalOrNone(row.limit_price),
  timesOutAt: row.times_out_at,
  hasTimedOut: row.timed_out,
  ...(row.cancel_asked_at !== null && { cancelAskedAt: row.cancel_asked_at }),
  quote: row.quote_at
    ? { bid: decimalOrNone(row.quote_bid), ask: decimalOrNone(row.quote_ask), at: row.quote_at.getTime() }
    : undefined,
  state: row.state as IntentState,
  attempts: row.attempts,
  sentAt: row.sent_at,
  brokerOrderId: row.broker_order_id,
  filledQuantity: Decimal.parse(row.filled_quantity),
  bookedQuantity: Decimal.parse(row.booked_quantity),
  bookedValue: decimalOrNone(row.booked_value),
  averagePrice: decimalOrNone(row.average_price),
  reason: row.reason,
  isShort: row.is_short,
  isBookedFromOrder: row.booked_from_order,
  estimatedValue: decimalOrNone(row.estimated_value),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
