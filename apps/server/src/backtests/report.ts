import type { CurveMetrics } from '@tradewright/engine/backtest/metrics'
import type { BacktestResult } from '@tradewright/engine/backtest/result'
import type { BacktestOrder } from './order.ts'
import type { Stored } from './stored.ts'

/** A feature or target with every parameter that was used, defaults included. */
export interface UsedSelection {
  readonly id: number
  readonly name: string
  /** The name with its parameters, as tables have it. */
  readonly label: string
  readonly params: Readonly<Record<string, number | string>>
}

/** Another saved backtest beside this one, on this one's bars: null where that one has no value. */
export interface Comparison {
  readonly backtestId: number
  readonly name: string
  readonly metrics: Stored<CurveMetrics>
  readonly values: readonly (number | null)[]
  /** Per walk-forward window. */
  readonly windowValues: readonly (readonly (number | null)[])[]
}

/** What a run found out, as it is kept. */
export interface RunOutcome {
  readonly result: Stored<BacktestResult>
  readonly features: readonly UsedSelection[]
  readonly target: UsedSelection | null
}

/** A run with what was asked for: all that a result panel or a later reader needs. */
export interface BacktestReport extends RunOutcome {
  readonly order: Omit<BacktestOrder, 'config'>
  readonly comparison: Comparison | null
}
