import type { StrategyConfig } from '../strategies/strategy.ts'
import type { BacktestReport, StoredReport } from './report.ts'

export interface SavedBacktestItem {
  readonly id: number
  readonly name: string
  readonly strategyId: number | null
  readonly strategyName: string
  readonly createdAt: Date
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
  /** Of the job that made it. */
  readonly runId: string
  readonly createdAt: Date
}
