import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { DayOrders } from '@tradewright/engine/live/order-limits'
import type { BrokerQuote } from '@tradewright/engine/trading/broker'
import type { Order } from '@tradewright/engine/trading/order'
import type { OrderIntent } from '../decision.ts'

interface Quoted {
  readonly quote: BrokerQuote
  readonly limitPrice?: Usd
  readonly quantity?: Decimal
  readonly timesOutAt?: Date
}

interface FillChange {
  readonly quantity: Decimal
  /** Quantity times price. */
  readonly value: Usd
}

export interface OrderStore {
  /** Inserts orders; those whose ids are known already stay as they are. */
  insert(intents: readonly OrderIntent[]): Promise<void>
  ofDecision(decisionId: number): Promise<OrderIntent[]>
  /** Open, or filled beyond what is booked. */
  unsettled(accountId: number): Promise<OrderIntent[]>
  newest(deploymentId: number, limit: number): Promise<OrderIntent[]>
  byClientIds(accountId: number, ids: readonly string[]): Promise<OrderIntent[]>
  /**
   * Marks it as on its way, if it still waits in this state, `holder` still holds the lease and the deployment still
   * runs, or sells everything by the decision that the order belongs to. A stop, whichever process is asked for it, comes
   * before this or after it, never at the same time. `opposite`: another order of the account for the same ticker is on
   * its way or open on the other side, which brokers refuse as a wash trade.
   */
  claim(
    clientOrderId: string,
    from: 'intended' | 'sending',
    holder: string,
    at: Date,
  ): Promise<'claimed' | 'lost' | 'opposite'>
  /** Not at the broker, and sent again later, for this reason; true where that is new. */
  wait(clientOrderId: string, reason: string, at: Date): Promise<boolean>
  /** Not sent before `until`, for this reason; true where that is new. */
  postpone(clientOrderId: string, reason: string, until: Date, at: Date): Promise<boolean>
  /** The quote of an order that is about to be sent, and what follows from it where the order has a limit. */
  noteQuote(clientOrderId: string, quoted: Quoted, at: Date): Promise<void>
  /**
   * Marks an order whose time is over: it is being cancelled, and that is asked again at an instant if it is still open
   * then.
   */
  timeOut(clientOrderId: string, again: Date, at: Date): Promise<void>
  /** Noted before it is asked for: an order that ends so was not cancelled by somebody else. */
  askCancel(accountId: number, brokerOrderIds: readonly string[], at: Date): Promise<void>
  /**
   * Takes over the broker's state. A state that has ended is never reopened, and an abandoned one is taken up again.
   */
  adopt(order: Order, at: Date): Promise<void>
  end(clientOrderId: string, state: 'rejected' | 'abandoned', reason: string, at: Date): Promise<boolean>
  /** The same for an order that was refused and is sent again with less. */
  cutDown(clientOrderId: string, notional: Usd, at: Date): Promise<void>
  /** Orders of an account or a deployment since the beginning of a day, without those that the broker did not take. */
  ofDay(of: { accountId: number } | { deploymentId: number }, since: Date): Promise<DayOrders>
  /** What the largest of its latest filled orders was worth; undefined without any. */
  largest(deploymentId: number): Promise<Usd | undefined>
  /** Everything that was filled is in the ledger, by the order itself. */
  bookFromOrder(clientOrderId: string, at: Date): Promise<void>
  addBooked(clientOrderId: string, booked: FillChange, at: Date): Promise<void>
  /** An execution that is booked was taken back or corrected: so many shares and so much money more, or fewer. */
  correct(clientOrderId: string, change: FillChange, at: Date): Promise<void>
}
