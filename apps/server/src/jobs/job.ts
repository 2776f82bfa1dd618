import type { Problem, ProblemKind } from '@tradewright/core/problem'

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
