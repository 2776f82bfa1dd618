import type { SeriesSource } from '../backtests/ports.ts'
import type { JobStore } from '../jobs/ports.ts'
import type { OptimizationSettings } from './settings.ts'
import type { Candidate, OptimizationRun, RunEnd, RunItem, RunOutcome, StoredChoice, StoredGeneration } from './run.ts'

export type { SeriesSource }

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
