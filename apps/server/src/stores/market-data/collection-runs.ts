import { sql } from 'kysely'
import type { CollectionRun, LayerCounts, RunStatus } from '../../market-data/jobs/collection-job.ts'
import type { CollectionRunStore } from '../../market-data/jobs/ports.ts'
import type { Database } from '../database.ts'

/**
 * Runs as they stand: one whose work in the queue has ended, or is gone, without a record by the run itself has failed,
 * or was cancelled. A process that dies cannot write one.
 */
export const runsAsTheyStand = sql`
  SELECT run.id, run.user_id, run.collection_job_id, run.job_name, run.provider, run.store, run.started_at,
         run.records_fetched, run.records_stored, run.layer_counts, run.run_counts, run.message,
         CASE WHEN NOT lost.is_lost THEN run.status
              WHEN work.state = 'cancelled' THEN 'cancelled' ELSE 'failed' END AS status,
         CASE WHEN lost.is_lost THEN coalesce(work.finished_at, run.started_at) ELSE run.completed_at END
           AS completed_at,
         CASE WHEN NOT lost.is_lost THEN run.error_message
              WHEN work.state = 'cancelled' THEN NULL
              ELSE coalesce(work.error->>'message', 'The run was interrupted.') END AS error_message
  FROM collection_runs AS run
  LEFT JOIN jobs AS work ON work.id = run.queue_job_id
  CROSS JOIN LATERAL (
    SELECT run.status = 'running' AND coalesce(work.state NOT IN ('queued', 'running'), true) AS is_lost
  ) AS lost`

interface Row {
  id: number
  collection_job_id: number
  job_name: string
  provider: string | null
  store: string
  status: RunStatus
  started_at: Date
  completed_at: Date | null
  records_fetched: number
  records_stored: number
  layer_counts: LayerCounts
  run_counts: LayerCounts
  message: string | null
  error_message: string | null
}

const NONE = JSON.stringify({ bronze: 0, silver: 0, gold: 0 })

export function createCollectionRunStore(database: Database): CollectionRunStore {
  return {
    async list(userId, limit) {
      const { rows } = await sql<Row>`
        SELECT * FROM (${runsAsTheyStand} WHERE run.user_id = ${userId} ORDER BY run.id DESC LIMIT ${limit}) AS newest
        ORDER BY id DESC`.execute(database)
      return rows.map(toRun)
    },

    async begin(job, { queueJobId, providerName, startedAt }) {
      const { id } = await database
        .insertInto('collection_runs')
        .values({
          user_id: job.userId,
          collection_job_id: job.id,
          queue_job_id: queueJobId,
          job_name: job.name,
          provider: providerName,
          store: job.storeName,
          status: 'running',
          started_at: startedAt,
          completed_at: null,
          records_fetched: 0,
          records_stored: 0,
          layer_counts: NONE,
          run_counts: NONE,
          message: null,
          error_message: null,
        })
        .onConflict((conflict) =>
          conflict.column('queue_job_id').doUpdateSet({ status: 'running', completed_at: null, error_message: null }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    async end(runId, outcome) {
      await database
        .updateTable('collection_runs')
        .set({
          status: outcome.status,
          completed_at: outcome.completedAt,
          records_fetched: outcome.recordsFetched,
          records_stored: outcome.recordsStored,
          layer_counts: JSON.stringify(outcome.layerCounts),
          run_counts: JSON.stringify(outcome.runCounts),
          message: outcome.message,
          error_message: outcome.errorMessage,
        })
        .where('id', '=', runId)
        .execute()
    },
  }
}

const toRun = (row: Row): CollectionRun => ({
  id: row.id,
  jobId: row.collection_job_id,
  jobName: row.job_name,
  provider: row.provider,
  store: row.store,
  status: row.status,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  recordsFetched: row.records_fetched,
  recordsStored: row.records_stored,
  layerCounts: row.layer_counts,
  runCounts: row.run_counts,
  message: row.message,
  errorMessage: row.error_message,
})
