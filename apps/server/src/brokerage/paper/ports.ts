import type { PaperFillModel } from '@tradewright/core/broker-catalogue'
import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import type { ActivityPage, ActivityQuery } from '@tradewright/engine/trading/account-activity'
import type { Fill, OrderFilter } from '@tradewright/engine/trading/broker'
import type { Order } from '@tradewright/engine/trading/order'
import type { RecentPast } from '@tradewright/engine/trading/paper-account/late-actions'
import type { PaperBar } from '@tradewright/engine/trading/paper-account/paper-market'
import type { SettledAccount } from '@tradewright/engine/trading/paper-account/settle'
import type { BrokerState } from '@tradewright/engine/trading/simulated-broker/state'

export interface PaperSettings {
  readonly tradingCostBps: number
  /** The share of an order that is filled at a time; 1 fills it whole. */
  readonly partialFill: number
  /** What borrowed shares cost, in percent a year. */
  readonly shortBorrowPct: number
  /** At the last price where it is left out. */
  readonly fillModel?: PaperFillModel
}

/** What the owner of a paper account may change later. */
export type PaperChoices = Required<Pick<PaperSettings, 'shortBorrowPct' | 'fillModel'>>

/** A paper account as it stands: of its orders, those that are open. */
export interface PaperBook {
  readonly state: BrokerState
  readonly settings: PaperSettings
  /** Everything up to here has happened in it. */
  readonly settledAt: UtcMillis
  readonly openedAt: UtcMillis
}

export interface PaperChange extends SettledAccount {
  readonly settledAt: UtcMillis
}

/** Keeps paper accounts. What is changed is changed whole, by one at a time. */
export interface PaperStore {
  open(accountId: number, cash: Usd, settings: PaperSettings, at: Date): Promise<void>
  book(accountId: number): Promise<PaperBook | undefined>
  /** What their owners chose, by account; those that are no paper accounts are left out. */
  chosen(accountIds: readonly number[]): Promise<ReadonlyMap<number, PaperChoices>>
  /** The rate counts from the next night on, the rest at once. */
  choose(accountId: number, choices: Partial<PaperChoices>): Promise<void>
  /**
   * `decide` sees the account under a lock; what it throws changes nothing. The past is that since `pastSince`, and empty
   * without it.
   */
  change(
    accountId: number,
    decide: (book: PaperBook, past: RecentPast) => PaperChange,
    pastSince?: UtcMillis,
  ): Promise<void>
  orderById(accountId: number, orderId: string): Promise<Order | undefined>
  orderByClientId(accountId: number, clientOrderId: string): Promise<Order | undefined>
  orders(accountId: number, filter: OrderFilter): Promise<Order[]>
  fills(accountId: number, since: UtcMillis): Promise<Fill[]>
  activities(accountId: number, query: ActivityQuery): Promise<ActivityPage>
  /** Ascending. */
  closes(accountId: number, from: EpochDay): Promise<{ day: EpochDay; equity: Usd }[]>
}

export interface KnownPrice {
  readonly price: Decimal
  readonly isSynthetic: boolean
  /** The stamp of the bar it is the close of. */
  readonly at: UtcMillis
  /** The first price of the running session, where minutes of it are known. */
  readonly sessionOpen?: Decimal
  /** Half the spread, as a share of the price. */
  readonly halfSpread?: number
  /** What has changed hands since the minute before an instant; undefined where minutes have no volume. */
  readonly volumeSince?: (since: UtcMillis) => number | undefined
}

/** The last stored daily close of each ticker, however old. */
export type LastStoredPrices = (userId: number, tickers: readonly string[]) => Promise<ReadonlyMap<string, KnownPrice>>

/** The market as the paper broker sees it: prices as they were traded. */
export interface PaperPrices {
  /** The newest price of each ticker: of the running session, else the last known close, which may be old. */
  latest(userId: number, tickers: readonly string[], now: UtcMillis): Promise<ReadonlyMap<string, KnownPrice>>
  /** Finished sessions of these days, both included, and of the running one what went ex on its morning. */
  bars(
    userId: number,
    tickers: readonly string[],
    days: { from: EpochDay; last: EpochDay },
  ): Promise<ReadonlyMap<string, readonly PaperBar[]>>
  /** Whether any provider has prices of it at all. */
  isKnown(userId: number, ticker: string, now: UtcMillis): Promise<boolean>
}
