import { sql, type Selectable, type SqlBool } from 'kysely'
import {
  JOB_CHANGES,
  type JobChange,
  type ClaimedJob,
  type Job,
  type JobFailure,
  type JobProgress,
  type JobState,
  type JobItem,
  type JobItemEnd,
  type Delivery,
} from '../../jobs/job.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

export type JobRow = Selectable<Tables['jobs']>

/** How the carrier's messages are written together with the rows they stand for. */
export interface JobDeliveries {
  /** Sends messages; those of one kind are taken in this order. */
  send(transaction: DatabaseTransaction, messages: readonly NewDelivery[]): Promise<void>
  settle(transaction: DatabaseTransaction, delivery: Delivery): Promise<void>
  /** Which of these messages still wait or are at work. */
  living(database: Database, deliveryIds: string[]): Promise<Set<string>>
}

export interface NewDelivery {
  id: string
  jobId: string
  kind: string
  userId: number
  afterSeconds: number
}

export function toJob(row: JobRow): Job {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind,
    subject: row.subject,
    input: row.input,
    state: row.state as JobState,
    progress: row.progress as JobProgress | null,
    checkpoint: row.checkpoint,
    result: row.result,
    error: row.error as JobFailure | null,
    attempts: row.attempts,
    cancelRequested: row.cancel_requested,
    createdAt: row.created_at,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  }
}

export const toClaimedJob = (row: JobRow): ClaimedJob => ({
  ...toJob(row),
  claimId: row.claim_id!,
  traceParent: row.trace_parent,
})

/** Null stays the database's null: a JSON null would count as a value. */
export const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

export const now = sql<Date>`now()`
export const isUnfinished = sql<SqlBool>`state IN ('queued', 'running')`

/**
 * Among what a statement returns of the rows it changed: tells every process of them. Told at commit, so that a change
 * is never announced before it can be read.
 */
export const announced = (what: JobChange['what']) =>
  sql<string>`pg_notify(${JOB_CHANGES}, json_build_object(
    'job', jobs.id, 'user', jobs.user_id, 'kind', jobs.kind, 'what', ${what}::text
  )::text)`.as('announced')

/** A store may stand on the database or on a caller's transaction, of which it then becomes a part. */
export function inTransaction<Result>(
  database: Database | DatabaseTransaction,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return database.isTransaction ? work(database as DatabaseTransaction) : database.transaction().execute(work)
}

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
