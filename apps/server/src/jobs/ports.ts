import type { ClaimedJob, Job, JobFailure, JobProgress, NewJob, UnfinishedJob } from './job.ts'
import type { RunCount } from './run-limit.ts'

/** A message of the carrier: this job may begin. */
export interface Delivery {
  id: string
  jobId: string
  kind: string
  /** Counts deliveries of the same message; an older one is void. */
  redelivery: number
}

export interface JobTurn {
  userId: number
  /** Jobs of the kind that are under way, in any process. */
  atWork: number
}

/** Brings each job to exactly one worker at a time, and again to another when that worker falls silent. */
export interface JobCarrier {
  /** Users who have a job of that kind that may begin: those with the fewest at work come first, then who waited longest. */
  turns(kind: string): Promise<JobTurn[]>
  /** The next job of that kind, if there is one, passing over those users' jobs. */
  claim(kind: string, passOverUsers: number[]): Promise<Delivery | undefined>
  /** Says that we are alive and at work; answers those deliveries that are no longer ours. */
  keep(deliveries: Delivery[]): Promise<Delivery[]>
  /** Throws a delivery away that no job waits for. */
  discard(delivery: Delivery): Promise<void>
}

export type JobEnding =
  { state: 'completed'; result: unknown } | { state: 'failed'; error: JobFailure } | { state: 'cancelled' }

/** The outcome of a write under a claim: whether it landed, and whether the user wants the job to stop. */
export type Standing = 'held' | 'cancel requested' | 'lost'

/** The jobs, as the use cases see them. Each change is announced to every process. */
export interface JobStore {
  /**
   * Adds the job and its delivery in one transaction; an unfinished job with the same singleton key is returned instead.
   * A limited one that is too much throws a `Problem`.
   */
  add(job: NewJob): Promise<{ job: Job; isNew: boolean }>
  /** Adds jobs without a singleton key in one transaction, to be taken in this order. */
  addAll(jobs: readonly NewJob[]): Promise<Job[]>
  findOwned(userId: number, id: string): Promise<Job | undefined>
  /** The newest of a kind about this subject. */
  findBySubject(userId: number, kind: string, subject: string): Promise<Job | undefined>
  /** The user's jobs among these ids, in any order. */
  findAllOwned(userId: number, ids: readonly string[]): Promise<Job[]>
  /** Oldest first, without pieces of other jobs. */
  listUnfinished(userId: number, limit: number): Promise<UnfinishedJob[]>
  /** Pieces of a job count with it. */
  countUnfinished(userId: number): Promise<RunCount>
  /** Ends a queued job at once and asks a running one to stop; a finished one stays as it is. */
  requestCancel(userId: number, id: string): Promise<Job | undefined>
  /** The same for every unfinished job of a kind about this subject. */
  cancelAll(userId: number, kind: string, subject: string): Promise<void>
}

/** The jobs, as a worker sees them. */
export interface JobRunStore {
  /** Begins the job, unless the delivery is stale or the job has ended. */
  claim(delivery: Delivery, workerId: string): Promise<ClaimedJob | undefined>
  saveProgress(job: ClaimedJob, progress: JobProgress): Promise<Standing>
  checkpoint(job: ClaimedJob, value: unknown, progress: JobProgress | null): Promise<Standing>
  /** Ends the job and settles its delivery in one transaction; without effect once the claim is lost. */
  end(job: ClaimedJob, delivery: Delivery, ending: JobEnding, progress: JobProgress | null): Promise<void>
  /** Puts the job back in the queue; the run counts as an attempt only when it failed. */
  requeue(job: ClaimedJob, delivery: Delivery, options: { afterSeconds: number; isAttempt: boolean }): Promise<void>
  /** Takes back the attempt of a run that another one took over from although its process lives. */
  uncount(job: ClaimedJob): Promise<void>
  cancelRequested(jobs: ClaimedJob[]): Promise<string[]>
  /** Delivers again jobs that lost their message, and forgets jobs that ended long ago. */
  sweep(): Promise<void>
  /** Delivers again at once what is marked as running, for a process that knows it is the only one. */
  adopt(): Promise<void>
}

/** Messages between processes, as far as jobs need them. */
export interface JobMessages {
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<void>
}
