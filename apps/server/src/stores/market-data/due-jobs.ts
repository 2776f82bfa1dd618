import type { Granularity } from '@tradewright/core/granularity'
import { enqueueJob } from '../../jobs/enqueue-job.ts'
import type { JobStore } from '../../jobs/ports.ts'
import type { DueJob, DueJobs } from '../../market-data/jobs/scheduler.ts'
import { COLLECTION_KIND, singletonKeyOf } from '../../market-data/jobs/run-job.ts'
import { collectionRequestKind } from '../../market-data/jobs/start-run.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

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
