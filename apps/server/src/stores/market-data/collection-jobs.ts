import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Granularity } from '@tradewright/core/granularity'
import type { CollectionJobKind, CollectionJobSettings, JobStanding } from '../../market-data/jobs/collection-job.ts'
import type { CollectionJobStore, JobWithStanding } from '../../market-data/jobs/ports.ts'
import { COLLECTION_KIND } from '../../market-data/jobs/run-job.ts'
import { runsAsTheyStand } from './collection-runs.ts'
import { removeForUndo } from '../deletions/deleted-rows.ts'
import type { Database } from '../database.ts'
import { now, toJson } from '../jobs/job-rows.ts'
import type { Tables } from '../tables.ts'

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
