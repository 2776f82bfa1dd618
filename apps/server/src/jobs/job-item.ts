import type { JobFailure, JobProgress, JobState } from './job.ts'

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
