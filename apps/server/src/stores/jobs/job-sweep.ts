import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import type { Database } from '../database.ts'
import { announced, isUnfinished, now, type JobDeliveries } from './job-rows.ts'

const BATCH = 1000

/**
 * A job without a message would wait, or seem to run, for ever. That cannot come from us, since both are written
 * together; it can come from a restored backup or from an operator who emptied the queue.
 */
export async function sweepJobs(database: Database, deliveries: JobDeliveries): Promise<void> {
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
export async function adoptJobs(database: Database, deliveries: JobDeliveries): Promise<void> {
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
