import type { DataSources } from '@tradewright/engine/backtest/data-sources'
import type { RunPeriod } from '@tradewright/engine/backtest/run-period'
import type { SeriesProvenance } from '@tradewright/engine/backtest/provenance'
import type { SplicedTicker } from '@tradewright/engine/backtest/stand-ins'
import type { NestedChoice } from '@tradewright/engine/optimizer/nested-report'
import type { SearchReport } from '@tradewright/engine/optimizer/report'
import type { Generation } from '@tradewright/engine/optimizer/search'
import type { DataProblem } from '../backtests/data-problems.ts'
import type { JobFailure, JobProgress, JobState } from '../jobs/job.ts'
import type { OptimizationSettings } from './settings.ts'

export type RunEnd = 'completed' | 'failed' | 'abandoned'
type RunStatus = RunEnd | 'cancel_requested' | 'running'

/** A candidate feature as results and lists show it. Genes count along a run's list of them. */
export interface Candidate {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly label: string
  readonly params: Readonly<Record<string, number | string>>
}

/** The outcome of a run; of an abandoned one, as far as it had come. */
export interface RunOutcome {
  readonly report: SearchReport
  readonly stoppedEarly: boolean
  readonly generations: number
  /** Time at work on the run's own search and its report. */
  readonly seconds: number
  /** Time at work on the searches before nested windows. */
  readonly nestedSeconds: number
  readonly seedFitness: number | null
  readonly candidates: number
  readonly leftOut: readonly string[]
  readonly riskFree: string
  readonly sources: DataSources
  readonly series: readonly SeriesProvenance[]
  readonly dataProblems: readonly DataProblem[]
  /** The days that the winner's target was tested on. */
  readonly period: RunPeriod
  readonly synthetic: boolean
  readonly spliced: readonly SplicedTicker[]
  readonly fingerprint: string
  readonly notes: readonly string[]
}

/** Totals of the complete generations of a run. */
export interface RunTally {
  readonly generations: number
  readonly evaluations: number
  readonly seconds: number
  readonly bestFitness: number
  /** The mean of the newest generation. */
  readonly averageFitness: number
}

export interface RunJob {
  readonly state: JobState
  readonly progress: JobProgress | null
  readonly error: JobFailure | null
}

/** What a list shows of an outcome: the whole has the curves of every day. */
type ListedOutcome = Pick<RunOutcome, 'synthetic' | 'spliced'> & {
  readonly report: { readonly details: Pick<RunOutcome['report']['details'], 'train' | 'test'> }
}

export interface RunItem {
  readonly id: number
  readonly userId: number
  readonly settings: OptimizationSettings
  readonly isPaused: boolean
  readonly cancelRequested: boolean
  /** Null until the end is recorded. */
  readonly endedAs: RunEnd | null
  readonly error: string | null
  readonly errorCode: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly jobId: string | null
  /** Null where there is none, or no longer one. */
  readonly job: RunJob | null
  readonly tally: RunTally | null
  /** Whether its prices are made up; null until they are there. */
  readonly isSynthetic: boolean | null
  readonly outcome: ListedOutcome | null
}

export interface OptimizationRun extends RunItem {
  readonly outcome: RunOutcome | null
  readonly candidates: readonly Candidate[]
}

/** A generation as it is kept: with the time it took. */
export interface StoredGeneration extends Generation {
  readonly seconds: number
}

/** What the search before a nested window chose, with the time it took. */
export interface StoredChoice extends NestedChoice {
  readonly seconds: number
}

/** All time at work: pauses and waiting left out. */
export const runtimeSeconds = ({ seconds, nestedSeconds }: RunOutcome): number => seconds + nestedSeconds

/**
 * A run is in progress while its job is, or while it is paused. A job that ended without a record of the run's end was
 * given up: it cannot be resumed.
 */
export function statusOf({ endedAs, isPaused, cancelRequested, job }: RunItem): RunStatus {
  if (endedAs) return endedAs
  const inProgress = cancelRequested ? 'cancel_requested' : 'running'
  if (isPaused || job?.state === 'queued' || job?.state === 'running') return inProgress
  return job?.state === 'failed' && job.error?.code !== 'job.interrupted' ? 'failed' : 'abandoned'
}

export const isInProgress = (run: RunItem): boolean => ['running', 'cancel_requested'].includes(statusOf(run))

/** The code of the problem that ended it. */
export const errorCodeOf = ({ errorCode, job }: RunItem): string | null => errorCode ?? job?.error?.code ?? null

export const errorOf = ({ error, job }: RunItem): string | null => error ?? job?.error?.message ?? null
