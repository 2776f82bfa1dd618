import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Granularity } from '@tradewright/core/granularity'
import type {
  CollectionJobKind,
  CollectionJobSettings,
  JobStanding,
  CollectionJobStore,
  JobWithStanding,
  CollectionRun,
  LayerCounts,
  RunStatus,
  CollectionRunStore,
} from '../../market-data/jobs/collection-job.ts'
import { COLLECTION_KIND, singletonKeyOf } from '../../market-data/jobs/run-job.ts'
import { removeForUndo } from '../deletions/deleted-rows.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { now, toJson } from '../jobs/job-rows.ts'
import type { Tables } from '../tables.ts'
import { enqueueJob } from '../../jobs/job-watch.ts'
import type { JobStore } from '../../jobs/job.ts'
import { type DueJob, type DueJobs, collectionRequestKind } from '../../market-data/jobs/scheduler.ts'

interface Row extends Selectable<Tables['collection_jobs']> {
  store_name: string
  work_id: string | null
  progress: JobStanding['progress']
  last_status: JobStanding['status'] | null
  last_error: string | null
  last_started_at: Date | null
  total_records: number
  successful_runs: number
  failed_runs: number
}

/** Jobs with how they stand, which is nowhere stored but in their runs and in the queue. */
const jobsWithStanding = (where: RawBuilder<unknown>) => sql<Row>`
  SELECT job.*, store.name AS store_name,
         newest.status AS last_status, newest.error_message AS last_error, newest.started_at AS last_started_at,
         totals.total_records, totals.successful_runs, totals.failed_runs,
         work.id AS work_id, work.progress
  FROM collection_jobs AS job
  JOIN data_stores AS store ON store.id = job.data_store_id
  LEFT JOIN LATERAL (
    ${runsAsTheyStand} WHERE run.collection_job_id = job.id ORDER BY run.id DESC LIMIT 1
  ) AS newest ON true
  LEFT JOIN LATERAL (
    SELECT id, progress FROM jobs
    WHERE user_id = job.user_id AND kind = ${COLLECTION_KIND} AND singleton_key = 'collection-job-' || job.id
      AND state IN ('queued', 'running')
    LIMIT 1
  ) AS work ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(records_stored), 0)::bigint AS total_records,
           count(*) FILTER (WHERE status = 'completed') AS successful_runs,
           count(*) FILTER (WHERE status = 'failed') AS failed_runs
    FROM (${runsAsTheyStand} WHERE run.collection_job_id = job.id) AS own
  ) AS totals
  WHERE ${where}
  ORDER BY job.is_system, job.id`

export function createCollectionJobStore(database: Database): CollectionJobStore {
  const names = (userId: number) =>
    database.selectFrom('collection_jobs').select('name').where('user_id', '=', userId).orderBy('id')
  async function find(userId: number, id: number): Promise<JobWithStanding | undefined> {
    const { rows } = await jobsWithStanding(sql`job.user_id = ${userId} AND job.id = ${id}`).execute(database)
    return rows[0] && toJob(rows[0])
  }
  return {
    find,
    async list(userId) {
      const { rows } = await jobsWithStanding(sql`job.user_id = ${userId}`).execute(database)
      return rows.map(toJob)
    },

    async insert(userId, job, nextRunAt) {
      const { id } = await database
        .insertInto('collection_jobs')
        .values({ ...toColumns(job), user_id: userId, is_system: false, next_run_at: nextRunAt, created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      return (await find(userId, id))!
    },

    async addSystemJob(userId, job, nextRunAt) {
      await database
        .insertInto('collection_jobs')
        .values({ ...toColumns(job), user_id: userId, is_system: true, next_run_at: nextRunAt, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    async update(userId, id, job, nextRunAt) {
      await database
        .updateTable('collection_jobs')
        .set({ ...toColumns(job), next_run_at: nextRunAt })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .execute()
      return find(userId, id)
    },

    remove: (userId, id) => removeForUndo(database, 'collection-job', userId, id),

    async namesUsingStore(userId, storeId) {
      const rows = await names(userId).where('data_store_id', '=', storeId).execute()
      return rows.map(({ name }) => name)
    },

    async namesUsingProvider(userId, providerId) {
      const rows = await names(userId).where('provider_id', '=', providerId).execute()
      return rows.map(({ name }) => name)
    },
  }
}

const toColumns = (job: CollectionJobSettings) => ({
  name: job.name,
  job_kind: job.jobKind,
  provider_id: job.providerId,
  data_store_id: job.dataStoreId,
  tickers: [...job.tickers],
  data_granularity: job.granularity,
  categories: [...job.categories],
  dates: JSON.stringify(job.dates),
  schedule: toJson(job.schedule),
  additional_params: JSON.stringify(job.additionalParams),
  transform_config: toJson(job.transformConfig),
  depends_on_job_ids: [...job.dependsOnJobIds],
})

const toJob = (row: Row): JobWithStanding => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  isSystem: row.is_system,
  jobKind: row.job_kind as CollectionJobKind,
  providerId: row.provider_id,
  dataStoreId: row.data_store_id,
  storeName: row.store_name,
  tickers: row.tickers,
  granularity: row.data_granularity as Granularity,
  categories: row.categories,
  dates: row.dates,
  schedule: row.schedule,
  additionalParams: row.additional_params,
  transformConfig: row.transform_config,
  dependsOnJobIds: row.depends_on_job_ids,
  nextRunAt: row.next_run_at,
  standing: {
    status: row.work_id ? 'running' : (row.last_status ?? 'pending'),
    workId: row.work_id,
    progress: row.progress,
    errorMessage: row.last_error,
    lastRun: row.last_started_at,
    totalRecords: row.total_records,
    successfulRuns: row.successful_runs,
    failedRuns: row.failed_runs,
  },
})

const BATCH = 100

/** Rows are locked while they are decided on; other processes pass over them, so each job starts once. */
export function createDueJobs(
  database: Database,
  queueWithin: (transaction: DatabaseTransaction) => JobStore,
): DueJobs {
  return {
    start: (now, decide) =>
      database.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('collection_jobs')
          .selectAll()
          .where('next_run_at', '<=', now)
          .orderBy('next_run_at')
          .limit(BATCH)
          .forUpdate()
          .skipLocked()
          .execute()
        const dueIds = new Set(rows.map(({ id }) => id))
        let started = 0
        for (const row of rows) {
          if (!row.schedule) continue
          const waitsForDue = row.depends_on_job_ids.some((id) => dueIds.has(id))
          const job: DueJob = {
            id: row.id,
            userId: row.user_id,
            name: row.name,
            granularity: row.data_granularity as Granularity,
            schedule: row.schedule,
            isBlocked: waitsForDue || (await isAnyAtWork(transaction, row.user_id, row.depends_on_job_ids)),
          }
          const next = decide(job)
          if (next === undefined) continue
          await transaction.updateTable('collection_jobs').set({ next_run_at: next }).where('id', '=', job.id).execute()
          await enqueueJob({ jobs: queueWithin(transaction) }, collectionRequestKind, {
            userId: job.userId,
            subject: job.name,
            input: { collectionJobId: job.id },
            singletonKey: singletonKeyOf(job.id),
          })
          started++
        }
        return started
      }),
  }
}

async function isAnyAtWork(transaction: DatabaseTransaction, userId: number, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return false
  const row = await transaction
    .selectFrom('jobs')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', COLLECTION_KIND)
    .where('singleton_key', 'in', ids.map(singletonKeyOf))
    .where('state', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Runs as they stand: one whose work in the queue has ended, or is gone, without a record by the run itself has failed,
 * or was cancelled. A process that dies cannot write one.
 */
const runsAsTheyStand = sql`
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

interface RunRow {
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
      const { rows } = await sql<RunRow>`
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

const toRun = (row: RunRow): CollectionRun => ({
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
