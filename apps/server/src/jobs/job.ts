import type { Problem, ProblemKind } from '@tradewright/core/problem'
import { z } from 'zod'
import type { Logger } from '../log.ts'
import type { RunCount } from './run-limit.ts'

export type JobState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

export function isFinished(state: JobState): boolean {
  return state !== 'queued' && state !== 'running'
}

/** How far a run is: `fraction` from 0 to 1, or null when it cannot tell; `note` is for the user to read. */
export interface JobProgress {
  fraction: number | null
  note: string
}

/** Why a job failed, stored so that the waiting call can raise the same `Problem`. */
export interface JobFailure {
  kind: ProblemKind | 'bug'
  code: string
  message: string
  /** The problem's facts; absent where it has none. */
  facts?: NonNullable<Problem['facts']>
}

export interface Job {
  id: string
  userId: number
  kind: string
  subject: string
  input: unknown
  state: JobState
  progress: JobProgress | null
  checkpoint: unknown
  result: unknown
  error: JobFailure | null
  attempts: number
  cancelRequested: boolean
  createdAt: Date
  startedAt: Date | null
  updatedAt: Date
  finishedAt: Date | null
}

/** A job that waits or runs, without its data. */
export interface UnfinishedJob extends Pick<Job, 'id' | 'kind' | 'subject' | 'progress' | 'createdAt'> {
  state: 'queued' | 'running'
  /** The strategy's name in the job's input, where it has one. */
  strategyName: string | null
}

export interface NewJob {
  userId: number
  kind: string
  subject: string
  input: unknown
  singletonKey: string | null
  /** Whether it is refused where the user has too much unfinished; what the program itself starts never is. */
  isLimited: boolean
}

/** A job that a worker has begun. Every write of that run names the claim; once another run has begun, none lands. */
export interface ClaimedJob extends Job {
  claimId: string
  /** The span of the call that put it in. */
  traceParent: string | null
}

/** A run's context besides its input. */
export interface JobContext<Checkpoint> {
  jobId: string
  userId: number
  /** How often the job was begun, this run included. */
  attempt: number
  /** Aborted when the user cancels, the process shuts down, or another worker took the job over. */
  signal: AbortSignal
  /** Throttled: at most four a second are written, so it may be called for every step. */
  reportProgress: (progress: JobProgress) => void
  /**
   * Stored when the promise resolves. A run that begins again finds the newest one in `previous`. A run that has to give
   * its place to another user's job ends here and begins again later.
   */
  checkpoint: (value: Checkpoint) => Promise<void>
  /** The checkpoint of an interrupted run, or null at the beginning. */
  previous: Checkpoint | null
  log: Logger
}

/**
 * A kind of long work. It is run at least once: a run whose worker died begins again from its checkpoint, so writes
 * outside the job must bear repetition. A `Problem` thrown ends the job; any other error is tried again, up to
 * `attemptLimit` times.
 */
export interface JobKind<Input = unknown, Checkpoint = unknown, Result = unknown> {
  kind: string
  input: z.ZodType<Input>
  /** A stored checkpoint that does not fit (an older version's) is ignored. Left out: any value fits. */
  checkpoint?: z.ZodType<Checkpoint>
  attemptLimit: number
  /** How many of this kind one process runs at once. Kinds do not take each other's places. */
  concurrency: number
  /** How many of them may be one user's: the other places are for others, however much one user queues. */
  concurrencyPerUser: number
  run(context: JobContext<Checkpoint>, input: Input): Promise<Result>
}

type Declaration<Input, Checkpoint, Result> = Omit<
  JobKind<Input, Checkpoint, Result>,
  'attemptLimit' | 'concurrency' | 'concurrencyPerUser'
> & { attemptLimit?: number; concurrency?: number; concurrencyPerUser?: number }

const ATTEMPT_LIMIT = 5
/** Jobs wait and arrange; what they compute is shared out fairly by the compute pool. */
const CONCURRENCY = 32
const CONCURRENCY_PER_USER = 4

export function defineJobKind<Input, Checkpoint = unknown, Result = unknown>(
  declaration: Declaration<Input, Checkpoint, Result>,
): JobKind<Input, Checkpoint, Result> {
  // The name is also the carrier's queue.
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(declaration.kind)) throw new RangeError(`not a job kind: ${declaration.kind}`)
  return {
    attemptLimit: ATTEMPT_LIMIT,
    concurrency: CONCURRENCY,
    concurrencyPerUser: CONCURRENCY_PER_USER,
    ...declaration,
  }
}

/** A kind whose types only it knows, as lists of kinds hold it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyJobKind = JobKind<any, any>

export type JobItemEnd = 'completed' | 'failed'
type JobItemStatus = JobItemEnd | 'running' | 'cancelled'

/** What a user started and one job works on: a parameter study, a portfolio construction. */
export interface JobItem {
  readonly id: number
  readonly userId: number
  readonly jobId: string | null
  readonly endedAs: JobItemEnd | null
  readonly error: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  /** Null where there is none, or no longer one. */
  readonly job: {
    readonly state: JobState
    readonly progress: JobProgress | null
    readonly error: JobFailure | null
  } | null
}

/** In progress while its job is. A job that ended without a record of the end was stopped, or failed with its own reason. */
export function statusOf({ endedAs, job }: Pick<JobItem, 'endedAs' | 'job'>): JobItemStatus {
  if (endedAs) return endedAs
  if (job?.state === 'queued' || job?.state === 'running') return 'running'
  return job?.state === 'failed' ? 'failed' : 'cancelled'
}

export const errorOf = ({ error, job }: JobItem): string | null => error ?? job?.error?.message ?? null

/**
 * The channel that announces every change to a job to every process. Only ids travel; an interested process reads the
 * row.
 */
export const JOB_CHANGES = 'job_changes'

const JobChange = z.object({
  job: z.string(),
  user: z.number(),
  kind: z.string(),
  what: z.enum(['queued', 'changed', 'cancel', 'ended']),
})
export type JobChange = z.infer<typeof JobChange>

/** `onGap` is called when changes may have been missed. */
export async function listenToJobChanges(
  messages: JobMessages,
  onChange: (change: JobChange) => void,
  onGap: () => void,
): Promise<void> {
  await messages.listen(
    JOB_CHANGES,
    (payload) => {
      const change = JobChange.safeParse(JSON.parse(payload))
      if (change.success) onChange(change.data)
    },
    onGap,
  )
}

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

/** Why a run is told to stop; found in `signal.reason`. */
export class StopReason extends Error {
  override readonly name = 'StopReason'
  readonly why: 'cancelled' | 'shutting down' | 'taken over' | 'giving way'

  constructor(why: StopReason['why']) {
    super(`the job's run was stopped: ${why}`)
    this.why = why
  }
}
