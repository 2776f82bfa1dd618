import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import type { Job, JobProgress, NewJob, UnfinishedJob, JobStore } from '../../jobs/job.ts'
import { traceParent } from '../../observe/tracing.ts'
import { type RunCount, RunLimit } from '../../jobs/run-limit.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { putJobEvent } from '../alerts/outgoing-events.ts'
import {
  announced,
  inTransaction,
  isUnfinished,
  now,
  toJob,
  toJson,
  type JobDeliveries,
  type JobRow,
} from './job-rows.ts'
import type { IdempotentCallStore } from '../../jobs/idempotent-calls.ts'

/** Given a transaction, the job is added with everything else in it, or not at all. */
export function createJobStore(
  database: Database | DatabaseTransaction,
  deliveries: JobDeliveries,
  limit: RunLimit = new RunLimit(Infinity),
): JobStore {
  return {
    add: (job) =>
      inTransaction(database, async (transaction) => {
        // Two calls at the same moment are counted one after the other.
        if (job.isLimited) await sql`SELECT pg_advisory_xact_lock(${RUN_LOCK}, ${job.userId})`.execute(transaction)
        const before = job.isLimited && (await countUnfinished(transaction, limit, job.userId))
        const added = await add(transaction, deliveries, job)
        if (before && added.isNew) limit.check(job.userId, before)
        return added
      }),
    countUnfinished: (userId) => countUnfinished(database, limit, userId),
    addAll: (jobs) => inTransaction(database, (transaction) => addAll(transaction, deliveries, jobs)),

    async findOwned(userId, id) {
      const row = await database
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row && toJob(row)
    },

    async findBySubject(userId, kind, subject) {
      const row = await database
        .selectFrom('jobs')
        .selectAll()
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toJob(row)
    },

    async findAllOwned(userId, ids) {
      const rows = await database
        .selectFrom('jobs')
        .selectAll()
        .where('id', 'in', ids)
        .where('user_id', '=', userId)
        .execute()
      return rows.map(toJob)
    },

    async listUnfinished(userId, count) {
      const rows = await database
        .selectFrom('jobs')
        .select([
          'id',
          'kind',
          'subject',
          'state',
          'progress',
          'created_at',
          sql<string | null>`nullif(input ->> 'strategyName', '')`.as('strategy_name'),
        ])
        .where('user_id', '=', userId)
        .where(isUnfinished)
        .where(isWhole(limit))
        .orderBy('created_at')
        .orderBy('id')
        .limit(count)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        subject: row.subject,
        state: row.state as UnfinishedJob['state'],
        progress: row.progress as JobProgress | null,
        createdAt: row.created_at,
        strategyName: row.strategy_name,
      }))
    },

    requestCancel: (userId, id) => inTransaction(database, (transaction) => requestCancel(transaction, userId, id)),

    cancelAll: (userId, kind, subject) =>
      inTransaction(database, async (transaction) => {
        const rows = await transaction
          .updateTable('jobs')
          .set({
            cancel_requested: true,
            updated_at: now,
            state: sql`CASE state WHEN 'queued' THEN 'cancelled' ELSE state END`,
            finished_at: sql`CASE state WHEN 'queued' THEN ${now} END`,
          })
          .where('user_id', '=', userId)
          .where('kind', '=', kind)
          .where('subject', '=', subject)
          .where(isUnfinished)
          .returningAll()
          .returning(announced('cancel'))
          .execute()
        for (const row of rows) {
          if (row.state === 'cancelled') await putJobEvent(transaction, toJob(row), { state: 'cancelled' })
        }
      }),
  }
}

/** One of the numbers that advisory locks of this program begin with. */
const RUN_LOCK = 1_917

/** Not a piece of another job. */
const isWhole = ({ pieceKinds }: RunLimit) => sql<SqlBool>`kind <> ALL (${[...pieceKinds]}::text[])`

async function countUnfinished(
  database: Database | DatabaseTransaction,
  limit: RunLimit,
  userId: number,
): Promise<RunCount> {
  const { queued, running } = await database
    .selectFrom('jobs')
    .select([
      sql<number>`count(*) FILTER (WHERE state = 'queued')::int`.as('queued'),
      sql<number>`count(*) FILTER (WHERE state = 'running')::int`.as('running'),
    ])
    .where('user_id', '=', userId)
    .where(isUnfinished)
    .where(isWhole(limit))
    .executeTakeFirstOrThrow()
  return { queued, running }
}

async function add(
  transaction: DatabaseTransaction,
  deliveries: JobDeliveries,
  job: NewJob,
): Promise<{ job: Job; isNew: boolean }> {
  const row = await transaction
    .insertInto('jobs')
    .values(newRow(job))
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind', 'singleton_key'])
        .where('singleton_key', 'is not', null)
        .where(isUnfinished)
        .doNothing(),
    )
    .returningAll()
    .returning(announced('queued'))
    .executeTakeFirst()
  if (!row) return { job: await unfinishedWithKey(transaction, job), isNew: false }
  await deliver(transaction, deliveries, [row])
  return { job: toJob(row), isNew: true }
}

async function addAll(
  transaction: DatabaseTransaction,
  deliveries: JobDeliveries,
  jobs: readonly NewJob[],
): Promise<Job[]> {
  if (jobs.length === 0) return []
  const wanted = jobs.map(newRow)
  const added = await transaction
    .insertInto('jobs')
    .values(wanted)
    .returningAll()
    .returning(announced('queued'))
    .execute()
  // SQL promises no order.
  const byId = new Map(added.map((row) => [row.id, row]))
  const rows = wanted.map(({ id }) => byId.get(id)!)
  await deliver(transaction, deliveries, rows)
  return rows.map(toJob)
}

async function deliver(
  transaction: DatabaseTransaction,
  deliveries: JobDeliveries,
  rows: readonly JobRow[],
): Promise<void> {
  const messages = rows.map((row) => ({
    id: row.delivery_id,
    jobId: row.id,
    kind: row.kind,
    userId: row.user_id,
    afterSeconds: 0,
  }))
  await deliveries.send(transaction, messages)
}

const newRow = (job: NewJob) => ({
  id: randomUUID(),
  user_id: job.userId,
  kind: job.kind,
  subject: job.subject,
  singleton_key: job.singletonKey,
  input: JSON.stringify(job.input),
  state: 'queued',
  progress: toJson(null),
  checkpoint: toJson(null),
  result: toJson(null),
  error: toJson(null),
  attempts: 0,
  cancel_requested: false,
  delivery_id: randomUUID(),
  claim_id: null,
  worker_id: null,
  created_at: now,
  started_at: null,
  updated_at: now,
  finished_at: null,
  trace_parent: traceParent(),
})

async function unfinishedWithKey(transaction: DatabaseTransaction, job: NewJob): Promise<Job> {
  const row = await transaction
    .selectFrom('jobs')
    .selectAll()
    .where('user_id', '=', job.userId)
    .where('kind', '=', job.kind)
    .where('singleton_key', '=', job.singletonKey)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return toJob(row)
}

async function requestCancel(transaction: DatabaseTransaction, userId: number, id: string): Promise<Job | undefined> {
  const row = await transaction
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!row || (row.state !== 'queued' && row.state !== 'running')) return row && toJob(row)
  const changed = await transaction
    .updateTable('jobs')
    .set({
      cancel_requested: true,
      updated_at: now,
      ...(row.state === 'queued' && { state: 'cancelled', finished_at: now }),
    })
    .where('id', '=', id)
    .returningAll()
    .returning(announced('cancel'))
    .executeTakeFirstOrThrow()
  const job = toJob(changed)
  if (row.state === 'queued') await putJobEvent(transaction, job, { state: 'cancelled' })
  return job
}

export function createIdempotentCallStore(database: Database): IdempotentCallStore {
  return {
    async begin({ userId, key, fingerprint }, now) {
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('idempotent_calls')
        .values({ user_id: userId, key, fingerprint, begun_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 1n) return undefined
      const row = await database
        .selectFrom('idempotent_calls')
        .select(['fingerprint', 'finished_at', 'answer'])
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .executeTakeFirst()
      // Forgotten at this very moment: told as unfinished, so that the client asks again.
      if (!row) return { fingerprint, isFinished: false, answer: null }
      return { fingerprint: row.fingerprint, isFinished: row.finished_at !== null, answer: row.answer }
    },
    async finish({ userId, key }, answer, now) {
      await database
        .updateTable('idempotent_calls')
        .set({ answer, finished_at: now })
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .execute()
    },
    async forget({ userId, key }) {
      await database.deleteFrom('idempotent_calls').where('user_id', '=', userId).where('key', '=', key).execute()
    },
    async removeOld(before) {
      await database.deleteFrom('idempotent_calls').where('begun_at', '<', before).execute()
    },
  }
}
