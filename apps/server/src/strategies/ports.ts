import type { NewStrategy, Strategy, StrategyChange, StrategyItem, StrategyPerformance } from './strategy.ts'

/** The strategies of one user at a time: another's do not exist. */
export interface StrategyStore {
  /** Newest first. */
  list(userId: number): Promise<StrategyItem[]>
  find(userId: number, id: number): Promise<Strategy | undefined>
  /** The strategies of these ids that exist, in one query, newest first. */
  findMany(userId: number, ids: readonly number[]): Promise<Strategy[]>
  /** Updates the one of the same name and type, or adds it. */
  save(userId: number, strategy: NewStrategy, at: Date): Promise<Strategy>
  /** `taken`: another strategy has that name and type. */
  change(userId: number, id: number, change: StrategyChange, at: Date): Promise<Strategy | 'missing' | 'taken'>
  /** Deletes a strategy and its saved backtests. Answers whether it was there. */
  remove(userId: number, id: number): Promise<boolean>
  /** Figures of each strategy that has a saved backtest, best CAGR first. */
  performance(userId: number): Promise<StrategyPerformance[]>
}
