import type { StudyReport } from '@tradewright/engine/study/report'
import type { StudyRequest } from '@tradewright/engine/study/plan'
import type { VariantResult } from '@tradewright/engine/study/evaluate'
import { Problem } from '@tradewright/core/problem'
import { randomUUID } from 'node:crypto'
import type { JobItem, JobStore, JobItemEnd } from '../jobs/job.ts'
import type { StrategyConfig } from '../strategies/strategy.ts'
import { Prepared } from '../jobs/pieces.ts'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'

/** A user's request: the study itself, and the values of the form it was asked from. Plain data for any process. */
export interface StudySettings {
  readonly request: StudyRequest
  readonly strategyName: string
  /** A provider's id, or `auto`. */
  readonly provider: string
  readonly retriesData: boolean
  /** The Studio's settings, so that it can open them again. */
  readonly config: StrategyConfig
  readonly variants: number
  /** The names of the numbers that vary. */
  readonly labels: readonly string[]
}

/** What is kept of a study that has ended well, beside the results of its variants. */
export interface StudyOutcome {
  readonly report: StudyReport
  /** What could not be had of the prices as it was asked for. */
  readonly notes: readonly string[]
}

/** What a list shows of the settings: neither the tree nor the form, which may have a megabyte. */
interface ListedSettings extends Pick<StudySettings, 'strategyName' | 'variants' | 'labels'> {
  readonly request: Pick<StudyRequest, 'method'> & { readonly backtest: Pick<StudyRequest['backtest'], 'from' | 'to'> }
}

export interface StudyItem extends JobItem {
  readonly settings: ListedSettings
  /** Variants whose results are stored, and the time that all attempts worked on them. */
  readonly evaluated: number
  readonly seconds: number
}

export interface Study extends StudyItem {
  readonly settings: StudySettings
  readonly outcome: StudyOutcome | null
}

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

export type Compute = Pick<ComputePool<typeof tasks>, 'run' | 'threads'>

/** What a thread needs of a study; the prices are shared, not copied. */
export interface PreparedStudy {
  /** Threads that have read the prices of this key have them at hand. */
  readonly key: string
  readonly request: StudyRequest
  readonly data: Uint8Array
}

/** The prices of the studies that this process works on, read once for all its threads. */
export class PreparedStudies extends Prepared<number, PreparedStudy> {
  constructor(work: StudyWorkStore) {
    super(async (id) => {
      const [request, stored] = await Promise.all([work.request(id), work.data(id)])
      if (!request || !stored) throw new Problem('missing', 'study.missing', 'There is no such parameter study.')
      const data = new Uint8Array(new SharedArrayBuffer(stored.length))
      data.set(stored)
      return { key: randomUUID(), request, data }
    })
  }
}
