import type { UtcMillis } from '@tradewright/core/time'
import type { CurveMetrics } from '@tradewright/engine/backtest/metrics'
import type { BacktestResult, Period } from '@tradewright/engine/backtest/result'
import type { YearReturn } from '@tradewright/engine/performance/returns'
import type { RelativeFigures } from '@tradewright/engine/performance/relative-figures'
import type { DataProblem } from './data-problems.ts'
import type { BacktestRun } from './backtest-run.ts'
import type { RunDigest } from './passport/run-digest.ts'
import { type Read, readStored } from './read-stored.ts'
import type { Stored } from './stored.ts'

/** A feature or target with every parameter that was used, defaults included. */
export interface UsedSelection {
  readonly id: number
  readonly name: string
  /** The name with its parameters, as tables have it. */
  readonly label: string
  readonly params: Readonly<Record<string, number | string>>
}

/** Another saved backtest beside this one, on this one's bars: NaN where that one has no value. */
export interface Comparison {
  readonly backtestId: number
  readonly name: string
  readonly metrics: CurveMetrics
  /** What `metrics` are of, and this run's own there; absent in results that were saved before. */
  readonly common?: { readonly period: Period; readonly ownMetrics: CurveMetrics }
  readonly values: Float64Array
  /** What one dollar became, what this run's figures are against it, and its years; absent in results saved before. */
  readonly growth?: Float64Array
  readonly relative?: RelativeFigures
  readonly annual?: { readonly nominal?: readonly YearReturn[]; readonly real?: readonly YearReturn[] }
  /** Per walk-forward window. */
  readonly windowValues: readonly Float64Array[]
}

interface Selections {
  readonly features: readonly UsedSelection[]
  readonly target: UsedSelection | null
}

export interface RunOutcome extends Selections {
  readonly result: Stored<BacktestResult>
  /** Absent in results of earlier versions. */
  readonly dataProblems?: readonly DataProblem[]
  /** Checksums of what it read and computed, for its passport; absent in results of earlier versions. */
  readonly digest?: RunDigest
  /** The moment whose stored data it was computed from; absent in results of earlier versions. */
  readonly dataAt?: UtcMillis
}

/** A run with what was asked for, as it is kept. */
export interface StoredReport extends RunOutcome {
  readonly run: Omit<BacktestRun, 'config'>
  readonly comparison: Stored<Comparison> | null
}

/** The same with its columns to read: all that a result panel or a later reader needs. */
export interface BacktestReport extends Selections {
  readonly run: StoredReport['run']
  readonly dataProblems?: readonly DataProblem[]
  readonly digest?: RunDigest
  readonly dataAt?: UtcMillis
  readonly result: Read<BacktestResult>
  readonly comparison: Read<Comparison> | null
}

export async function readReport({ result, comparison, ...rest }: StoredReport): Promise<BacktestReport> {
  return {
    ...rest,
    result: await readStored<BacktestResult>(result),
    comparison: comparison && (await readStored<Comparison>(comparison)),
  }
}
