import type { StrategyType } from '@tradewright/core/strategy-kinds'
import type { SplicedTicker } from '@tradewright/engine/backtest/stand-ins'

/** A form's settings, in the form's own words: kept as they were sent, and read by `settings-codec.ts` of the core. */
export type StrategyConfig = Readonly<Record<string, unknown>>

export interface StrategyItem {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly type: StrategyType
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface Strategy extends StrategyItem {
  readonly config: StrategyConfig
}

export interface NewStrategy {
  readonly name: string
  readonly type: StrategyType
  readonly config: StrategyConfig
  /** Left out: an existing one keeps its own. */
  readonly description?: string | null
}

/** Absent fields stay as they are. */
export interface StrategyChange {
  readonly name?: string
  readonly type?: StrategyType
  readonly config?: StrategyConfig
  readonly description?: string | null
}

/** How a strategy did, by its latest saved backtest. */
export interface StrategyPerformance {
  readonly strategyId: number
  readonly strategyName: string
  readonly backtestId: number
  readonly cagr: number | null
  readonly sharpe: number | null
  readonly totalReturn: number
  readonly maxDrawdown: number
  readonly synthetic: boolean
  /** Whose prices stand in for a ticker on its days; null where none do. */
  readonly spliced: readonly SplicedTicker[] | null
}
