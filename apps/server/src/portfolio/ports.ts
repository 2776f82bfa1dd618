import type { EpochDay } from '@tradewright/core/time'
import type { AccountActivity } from '@tradewright/engine/trading/account-activity'
import type { LotMethod } from '@tradewright/engine/trading/lots/lot'
import type { LotRules } from '@tradewright/engine/trading/lots/tax-lots'
import type { LotChoice } from '@tradewright/engine/trading/lots/ticker-lots'

/** The stored form of a broker's answers about an account at one moment. Amounts are text, curves are numbers. */
export interface StoredSnapshot {
  readonly version: 1
  readonly account: {
    readonly cash: string
    readonly equity: string
    readonly lastEquity: string | null
    readonly buyingPower: string
  }
  readonly positions: readonly StoredPosition[]
  /** Ascending; columns of the same length. */
  readonly history: {
    readonly days: readonly EpochDay[]
    readonly equity: readonly (number | null)[]
    /** External flows as the history tells them; null where it does not. */
    readonly flows: readonly number[] | null
  }
  /** External flows by the account's activities, ascending; null when these could not be read. */
  readonly flows: readonly StoredFlow[] | null
}

export interface StoredPosition {
  readonly ticker: string
  readonly quantity: string
  readonly averageEntryPrice: string
  readonly price: string
  readonly marketValue: string
  readonly isSynthetic: boolean
  /** Where its price is old: the price's day. */
  readonly oldPriceDay?: EpochDay
}

export interface StoredFlow {
  readonly day: EpochDay
  readonly amount: number
  /** Milliseconds UTC; absent where the broker names the day alone. */
  readonly at?: number | undefined
}

export interface TakenSnapshot {
  readonly takenAt: Date
  readonly snapshot: StoredSnapshot
}

export type StoredKind = 'trades' | 'cash'

/** How far activities have been collected, oldest first. */
interface ActivityProgress {
  /** Names the page to go on with. */
  readonly page: string | undefined
  readonly isComplete: boolean
}

/** Stored data of accounts, so that a screen opens without asking the broker. */
export interface PortfolioStore {
  snapshot(accountId: number): Promise<TakenSnapshot | undefined>
  keep(accountId: number, snapshot: StoredSnapshot, takenAt: Date): Promise<void>
  progress(accountId: number, kind: StoredKind): Promise<ActivityProgress>
  /**
   * The activities and how far they reach, at once. Activities that are known already stay as they are, unless the broker
   * corrected or cancelled them.
   */
  addActivities(
    accountId: number,
    kind: StoredKind,
    activities: readonly AccountActivity[],
    progress?: ActivityProgress,
  ): Promise<void>
  /** Newest first. */
  activities(
    accountId: number,
    kind: StoredKind,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<AccountActivity[]>
  /** Trades and other activities, oldest first, in portions. */
  everyActivity(accountId: number): AsyncIterable<readonly AccountActivity[]>
  /** How its lots are chosen; the oldest first until something else is set. */
  lotRules(accountId: number): Promise<LotRules>
  setLotMethod(accountId: number, method: LotMethod): Promise<void>
  /** None: as the method says. */
  setLotChoice(accountId: number, saleId: string, chosen: readonly LotChoice[]): Promise<void>
  countActivities(accountId: number, kind: StoredKind): Promise<number>
  /** Ascending. */
  externalFlows(accountId: number): Promise<StoredFlow[]>
}
