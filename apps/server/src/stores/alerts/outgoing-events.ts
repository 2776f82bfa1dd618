import { sql } from 'kysely'
import { hash } from 'node:crypto'
import type { OutgoingEvent, OutgoingEventId } from '../../alerts/outgoing-events.ts'
import type { Job, JobEnding } from '../../jobs/job.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

/** Events that one channel takes in. A receiver that is away, or a script in a loop, must not fill the database. */
const EVENTS_AN_HOUR = 500

/**
 * Puts an event into the outbox of every webhook of the user that asks for it: in the caller's transaction, so that told
 * is what happened, and only that. Such a message outlives its deployment.
 */
export async function putEvent(
  database: Database | DatabaseTransaction,
  userId: number,
  { event, key, subject, text, data }: OutgoingEvent,
): Promise<void> {
  await sql`
    INSERT INTO deployment_messages (user_id, event, key, recipient, subject, body, channel_id, data, created_at)
    SELECT ${userId}, ${event}, ${indexable(key)}, channel.name, ${subject}, ${text}, channel.id,
      ${JSON.stringify(data)}::jsonb || CASE WHEN told.events = ${EVENTS_AN_HOUR - 1}
        THEN '{"more_left_out": true}'::jsonb ELSE '{}'::jsonb END,
      clock_timestamp()
    FROM alert_channels AS channel
    CROSS JOIN LATERAL (
      SELECT count(*) AS events FROM deployment_messages
      WHERE channel_id = channel.id AND data IS NOT NULL AND created_at > clock_timestamp() - interval '1 hour'
    ) AS told
    WHERE channel.user_id = ${userId} AND channel.is_enabled AND ${event} = ANY (channel.events)
      AND told.events < ${EVENTS_AN_HOUR}
    ON CONFLICT (channel_id, key) WHERE data IS NOT NULL DO NOTHING`.execute(database)
}

/** Keys may be of any length; an index takes 2,700 bytes. */
export const indexable = (key: string): string => (key.length <= 500 ? key : hash('sha256', key))

interface JobEvent {
  readonly event: OutgoingEventId
  readonly what: string
  data(job: Pick<Job, 'subject' | 'input'>, result: Readonly<Record<string, unknown>>): OutgoingEvent['data']
}

/** Kinds of jobs whose end is told; pieces of others are not. */
const JOB_EVENTS: Readonly<Record<string, JobEvent>> = {
  backtest: {
    event: 'backtest.finished',
    what: 'Backtest',
    data: ({ input }, { resultId }) => ({
      strategy_name: (input as { strategyName?: string }).strategyName || null,
      backtest_id: resultId ?? null,
    }),
  },
  optimizer: {
    event: 'optimizer.finished',
    what: 'Optimizer run',
    data: ({ subject }) => ({ run_id: Number(subject) }),
  },
  'parameter-study': {
    event: 'study.finished',
    what: 'Parameter study',
    data: ({ subject }) => ({ study_id: Number(subject) }),
  },
  'data-collection': {
    event: 'data_job.ended',
    what: 'Data job',
    data: ({ subject }, { recordsStored }) => ({ name: subject, records_stored: recordsStored ?? null }),
  },
}

/** Stores the event of a job in the transaction that ends it, or not at all. */
export async function putJobEvent(
  transaction: DatabaseTransaction,
  job: Pick<Job, 'id' | 'userId' | 'kind' | 'subject' | 'input'>,
  ending: JobEnding,
): Promise<void> {
  const type = JOB_EVENTS[job.kind]
  if (!type) return
  const { state } = ending
  const error = state === 'failed' ? ending.error.message : null
  const result = state === 'completed' && typeof ending.result === 'object' && ending.result ? ending.result : {}
  await putEvent(transaction, job.userId, {
    event: type.event,
    key: `${type.event}:${job.id}`,
    subject: `${type.what} ${state}`,
    text: error ?? `${type.what} ${state}.`,
    data: { job_id: job.id, state, error, ...type.data(job, { ...result }) },
  })
}
