import type { JobFailure, JobProgress, JobState } from '../../jobs/job.ts'
import type { JobItem, JobItemEnd } from '../../jobs/job-item.ts'

/** Columns of a query that calls the items' table `own` and the jobs `job`. */
export const JOB_ITEM_COLUMNS = [
  'own.id',
  'own.user_id',
  'own.job_id',
  'own.ended_as',
  'own.error',
  'own.created_at',
  'own.finished_at',
  'job.state as job_state',
  'job.progress as job_progress',
  'job.error as job_error',
] as const

interface JobItemRow {
  id: number
  user_id: number
  job_id: string | null
  ended_as: string | null
  error: string | null
  created_at: Date
  finished_at: Date | null
  job_state: string | null
  job_progress: unknown
  job_error: unknown
}

export const toJobItem = (row: JobItemRow): JobItem => ({
  id: row.id,
  userId: row.user_id,
  jobId: row.job_id,
  endedAs: row.ended_as as JobItemEnd | null,
  error: row.error,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
  job:
    row.job_state === null
      ? null
      : {
          state: row.job_state as JobState,
          progress: row.job_progress as JobProgress | null,
          error: row.job_error as JobFailure | null,
        },
})

/** One that no job works on yet. */
export const newJobItem = (userId: number, settings: object, at: Date) => ({
  user_id: userId,
  order: JSON.stringify(settings),
  job_id: null,
  ended_as: null,
  error: null,
  outcome: null,
  created_at: at,
  finished_at: null,
})
