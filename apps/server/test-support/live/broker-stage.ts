import type { Decimal } from '@tradewright/core/decimal'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { Order } from '@tradewright/engine/trading/order'

/** Faults of sending an order. */
export type PlaceFault =
  /** It was taken, but its answer was lost. */
  | 'answer-lost'
  /** It was taken, and its answer came too late. */
  | 'answer-late'
  /** The request never arrived. */
  | 'not-arrived'
  | 'error-500'
  | 'limited-429'
  | 'reset'
  /** The broker refuses it with a reason. */
  | 'refused'
  /** The broker refuses it because of an order on the other side, of which we do not know. */
  | 'wash-trade'
  /** The broker takes it, and rejects it after that. */
  | 'rejected'

/**
 * The broker's side of a world, with everything a test does there: played by a simulation behind the port, or by the
 * stand-in of Alpaca behind real HTTP. The same faults, and the same truth to compare the books with.
 */
export interface BrokerStage {
  /** As live trading knows it. */
  readonly broker: Broker
  /** Taken in order, one per order sent. */
  readonly placeFaults: PlaceFault[]
  /** Nothing answers while this is set. */
  isAway: boolean
  /** Orders are taken and not executed, until `trade`. */
  holdsFills: boolean
  /** Executions that are not listed yet, although they happened. */
  hidesFills: boolean
  /** Every execution is told so many times. */
  tellsFillsTimes: number
  readonly halted: Set<string>
  /** How far the broker's clock is ahead. */
  clockSkew: number
  /** How old the newest quotes are, in milliseconds. */
  quoteAge: number
  blockedBecause: string | undefined
  /** Set, the broker lends and allows no more than this. */
  buyingPower: Decimal | undefined
  /** The market moves: open orders are executed. */
  trade(): void
  /** A share of an open order is executed. */
  fillPart(ticker: string, share: number): void
  /** Whatever is open in a ticker is cancelled there. */
  cancelByHand(ticker: string): Promise<void>
  /** A trade by hand in the account beside us. */
  tradeByHand(side: 'buy' | 'sell', ticker: string, quantity: string): Promise<void>
  /** The shares of a holding become so many times as many, without any execution. */
  multiplyShares(ticker: string, factor: string): void
  /** All orders it ever took, newest first, whatever it tells us. */
  ordersTaken(): Promise<Order[]>
  cashHeld(): Promise<Decimal>
  /** Requests that break the broker's published description. */
  readonly violations: readonly string[]
  close(): Promise<void>
}
