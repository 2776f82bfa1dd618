import type { AccountCurve, BacktestResult } from '@tradewright/engine/backtest/result'
import type { Figure } from '@tradewright/engine/performance/figure'
import type { Stored } from '../backtests/stored.ts'

/** A backtest with the parts of its report that a line of a list shows. */
export interface StoredSummary {
  readonly id: number
  readonly name: string
  readonly strategyName: string
  readonly createdAt: Date
  readonly cagr: Figure
  readonly sharpe: Figure
  readonly maxDrawdown: number
  readonly synthetic: boolean
  readonly spliced: NonNullable<BacktestResult['spliced']>
  readonly startValue: number
  readonly wipedOut: NonNullable<BacktestResult['wipedOut']> | null
  readonly curve: Stored<Pick<AccountCurve, 'days' | 'values' | 'nominalValues' | 'flows'>>
}

export interface ResultSummaryStore {
  /** The newest of all runs that are kept, newest first. */
  newest(userId: number, limit: number): Promise<number[]>
  /** Saved backtests, the highest Sharpe ratio first, at most one of each strategy; those without one are left out. */
  bestBySharpe(userId: number, limit: number): Promise<number[]>
  /** In any order. */
  summaries(userId: number, ids: readonly number[]): Promise<StoredSummary[]>
}

export type ChecklistStep = 'backtest' | 'strategy' | 'data' | 'account' | 'deployment'

export interface Checklist {
  readonly done: readonly ChecklistStep[]
  readonly isHidden: boolean
}

export interface ChecklistStore {
  find(userId: number): Promise<Checklist>
  /** Steps whose traces are in the database now. */
  traces(userId: number): Promise<readonly ChecklistStep[]>
  /** Adds to what is done. */
  addDone(userId: number, steps: readonly ChecklistStep[]): Promise<void>
  setHidden(userId: number, isHidden: boolean): Promise<void>
}

export interface Alert {
  readonly source: 'deployment' | 'account'
  readonly id: number
  readonly name: string
  readonly level: 'warning' | 'error'
  readonly text: string
  /** Null for what is so now. */
  readonly at: Date | null
}

export interface AlertStore {
  /** Running deployments that do not trade. */
  blocked(userId: number): Promise<Alert[]>
  /** The newest warning or error of each deployment that is not stopped. */
  events(userId: number, since: Date): Promise<Alert[]>
  unverifiedAccounts(userId: number): Promise<Alert[]>
}
