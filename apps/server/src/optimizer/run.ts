import type { DataSources } from '@tradewright/engine/backtest/data-sources'
import type { RunPeriod } from '@tradewright/engine/backtest/run-period'
import type { SeriesProvenance } from '@tradewright/engine/backtest/provenance'
import type { SplicedTicker } from '@tradewright/engine/backtest/stand-ins'
import type { NestedChoice } from '@tradewright/engine/optimizer/nested-report'
import type { SearchReport } from '@tradewright/engine/optimizer/report'
import type { Generation } from '@tradewright/engine/optimizer/search'
import type { ParameterChoices, SearchRequest } from '@tradewright/engine/optimizer/request'
import { type Judgement, unknown } from '@tradewright/engine/optimizer/verdicts'
import type { DataProblem } from '../backtests/data-problems.ts'
import type { JobFailure, JobProgress, JobState, JobStore } from '../jobs/job.ts'

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

/** A user's request: the search itself, and the values of its form. Plain data, so that any process can do it. */
export interface OptimizationSettings {
  readonly request: SearchRequest
  /** A provider's id, or `auto`. */
  readonly provider: string
  readonly featureIds: readonly number[]
  /** By feature id: the values as they were entered. */
  readonly featureConfigs: Readonly<Record<string, ParameterChoices>>
  readonly targetListIds: readonly number[]
  readonly featureListIds: readonly number[]
  /** Ask data providers again that have just failed; absent in orders of earlier versions. */
  readonly retriesData?: boolean
  /** The client's name for this run. */
  readonly clientRunId: string | null
}

type Luck = SearchReport['luck']

/** Reports from before winners were compared with holding have neither its figures nor its curves. */
export const wasComparedWithHolding = ({ details }: SearchReport): boolean =>
  (details as Partial<SearchReport['details']>).holding !== undefined

const NOT_COMPARED = 'the run is from before winners were compared with always holding the buy allocation; rerun it'

/** Such reports measured profit against zero, so their verdicts about it are withdrawn. */
export function luckOf(report: SearchReport): Luck {
  const { luck } = report
  if (wasComparedWithHolding(report)) return luck
  const withdrawn: Judgement = unknown(NOT_COMPARED)
  return {
    ...luck,
    holdOut: { ...withdrawn, value: luck.holdOut.value },
    deflated: withdrawn,
    activeSharpe: null,
    summary: withdrawn,
  }
}

interface NewRun {
  readonly settings: OptimizationSettings
  readonly candidates: readonly Candidate[]
  readonly createdAt: Date
}

/** The runs of one user at a time: another's do not exist. */
export interface OptimizationRunStore {
  /** Undefined where an unfinished run of this user has the same client's name: there is one at a time. */
  add(userId: number, run: NewRun): Promise<number | undefined>
  /** Newest first. */
  list(userId: number): Promise<RunItem[]>
  find(userId: number, id: number): Promise<OptimizationRun | undefined>
  /** The same, held until the transaction ends. */
  lock(userId: number, id: number): Promise<OptimizationRun | undefined>
  /** The unfinished one that the client gave this name. */
  findByClientId(userId: number, clientRunId: string): Promise<RunItem | undefined>
  /** Makes this job the run's writer; an earlier one can no longer write. */
  setJob(id: number, jobId: string): Promise<void>
  setPaused(id: number, isPaused: boolean): Promise<void>
  requestCancel(id: number): Promise<void>
  end(id: number, ending: Omit<RunEnding, 'outcome'>): Promise<void>
  remove(userId: number, id: number): Promise<void>
  /** In order, those after the given number. */
  generations(userId: number, id: number, after?: number): Promise<StoredGeneration[]>
  generation(userId: number, id: number, number: number): Promise<StoredGeneration | undefined>
}

/** A run for the worker that its job belongs to. Writes of a job that no longer owns the run change nothing. */
export interface RunWorkStore {
  find(runId: number, jobId: string): Promise<OptimizationRun | undefined>
  /** The request alone, for helping processes. */
  request(runId: number): Promise<OptimizationSettings['request'] | undefined>
  /** The prices that the run stands on, fixed when it begins: the same for every worker and after every crash. */
  data(runId: number): Promise<Uint8Array | undefined>
  keepData(runId: number, jobId: string, prices: KeptPrices): Promise<void>
  generations(runId: number): Promise<StoredGeneration[]>
  /** Answers whether the run is still this job's. */
  addGeneration(runId: number, jobId: string, generation: StoredGeneration): Promise<boolean>
  /** Nested windows that are complete, in order. They are kept with the prices, until the run ends. */
  choices(runId: number): Promise<StoredChoice[]>
  /** Answers whether the run is still this job's. */
  addChoice(runId: number, jobId: string, choice: StoredChoice): Promise<boolean>
  end(runId: number, jobId: string, ending: RunEnding): Promise<void>
  /** Runs of all users whose job is over without a record of their end. */
  unsettled(): Promise<{ userId: number; id: number }[]>
  /** Parts whose run is over or gone, wherever they were done. */
  forgetParts(): Promise<void>
}

interface KeptPrices {
  readonly data: Uint8Array
  readonly isSynthetic: boolean
}

interface RunEnding {
  readonly as: RunEnd
  readonly error: string | null
  readonly errorCode: string | null
  readonly outcome: RunOutcome | null
  readonly at: Date
}

export interface RunStores {
  readonly runs: OptimizationRunStore
  readonly jobs: JobStore
}

/** Everything that the work writes lands, or nothing does. */
export type RunTransaction = <Result>(work: (stores: RunStores) => Promise<Result>) => Promise<Result>
