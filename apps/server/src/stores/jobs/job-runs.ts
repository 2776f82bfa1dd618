import { randomUUID } from 'node:crypto'
import { sql, type UpdateObject, type SqlBool } from 'kysely'
import type { JobChange, ClaimedJob, JobEnding, JobRunStore, Standing } from '../../jobs/job.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { purgeDeletedRows } from '../deletions/deleted-rows.ts'
import { putJobEvent } from '../alerts/outgoing-events.ts'
import { announced, isUnfinished, now, toClaimedJob, toJson, type JobDeliveries, type JobRow } from './job-rows.ts'
import type { Tables } from '../tables.ts'

/** Reads and writes of workers. A write under a claim that the row no longer has changes nothing. */
export function createJobRunStore(database: Database, deliveries: JobDeliveries): JobRunStore {
  return {
    async claim(delivery, workerId) {
      const row = await database
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
        .returning(announced('changed'))
        .executeTakeFirst()
      return row && toClaimedJob(row)
    },

    saveProgress: (job, progress) => write(database, job, { progress: toJson(progress) }),

    checkpoint: (job, value, progress) =>
      write(database, job, { checkpoint: toJson(value), ...(progress && { progress: toJson(progress) }) }),

    end: (job, delivery, ending, progress) =>
      database.transaction().execute(async (transaction) => {
        await deliveries.settle(transaction, delivery)
        const ended = await update(transaction, job, 'ended', {
          ...endingColumns(ending),
          ...(progress && { progress: toJson(progress) }),
        })
        if (ended) await putJobEvent(transaction, job, ending)
      }),

    requeue: (job, delivery, { afterSeconds, isAttempt }) =>
      database.transaction().execute(async (transaction) => {
        await deliveries.settle(transaction, delivery)
        const id = randomUUID()
        const attempts = isAttempt ? {} : { attempts: sql<number>`attempts - 1` }
        const changes = { state: 'queued', delivery_id: id, claim_id: null, ...attempts }
        if (!(await update(transaction, job, 'queued', changes))) return
        await deliveries.send(transaction, [{ id, jobId: job.id, kind: job.kind, userId: job.userId, afterSeconds }])
      }),

    async uncount({ id }) {
      await database
        .updateTable('jobs')
        .set({ attempts: sql`attempts - 1` })
        .where('id', '=', id)
        .where(isUnfinished)
        .execute()
    },

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

    async sweep() {
      await sweepJobs(database, deliveries)
      await purgeDeletedRows(database)
    },
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

async function write(database: Database, job: ClaimedJob, changes: Changes): Promise<Standing> {
  const row = await update(database, job, 'changed', changes)
  if (!row) return 'lost'
  return row.cancel_requested ? 'cancel requested' : 'held'
}

/** Changes the job's row, without effect once the claim is lost. */
function update(
  database: Database | DatabaseTransaction,
  job: ClaimedJob,
  what: JobChange['what'],
  changes: Changes,
): Promise<Pick<JobRow, 'cancel_requested'> | undefined> {
  return database
    .updateTable('jobs')
    .set({ ...changes, updated_at: now })
    .where('id', '=', job.id)
    .where('claim_id', '=', job.claimId)
    .where('state', '=', 'running')
    .returning(['cancel_requested', announced(what)])
    .executeTakeFirst()
}

const BATCH = 1000

/**
 * A job without a message would wait, or seem to run, for ever. That cannot come from us, since both are written
 * together; it can come from a restored backup or from an operator who emptied the queue.
 */
async function sweepJobs(database: Database, deliveries: JobDeliveries): Promise<void> {
  await deliverAgain(database, deliveries)
  await database
    .deleteFrom('jobs')
    .where(sql<SqlBool>`finished_at < now() - interval '90 days'`)
    .execute()
}

async function deliverAgain(database: Database, deliveries: JobDeliveries): Promise<void> {
  const quiet = await unfinished(database)
    .where(sql<SqlBool>`updated_at < now() - interval '1 minute'`)
    .orderBy('updated_at')
    .limit(BATCH)
    .execute()
  if (quiet.length === 0) return
  const living = await deliveries.living(
    database,
    quiet.map((row) => row.delivery_id),
  )
  for (const row of quiet) if (!living.has(row.delivery_id)) await sendAnew(database, deliveries, row)
}

/**
 * A job marked as running while the only process begins cannot run: the process before it was killed. This saves
 * waiting until its silence is noticed.
 */
async function adoptJobs(database: Database, deliveries: JobDeliveries): Promise<void> {
  const orphans = await unfinished(database).where('state', '=', 'running').execute()
  for (const row of orphans) await sendAnew(database, deliveries, row)
}

const unfinished = (database: Database) =>
  database.selectFrom('jobs').select(['id', 'user_id', 'kind', 'delivery_id']).where(isUnfinished)

type Undelivered = Awaited<ReturnType<ReturnType<typeof unfinished>['executeTakeFirstOrThrow']>>

function sendAnew(database: Database, deliveries: JobDeliveries, row: Undelivered): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const id = randomUUID()
    const changed = await transaction
      .updateTable('jobs')
      .set({ state: 'queued', delivery_id: id, claim_id: null, updated_at: now })
      .where('id', '=', row.id)
      // Another process may be sweeping: who changes the delivery first sends it.
      .where('delivery_id', '=', row.delivery_id)
      .where(isUnfinished)
      .returning(announced('queued'))
      .executeTakeFirst()
    if (!changed) return
    await deliveries.send(transaction, [{ id, jobId: row.id, kind: row.kind, userId: row.user_id, afterSeconds: 0 }])
  })
}
