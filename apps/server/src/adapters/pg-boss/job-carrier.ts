import { fromKysely, PgBoss } from 'pg-boss'
import type pg from 'pg'
import { z } from 'zod'
import type { Delivery, JobCarrier } from '../../jobs/job.ts'
import type { Logger } from '../../log.ts'
import type { JobDeliveries, NewDelivery } from '../../stores/jobs/job-rows.ts'

/** The shortest that pg-boss allows: a killed worker's job is delivered again after this and a supervisor's pass. */
const HEARTBEAT_SECONDS = 10
const SUPERVISE_SECONDS = 2
/** pg-boss ends a delivery after a day at the latest; the job then goes on from its checkpoint. */
const EXPIRE_SECONDS = 24 * 60 * 60
const RETENTION_SECONDS = 365 * 24 * 60 * 60
/** Our own table keeps the history; settled messages are only in the way. */
const DELETE_AFTER_SECONDS = 60 * 60
/** Attempts are counted in our own table. */
const RETRY_LIMIT = 1_000_000

interface PgBossCarrier {
  carrier: JobCarrier
  deliveries: JobDeliveries
  /** Makes the queues of these kinds; without its queue a kind can be neither sent nor taken. */
  prepare(kinds: string[]): Promise<void>
  close(): Promise<void>
}

/** pg-boss as the carrier: one queue per kind, messages that hold only the job's id. It shares our connections. */
export async function startPgBossCarrier(pool: pg.Pool, log: Logger): Promise<PgBossCarrier> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: 5 * 60,
  })
  boss.on('error', (error) => log.warn({ reason: error.message }, 'job queue: a pass failed, it will be repeated'))
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'job queue'))
  await boss.start()
  return {
    carrier: carrierOf(boss, pool),
    deliveries: deliveriesOf(boss),
    async prepare(kinds) {
      for (const kind of kinds) await prepareQueue(boss, kind)
    },
    close: () => boss.stop({ graceful: false, close: false }),
  }
}

function carrierOf(boss: PgBoss, pool: pg.Pool): JobCarrier {
  return {
    async turns(kind) {
      const { rows } = await pool.query(TURNS, [kind])
      return Turns.parse(rows)
    },
    async claim(kind, passOverUsers) {
      const [message] = await boss.fetch(kind, { ignoreGroups: passOverUsers.map(String) })
      if (!message) return undefined
      const { jobId } = MessageData.parse(message.data)
      return { id: message.id, jobId, kind, redelivery: message.retryCount }
    },
    async keep(deliveries) {
      const lost: Delivery[] = []
      for (const [kind, ours] of Map.groupBy(deliveries, (delivery) => delivery.kind)) {
        const touched = Touched.parse(await boss.touch(kind, ours.map(toAttempt)))
        lost.push(...ours.filter(({ id }) => !touched.settled.includes(id)))
      }
      return lost
    },
    async discard(delivery) {
      await boss.complete(delivery.kind, toAttempt(delivery))
    },
  }
}

function deliveriesOf(boss: PgBoss): JobDeliveries {
  return {
    async send(transaction, messages) {
      const db = fromKysely(transaction)
      for (const [kind, ofKind] of Map.groupBy(messages, (message) => message.kind)) {
        await boss.insert(kind, ofKind.map(toMessage), { db })
      }
    },
    async settle(transaction, delivery) {
      await boss.complete(delivery.kind, toAttempt(delivery), null, { db: fromKysely(transaction) })
    },
    async living(database, deliveryIds) {
      const { rows } = await fromKysely(database).executeSql(
        `SELECT id FROM pgboss.job WHERE id = ANY($1::uuid[]) AND state IN ('created', 'retry', 'active')`,
        [deliveryIds],
      )
      return new Set(
        z
          .array(z.object({ id: z.string() }))
          .parse(rows)
          .map(({ id }) => id),
      )
    },
  }
}

/** Each half is served by an index of pg-boss. */
const TURNS = `
  WITH waiting AS (
    SELECT group_id, min(created_on) AS since FROM pgboss.job
    WHERE name = $1 AND state < 'active' AND NOT blocked AND start_after <= now() GROUP BY group_id
  ), at_work AS (
    SELECT group_id, count(*)::int AS jobs FROM pgboss.job
    WHERE name = $1 AND state = 'active' AND group_id IS NOT NULL GROUP BY group_id
  )
  SELECT group_id AS "userId", coalesce(jobs, 0) AS "atWork" FROM waiting LEFT JOIN at_work USING (group_id)
  ORDER BY 2, since`
const Turns = z.array(z.object({ userId: z.coerce.number(), atWork: z.number() }))

const MessageData = z.object({ jobId: z.string() })
/** The vendor's types do not name it: the ids that the call reached. */
const Touched = z.object({ settled: z.array(z.string()) })

const toMessage = ({ id, jobId, userId, afterSeconds }: NewDelivery) => ({
  id,
  data: { jobId },
  startAfter: afterSeconds,
  group: { id: String(userId) },
})
const toAttempt = ({ id, redelivery }: Delivery) => ({ id, retryCount: redelivery })

async function prepareQueue(boss: PgBoss, kind: string): Promise<void> {
  const options = {
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    retentionSeconds: RETENTION_SECONDS,
    deleteAfterSeconds: DELETE_AFTER_SECONDS,
    retryLimit: RETRY_LIMIT,
    retryDelay: 0,
  }
  await boss.createQueue(kind, options)
  // An existing queue keeps the settings of the version that made it.
  await boss.updateQueue(kind, options)
  // pg-boss reads a queue's settings when it is first used, on a connection of the pool. Inside of transactions that hold
  // all connections, that would wait for ever; so it is used here.
  await boss.getJobById(kind, NO_JOB)
}

const NO_JOB = '00000000-0000-0000-0000-000000000000'
