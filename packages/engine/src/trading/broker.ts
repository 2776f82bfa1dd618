import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import type { ActivityPage, ActivityQuery, Correction, EquityDay } from './account-activity.ts'
import type { Order, OrderRequest } from './order.ts'
import type { RefusalTable } from './refusals.ts'

export interface BrokerAccount {
  readonly id: string
  readonly currency: string
  readonly cash: Usd
  /** Cash and all positions. */
  readonly equity: Usd
  /** At the close of the session before, for the day's profit; undefined where the broker does not say. */
  readonly lastEquity: Usd | undefined
  readonly buyingPower: Usd
  /** The part of it that buys what cannot be bought on margin, such as coins; absent where that is all of it. */
  readonly nonMarginableBuyingPower?: Usd
  /** Cash without the proceeds of sales that are not settled yet; absent where all cash may be spent. */
  readonly settledCash?: Usd
  /** Undefined where the broker does not say. */
  readonly openedAt: UtcMillis | undefined
  /** How many times its equity the account may hold overnight: 1 is a cash account. */
  readonly leverageLimit: number
  /** The charge on top of a trade, as a share of its value; absent where nothing is charged or it is not known. */
  readonly costRate?: number
  /** Purchases may be ordered for the proceeds of sales that are open for the same auction. */
  readonly spendsOpenSales?: boolean
  /** Market orders may wait for minutes until a price is known: one that rests is no sign of a halt. */
  readonly ordersAwaitPrices?: boolean
  /** Dividends are paid days after their ex-date; absent where they are paid on it. */
  readonly paysDividendsLater?: boolean
  readonly isShortingAllowed: boolean
  /** What borrowed shares cost, in percent a year; absent where the broker has a rate for each day and ticker. */
  readonly shortBorrowPct?: number
  /** The broker's own words why no order would be taken now; undefined when one would. */
  readonly blockedBecause: string | undefined
}

/** The day of a price that lacks several sessions, and how many calendar days ago that was. */
export interface OldPrice {
  readonly day: EpochDay
  readonly ageDays: number
}

export interface Position {
  readonly ticker: string
  /** Negative for a short position. */
  readonly quantity: Decimal
  readonly averageEntryPrice: Usd
  readonly price: Usd
  readonly marketValue: Usd
  /** The position's price comes from the synthetic sample market, which only a paper account may know. */
  readonly isSynthetic?: boolean
  /** Where the last known price is old. Only a paper account values a position by such a price. */
  readonly oldPrice?: OldPrice
}

/** One execution. An order may have several; each is booked once, by its id. A broker may take one back, or correct it. */
export interface Fill extends Correction {
  readonly executionId: string
  readonly orderId: string
  readonly clientOrderId: string
  readonly ticker: string
  readonly side: 'buy' | 'sell'
  readonly quantity: Decimal
  readonly price: Usd
  /** Zero where the broker charges nothing or books fees apart. */
  readonly fee: Usd
  readonly at: UtcMillis
}

export interface MarketClock {
  readonly now: UtcMillis
  readonly isOpen: boolean
  readonly nextOpen: UtcMillis
  readonly nextClose: UtcMillis
}

/** A session of the broker's own calendar, which knows of days of mourning before any rule does. */
export interface MarketSession {
  readonly day: EpochDay
  readonly open: UtcMillis
  readonly close: UtcMillis
}

export interface TradableAsset {
  readonly ticker: string
  readonly isTradable: boolean
  readonly isFractionable: boolean
  /** Limit orders may be of fractions, too. */
  readonly hasFractionalLimits?: boolean
  readonly isMarginable: boolean
  readonly isShortable: boolean
  /** Purchases of less are refused; a dollar where the broker names nothing else. */
  readonly minPurchase?: Usd
  /** Sales of less are refused, those of a whole position too; absent where a rest can be sold. */
  readonly minSale?: Usd
  /** Orders of less are refused, in shares or coins. */
  readonly minQuantity?: Decimal
  /** Quantities are multiples of this. */
  readonly quantityStep?: Decimal
  /** Limit prices are multiples of this; cents where the broker names nothing else. */
  readonly priceStep?: Usd
  /** Where the last known price is old. */
  readonly oldPrice?: OldPrice
}

export interface OrderFilter {
  readonly state: 'open' | 'closed' | 'all'
  /** Only orders sent at or after this instant. */
  readonly since?: UtcMillis
  readonly tickers?: readonly string[]
}

/** The best offers of a moment. */
export interface BrokerQuote {
  /** Undefined where there is no offer. */
  readonly bid: Usd | undefined
  readonly ask: Usd | undefined
  readonly at: UtcMillis
}

/** Code of a refusal because another order of the account is open on the other side: it may be sent when that has ended. */
export const OPPOSITE_ORDER = 'broker.opposite-order'

/** Code of a refusal for want of buying power. */
export const INSUFFICIENT_FUNDS = 'broker.insufficient-funds'

/** How a question is asked. */
export interface Urgency {
  /** Part of a stop: not behind other questions, whatever is left of the broker's allowance. */
  readonly isUrgent?: boolean
}

/**
 * Keeps the positions and executes the orders: a real brokerage, the built-in paper account, a simulation. The loop
 * that trades knows none of them by name. Tickers are ours (`BTC-USD`), without leverage; CASHX never gets here.
 *
 * Expected refusals are Problems with the broker's reason. A call whose fate is unknown (no answer, lost connection)
 * fails with a Problem of kind `unavailable`: it may or may not have happened, and `orderByClientId` tells which.
 */
export interface Broker {
  readonly account: () => Promise<BrokerAccount>
  readonly positions: () => Promise<Position[]>
  /** Sending the same `clientOrderId` again never makes a second order: it is refused as a `conflict`. */
  readonly place: (request: OrderRequest) => Promise<Order>
  /** Undefined when the broker does not know it. */
  readonly orderByClientId: (clientOrderId: string, urgency?: Urgency) => Promise<Order | undefined>
  /** Asks for the cancellation of what is still open; an order that has ended is refused as a `conflict`. */
  readonly cancel: (orderId: string) => Promise<void>
  /** Asks for the cancellation of everything that is open in the account, also of orders that are not ours; absent where it cannot be asked. */
  readonly cancelAll?: () => Promise<void>
  /** Newest first, however many pages the broker cuts them into. */
  readonly orders: (filter: OrderFilter, urgency?: Urgency) => Promise<Order[]>
  /**
   * Oldest first, at or after the instant. A broker that lists executions market by market looks into those of its holdings
   * and of these tickers: what was sold entirely is no holding.
   */
  readonly fills: (since: UtcMillis, tickers?: readonly string[]) => Promise<Fill[]>
  /** Executions may be taken back or corrected for weeks, and are listed so; absent where they are final. */
  readonly correctsFills?: boolean
  readonly clock: () => Promise<MarketClock>
  /** Sessions of these days, both included, ascending. */
  readonly sessions: (from: EpochDay, last: EpochDay) => Promise<MarketSession[]>
  readonly activities: (query: ActivityQuery) => Promise<ActivityPage>
  /** Ascending, from this day on; days without a recorded value are absent. */
  readonly equityHistory: (from: EpochDay) => Promise<EquityDay[]>
  readonly asset: (ticker: string) => Promise<TradableAsset | undefined>
  /** The assets that the broker knows among many tickers, in a few calls. Absent where each is asked by itself. */
  readonly assets?: (tickers: readonly string[]) => Promise<ReadonlyMap<string, TradableAsset>>
  /** The newest quote; undefined where there is none. Absent where the broker offers no quotes. Asked once, for seconds. */
  readonly quote?: (ticker: string) => Promise<BrokerQuote | undefined>
  /** What its reasons for refusing or rejecting an order mean; without it each is tried again later. */
  readonly refusals?: RefusalTable
}
