import type { VariantResult } from '@tradewright/engine/study/evaluate'
import type { JobStore } from '../jobs/ports.ts'
import type { JobItemEnd } from '../jobs/job-item.ts'
import type { Study, StudyItem, StudySettings, StudyOutcome } from './study.ts'

/** The studies of one user at a time: another's do not exist. */
export interface StudyStore {
  add(userId: number, settings: StudySettings, at: Date): Promise<number>
  setJob(id: number, jobId: string): Promise<void>
  /** Newest first. */
  list(userId: number): Promise<StudyItem[]>
  find(userId: number, id: number): Promise<Study | undefined>
  remove(userId: number, id: number): Promise<void>
  /** In the order of the plan. */
  results(id: number): Promise<VariantResult[]>
}

/** Results of consecutive variants, from this place of the plan on. */
interface StoredResults {
  readonly first: number
  readonly results: readonly VariantResult[]
  readonly seconds: number
}

/** A study for the worker that its job belongs to. Writes of a job that no longer owns the study change nothing. */
export interface StudyWorkStore {
  find(id: number, jobId: string): Promise<StudySettings | undefined>
  /** The request alone, for helping processes. */
  request(id: number): Promise<StudySettings['request'] | undefined>
  /** The prices that the study stands on, fixed when it begins: the same for every worker and after every crash. */
  data(id: number): Promise<Uint8Array | undefined>
  keepData(id: number, jobId: string, data: Uint8Array): Promise<void>
  results(id: number): Promise<VariantResult[]>
  /** Answers whether the study is still this job's. */
  addResults(id: number, jobId: string, results: StoredResults): Promise<boolean>
  end(id: number, jobId: string, ending: StudyEnding): Promise<void>
  /** Prices and parts of studies of all users whose job is over. */
  forgetRemains(): Promise<void>
}

interface StudyEnding {
  readonly as: JobItemEnd
  readonly error: string | null
  readonly outcome: StudyOutcome | null
  readonly at: Date
}

interface StudyStores {
  readonly studies: StudyStore
  readonly jobs: JobStore
}

/** Everything that the work writes lands, or nothing does. */
export type StudyTransaction = <Result>(work: (stores: StudyStores) => Promise<Result>) => Promise<Result>
