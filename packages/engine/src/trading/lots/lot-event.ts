import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { EpochDay } from '@tradewright/core/time'
import type { LotOrigin } from './lot.ts'

/** Whatever changes lots, in the order in which it happened. */
export type LotEvent =
  | TradeEvent
  | OpeningEvent
  | SplitEvent
  | RemovalEvent
  | ExchangeEvent
  | SpinOffEvent
  | DeliveryEvent
  | ReturnOfCapitalEvent

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
  readonly id: string
  readonly ticker: string
  readonly day: EpochDay
  readonly quantity: Decimal
  readonly into: { readonly ticker: string; readonly quantity: Decimal }
  /** The same company under another name: a purchase of the new shares washes a loss on the old ones. */
  readonly isRename?: boolean
}

/** Shares of a new company for those of its parent, whose cost stays where it is until the issuer says how to divide it. */
export interface SpinOffEvent {
  readonly kind: 'spin-off'
  readonly id: string
  readonly ticker: string
  readonly day: EpochDay
  readonly quantity: Decimal
  /** Names of which one may be the parent's ticker. */
  readonly parents: readonly string[]
}

/** An option that was exercised or assigned: what it cost or brought goes into the price of its shares. */
export interface DeliveryEvent {
  readonly kind: 'delivery'
  readonly id: string
  /** The option contract. */
  readonly ticker: string
  readonly day: EpochDay
  /** The change in contracts: negative for those that were held, positive for those that were written. */
  readonly change: Decimal
  readonly shares: Pick<TradeEvent, 'ticker' | 'side' | 'quantity' | 'amount'>
}

/** A payment that lowers the cost instead of being income. */
interface ReturnOfCapitalEvent {
  readonly kind: 'return-of-capital'
  readonly id: string
  readonly ticker: string
  readonly day: EpochDay
  readonly amount: Usd
}

/** Shares more or less, by ticker. */
export function changesOf(event: LotEvent): readonly (readonly [string, Decimal])[] {
  if (event.kind === 'return-of-capital') return []
  if (event.kind === 'trade') return [tradeChange(event)]
  if (event.kind === 'split') return [[event.ticker, event.change]]
  if (event.kind === 'delivery') return [[event.ticker, event.change], tradeChange(event.shares)]
  const { ticker, quantity } = event
  if (event.kind === 'removal') return [[ticker, quantity.negated()]]
  if (event.kind !== 'exchange') return [[ticker, quantity]]
  return [
    [ticker, quantity.negated()],
    [event.into.ticker, event.into.quantity],
  ]
}

const tradeChange = ({ ticker, side, quantity }: DeliveryEvent['shares']): readonly [string, Decimal] => [
  ticker,
  side === 'buy' ? quantity : quantity.negated(),
]
