import { Decimal } from '@tradewright/core/decimal'
import type { Selectable } from 'kysely'
import type { Fill } from '@tradewright/engine/trading/broker'
import type { Order, OrderRequest, OrderSide, OrderState } from '@tradewright/engine/trading/order'
import type { Tables } from '../tables.ts'

const amount = (text: string | null): Decimal | undefined => (text === null ? undefined : Decimal.parse(text))
const text = (value: Decimal | undefined): string | null => (value ? String(value) : null)

export const toOrder = (row: Selectable<Tables['paper_orders']>): Order => ({
  id: row.order_id,
  clientOrderId: row.client_order_id,
  ticker: row.ticker,
  side: row.side as OrderSide,
  size: row.quantity === null ? { notional: Decimal.parse(row.notional!) } : { quantity: Decimal.parse(row.quantity) },
  execution:
    row.limit_price === null ? { type: 'market' } : { type: 'limit', limitPrice: Decimal.parse(row.limit_price) },
  timeInForce: row.time_in_force as OrderRequest['timeInForce'],
  state: row.state as OrderState,
  filledQuantity: Decimal.parse(row.filled_quantity),
  averageFillPrice: amount(row.average_fill_price),
  submittedAt: row.submitted_at.getTime(),
  endedAt: row.ended_at?.getTime(),
  reason: row.reason ?? undefined,
})

export const toOrderColumns = (accountId: number, order: Order) => ({
  account_id: accountId,
  order_id: order.id,
  number: numberOf(order.id),
  client_order_id: order.clientOrderId,
  ticker: order.ticker,
  side: order.side,
  quantity: 'quantity' in order.size ? String(order.size.quantity) : null,
  notional: 'notional' in order.size ? String(order.size.notional) : null,
  limit_price: order.execution.type === 'limit' ? String(order.execution.limitPrice) : null,
  time_in_force: order.timeInForce,
  submitted_at: new Date(order.submittedAt),
  ...toOrderProgress(order),
})

/** Columns of an order that change after it was taken. */
export const toOrderProgress = (order: Order) => ({
  state: order.state,
  filled_quantity: String(order.filledQuantity),
  average_fill_price: text(order.averageFillPrice),
  ended_at: order.endedAt === undefined ? null : new Date(order.endedAt),
  reason: order.reason ?? null,
})

export const toFill = (row: Selectable<Tables['paper_fills']>): Fill => ({
  executionId: row.execution_id,
  orderId: row.order_id,
  clientOrderId: row.client_order_id,
  ticker: row.ticker,
  side: row.side as OrderSide,
  quantity: Decimal.parse(row.quantity),
  price: Decimal.parse(row.price),
  fee: Decimal.parse(row.fee),
  at: row.executed_at.getTime(),
})

export const toFillColumns = (accountId: number, fill: Fill) => ({
  account_id: accountId,
  execution_id: fill.executionId,
  number: numberOf(fill.executionId),
  order_id: fill.orderId,
  client_order_id: fill.clientOrderId,
  ticker: fill.ticker,
  side: fill.side,
  quantity: String(fill.quantity),
  price: String(fill.price),
  fee: String(fill.fee),
  executed_at: new Date(fill.at),
})

/** Ids end with a running number. */
const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1))
