import type { SplicedTicker } from '@tradewright/engine/backtest/stand-ins'
import type { StrategyConfig } from '../strategies/strategy.ts'
import type { BacktestReport, StoredReport } from './report.ts'

export interface SavedBacktestItem {
  readonly id: number
  readonly name: string
  readonly strategyId: number | null
  readonly strategyName: string
  readonly createdAt: Date
  /** False for a run that is only kept among the recent ones. */
  readonly isSaved: boolean
}

/** A run with the figures of a list. */
export interface RecentRun extends SavedBacktestItem {
  readonly cagr: number | null
  readonly sharpe: number | null
  readonly maxDrawdown: number
  readonly synthetic: boolean
  /** Whose prices stand in for a ticker on its days; null where none do. */
  readonly spliced: readonly SplicedTicker[] | null
}

/** Absent fields stay as they are. */
export interface KeptChange {
  readonly name?: string
  readonly strategyId?: number
  readonly strategyName?: string
  readonly isSaved?: true
}

export interface StoredBacktest extends SavedBacktestItem {
  readonly config: StrategyConfig
  readonly report: StoredReport
}

/** With its columns to read. */
export interface SavedBacktest extends SavedBacktestItem {
  readonly config: StrategyConfig
  readonly report: BacktestReport
}

export interface NewBacktest {
  readonly name: string
  readonly strategyId: number | null
  readonly strategyName: string
  readonly config: StrategyConfig
  readonly report: StoredReport
  /** The id of the job that made it. */
  readonly runId: string
  readonly createdAt: Date
  readonly isSaved: boolean
}
