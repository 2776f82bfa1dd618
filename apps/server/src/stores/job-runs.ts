import { randomUUID } from 'node:crypto'
import { sql, type UpdateObject } from 'kysely'
import type { ClaimedJob } from '../jobs/job.ts'
import type { JobEnding, JobRunStore, Standing } from '../jobs/ports.ts'
import type { Database, DatabaseTransaction } from './database.ts'
import { adoptJobs, sweepJobs } from './job-sweep.ts'
import { announce, isUnfinished, now, toClaimedJob, toJson, type JobDeliveries, type JobRow } from './job-rows.ts'
import type { Tables } from './tables.ts'

/** What workers read and write. A write under a claim that is not the row's any more changes nothing. */
export function createJobRunStore(database: Database, deliveries: JobDeliveries): JobRunStore {
  return {
    claim: (delivery, workerId) =>
      database.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('jobs')
          .set({
            state: 'running',
            attempts: sql`attempts + 1`,
            claim_id: randomUUID(),
            worker_id: workerId,
            started_at: sql`coalesce(started_at, now())`,
            updated_at: now,
          })
          .where('id', '=', delivery.jobId)
          .where('delivery_id', '=', delivery.id)
          .where(isUnfinished)
          .returningAll()
          .executeTakeFirst()
        if (row) await announce(transaction, row, 'changed')
        return row && toClaimedJob(row)
      }),

    report: (job, progress) => write(database, job, { progress: toJson(progress) }),

    checkpoint: (job, value, progress) =>
      write(database, job, { checkpoint: toJson(value), ...(progress && { progress: toJson(progress) }) }),

    end: (job, delivery, ending, progress) =>
      database.transaction().execute(async (transaction) => {
        await deliveries.settle(transaction, delivery)
        const row = await update(transaction, job, {
          ...endingColumns(ending),
          ...(progress && { progress: toJson(progress) }),
        })
        if (row) await announce(transaction, row, 'ended')
      }),

    requeue: (job, delivery, { afterSeconds, isAttempt }) =>
      database.transaction().execute(async (transaction) => {
        await deliveries.settle(transaction, delivery)
        const id = randomUUID()
        const attempts = isAttempt ? job.attempts : job.attempts - 1
        const row = await update(transaction, job, { state: 'queued', delivery_id: id, claim_id: null, attempts })
        if (!row) return
        await deliveries.send(transaction, [{ id, jobId: job.id, kind: job.kind, userId: job.userId, afterSeconds }])
        await announce(transaction, row, 'queued')
      }),

    async cancelRequested(jobs) {
      const ids = jobs.map(({ id }) => id)
      const rows = await database
        .selectFrom('jobs')
        .select('id')
        .where('id', 'in', ids)
        .where('cancel_requested', '=', true)
        .execute()
      return rows.map(({ id }) => id)
    },

    sweep: () => sweepJobs(database, deliveries),
    adopt: () => adoptJobs(database, deliveries),
  }
}

function endingColumns(ending: JobEnding): Changes {
  const common = { state: ending.state, finished_at: now }
  if (ending.state === 'completed') return { ...common, result: toJson(ending.result), checkpoint: null }
  if (ending.state === 'failed') return { ...common, error: toJson(ending.error) }
  return common
}

type Changes = UpdateObject<Tables, 'jobs'>
type JobStanding = Pick<JobRow, 'id' | 'user_id' | 'kind' | 'cancel_requested'>

async function write(database: Database, job: ClaimedJob, changes: Changes): Promise<Standing> {
  return database.transaction().execute(async (transaction) => {
    const row = await update(transaction, job, changes)
    if (!row) return 'lost'
    await announce(transaction, row, 'changed')
    return row.cancel_requested ? 'cancel requested' : 'held'
  })
}

/** Answers what has to be known of it then, not what may be large: its input and its result. */
function update(transaction: DatabaseTransaction, job: ClaimedJob, changes: Changes): Promise<JobStanding | undefined> {
  return transaction
    .updateTable('jobs')
    .set({ ...changes, updated_at: now })
    .where('id', '=', job.id)
    .where('claim_id', '=', job.claimId)
    .where('state', '=', 'running')
    .returning(['id', 'user_id', 'kind', 'cancel_requested'])
    .executeTakeFirst()
}
