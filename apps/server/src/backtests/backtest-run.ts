import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'
import type { StrategyConfig } from '../strategies/strategy.ts'

/** A user's request: the run itself, and what is to be kept of it. Plain data, so that any process can do it. */
export interface BacktestRun {
  readonly request: BacktestRequest
  /** Of ML strategies. */
  readonly model: ModelChoice | undefined
  /** A provider's id, or `auto`. */
  readonly provider: string
  /** Ask providers again that have just failed. */
  readonly retriesData?: boolean
  readonly strategyName: string
  readonly saveStrategy: boolean
  readonly saveBacktest: boolean
  readonly backtestName: string
  /** Compare with this saved backtest; a reference ticker goes before it. */
  readonly referenceBacktestId: number | undefined
  /** The form's settings, for the saved strategy and the saved backtest. */
  readonly config: StrategyConfig
}

export const isSaved = ({ saveStrategy, saveBacktest }: BacktestRun): boolean => saveStrategy || saveBacktest

export const strategyTypeOf = ({ strategy }: BacktestRequest) =>
  strategy.kind === 'ml' ? ('ML' as const) : ('Asset Allocation' as const)
