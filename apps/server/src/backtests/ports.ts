import type { Granularity } from '@tradewright/core/granularity'
import type { TimeRange } from '@tradewright/core/time'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import type { SeriesTable } from '@tradewright/engine/market/series'
import type { StrategyStore } from '../strategies/ports.ts'
import type { MissingSeries, Substitution } from './data-problems.ts'
import type { NewBacktest, SavedBacktestItem, StoredBacktest } from './saved-backtest.ts'

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
}

export interface SeriesAnswer {
  /** By symbol without leverage, at the granularity asked for; economic series daily. */
  readonly series: ReadonlyMap<string, SeriesTable>
  /** Of bars within the day, whose rows do not hold them. */
  readonly actions: ReadonlyMap<string, CorporateActions>
  /** What could not be had, each with a sentence that names the ticker; `hasRows` where a part of it could. */
  readonly missing: readonly MissingSeries[]
  /** Tickers whose rows are synthetic because no real provider delivered them. */
  readonly substituted: readonly Substitution[]
}

/** A user's market data: what is stored, or what a provider has. */
export type SeriesSource = (request: SeriesRequest, signal: AbortSignal) => Promise<SeriesAnswer>

/** The saved backtests of one user at a time: another's do not exist. */
export interface BacktestStore {
  /** Newest first. */
  list(userId: number): Promise<SavedBacktestItem[]>
  listOfStrategy(userId: number, strategyId: number): Promise<SavedBacktestItem[]>
  find(userId: number, id: number): Promise<StoredBacktest | undefined>
  /** Answers its id; the same run again answers the same id and changes nothing. */
  save(userId: number, backtest: NewBacktest): Promise<number>
  /** Answers whether it was there. */
  remove(userId: number, id: number): Promise<boolean>
}

interface SavingStores {
  readonly strategies: StrategyStore
  readonly backtests: BacktestStore
}

/** Everything that the work writes lands, or nothing does. */
export type SavingTransaction = <Result>(work: (stores: SavingStores) => Promise<Result>) => Promise<Result>
