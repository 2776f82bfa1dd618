import type { Broker } from '@tradewright/engine/trading/broker'
import { isOpen, type OrderIntent } from '../../decision.ts'
import { isTimedOut } from './time-out.ts'
import { waitsForTurn } from './waiting-intent.ts'
import type { LiveStores } from '../../ports/database.ts'

/**
 * Whether all that an account waits for is orders which stand at the broker as they stand in the journal. One list of open
 * orders answers that; a snapshot of the account, with executions, cash and positions, costs a dozen calls.
 */
export async function onlyWaitsForOrders(
  { orders }: Pick<LiveStores, 'orders'>,
  broker: Broker,
  accountId: number,
  now: Date,
): Promise<boolean> {
  const unsettled = await orders.unsettled(accountId)
  const journaled = unsettled.filter((intent) => !waitsForTurn(intent, unsettled, now))
  const mayWait = (intent: OrderIntent) => isWaiting(intent) && !isTimedOut(intent, now)
  if (unsettled.length === 0 || !journaled.every(mayWait)) return false
  // All of them are sent later.
  if (unsettled.every(({ sendAt }) => sendAt !== null && now < sendAt)) return true
  const tickers = [...new Set(journaled.map(({ ticker }) => ticker))]
  const open = new Map((await broker.orders({ state: 'open', tickers })).map((order) => [order.clientOrderId, order]))
  return journaled.every(({ clientOrderId, state, filledQuantity }) => {
    const order = open.get(clientOrderId)
    return order?.state === state && order.filledQuantity.equals(filledQuantity)
  })
}

/** Known to the broker, open, and all that was filled so far is in the ledger. */
const isWaiting = (intent: OrderIntent): boolean =>
  intent.brokerOrderId !== null && isOpen(intent) && intent.filledQuantity.equals(intent.bookedQuantity)
