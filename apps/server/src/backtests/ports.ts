import type { Granularity } from '@tradewright/core/granularity'
import type { TimeRange, UtcMillis } from '@tradewright/core/time'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import type { LeftOut } from '@tradewright/engine/market/layers/rows'
import type { SeriesTable } from '@tradewright/engine/market/series'
import type { StrategyStore } from '../strategies/ports.ts'
import type { MissingSeries, Substitution } from './data-problems.ts'
import type { StoredBoard } from './robustness/stored-board.ts'
import type { KeptChange, NewBacktest, RecentRun, SavedBacktestItem, StoredBacktest } from './saved-backtest.ts'

interface SeriesRequest {
  readonly userId: number
  readonly tickers: readonly string[]
  /** Half-open, in stamps. */
  readonly range: TimeRange
  readonly granularity: Granularity
  /** A provider's id, or `auto`. */
  readonly provider: string
  /** Ask providers again that have just failed. */
  readonly retries?: boolean
  /** What the store held at this moment; no provider is asked. */
  readonly asOf?: UtcMillis | undefined
  /** Nothing comes of the request where a ticker is unknown: after a few of them the others are not asked for. */
  readonly stopsAtUnknown?: boolean
  /** Columns of the user's own files, beside those that every run reads. */
  readonly columns?: readonly string[]
}

export interface SeriesAnswer {
  /** By symbol without leverage, at the granularity asked for; economic series daily. */
  readonly series: ReadonlyMap<string, SeriesTable>
  /** The actions of bars within the day, whose rows do not hold them. */
  readonly actions: ReadonlyMap<string, CorporateActions>
  /** What could not be had, each with a sentence that names the ticker; `hasRows` where a part of it could. */
  readonly missing: readonly MissingSeries[]
  /** Tickers whose rows are synthetic because no real provider delivered them. */
  readonly substituted: readonly Substitution[]
  /** Rows that providers sent for this answer and that are left out; each with its provider's display name. */
  readonly leftOut?: readonly LeftOut[]
}

/** A user's market data: what is stored, or what a provider has. */
export type SeriesSource = (request: SeriesRequest, signal: AbortSignal) => Promise<SeriesAnswer>

/** The saved backtests and recent runs of one user at a time: another's do not exist. */
export interface BacktestStore {
  /** Saved ones, newest first. */
  list(userId: number): Promise<SavedBacktestItem[]>
  listOfStrategy(userId: number, strategyId: number): Promise<SavedBacktestItem[]>
  /** Newest first: saved ones, others, or both. */
  recent(userId: number, limit: number, only?: { isSaved: boolean }): Promise<RecentRun[]>
  find(userId: number, id: number): Promise<StoredBacktest | undefined>
  /** Answers its id; the same run again answers the same id and changes nothing. */
  save(userId: number, backtest: NewBacktest): Promise<number>
  /** Undefined where it is not there. */
  change(userId: number, id: number, change: KeptChange): Promise<SavedBacktestItem | undefined>
  /** The robustness board of a result, and the seed of its run; undefined where there is no such result. */
  findBoard(
    userId: number,
    id: number,
  ): Promise<{ readonly board: StoredBoard | null; readonly runSeed: number } | undefined>
  /** Without effect where the result is gone. */
  saveBoard(userId: number, id: number, board: StoredBoard): Promise<void>
  /** Answers whether it was there. */
  remove(userId: number, id: number): Promise<boolean>
  /** Keeps the newest of the runs that are neither saved nor shared at that time, and removes the others. */
  removeOldRuns(
    userId: number,
    kept: { readonly runs: number; readonly bytes: number; readonly at: Date },
  ): Promise<void>
}

export interface ResultLink {
  readonly id: number
  readonly backtestId: number
  readonly backtestName: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /** It also leads to the passport, which has every trade and signal. */
  readonly withPassport: boolean
}

interface NewResultLink {
  readonly backtestId: number
  readonly tokenHash: Buffer
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly withPassport: boolean
}

/** Links that open one result each; expired ones do not exist. */
export interface ResultLinkStore {
  /** The links of one user, newest first. */
  list(userId: number, now: Date): Promise<ResultLink[]>
  /**
   * Undefined where the user has no such backtest, `full` where they have so many links already. Expired links of the
   * user go.
   */
  add(userId: number, link: NewResultLink, most: number): Promise<ResultLink | 'full' | undefined>
  /** Answers whether it was there. */
  remove(userId: number, id: number): Promise<boolean>
  find(tokenHash: Buffer, now: Date): Promise<SharedBacktest | undefined>
}

/** What a link leads to. */
export interface SharedBacktest {
  readonly userId: number
  readonly backtestId: number
  readonly title: string
  readonly expiresAt: Date
  readonly withPassport: boolean
}

interface SavingStores {
  readonly strategies: StrategyStore
  readonly backtests: BacktestStore
}

/** Everything that the work writes lands, or nothing does. */
export type SavingTransaction = <Result>(work: (stores: SavingStores) => Promise<Result>) => Promise<Result>

/** What the checks of a run read, kept while they are computed, for every process that helps. */
export interface BoardWorkStore {
  keep(workId: string, backtestId: number, material: Uint8Array): Promise<void>
  material(workId: string): Promise<Uint8Array | undefined>
  /** With the pieces of it that have ended. */
  forget(workId: string, backtestId: number): Promise<void>
  /** Forgets checks whose job has ended without forgetting them. */
  forgetRemains(): Promise<void>
}
