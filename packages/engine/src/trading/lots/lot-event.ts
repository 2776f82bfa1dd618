import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { EpochDay } from '@tradewright/core/time'
import type { LotOrigin } from './lot.ts'

/** Whatever changes lots, in the order in which it happened. */
export type LotEvent = TradeEvent | OpeningEvent | SplitEvent | RemovalEvent | ExchangeEvent | ReturnOfCapitalEvent

export interface TradeEvent {
  readonly kind: 'trade'
  readonly id: string
  readonly orderId: string
  readonly ticker: string
  readonly day: EpochDay
  readonly side: 'buy' | 'sell'
  readonly quantity: Decimal
  /** What a purchase cost with its fees, what a sale brought without them. */
  readonly amount: Usd
}

/** Shares that came without a trade. */
export interface OpeningEvent {
  readonly kind: 'opening'
  readonly id: string
  readonly ticker: string
  readonly day: EpochDay
  readonly quantity: Decimal
  readonly basis: Usd
  readonly origin: Exclude<LotOrigin, 'trade'>
}

/** All lots of the ticker change in the same proportion, and their cost stays. */
interface SplitEvent {
  readonly kind: 'split'
  readonly ticker: string
  readonly day: EpochDay
  /** Shares more (or less) in all. */
  readonly change: Decimal
}

/** Shares that left without a sale. */
interface RemovalEvent {
  readonly kind: 'removal'
  readonly ticker: string
  readonly day: EpochDay
  readonly quantity: Decimal
}

/** Shares of one ticker become shares of another, which keep cost and time. */
export interface ExchangeEvent {
  readonly kind: 'exchange'
  readonly ticker: string
  readonly day: EpochDay
  readonly quantity: Decimal
  readonly into: { readonly ticker: string; readonly quantity: Decimal }
}

/** A payment that lowers the cost instead of being income. */
interface ReturnOfCapitalEvent {
  readonly kind: 'return-of-capital'
  readonly id: string
  readonly ticker: string
  readonly day: EpochDay
  readonly amount: Usd
}
