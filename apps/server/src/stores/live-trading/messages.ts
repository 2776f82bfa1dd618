import { sql, type Selectable } from 'kysely'
import type { ChannelRow } from '../../alerts/channel.ts'
import type { MessageStore, NewMessage, WaitingMessage } from '../../live-trading/ports/messages.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { indexable, putEvent } from '../alerts/outgoing-events.ts'
import type { Tables } from '../tables.ts'

export function createMessageStore(database: Database | DatabaseTransaction): MessageStore {
  return {
    async put(messages, at) {
      for (const message of messages) await putOne(database, message, at)
    },

    async putEvent(deploymentId, event) {
      const deployment = await database
        .selectFrom('deployments')
        .select(['user_id', 'name'])
        .where('id', '=', deploymentId)
        .executeTakeFirst()
      if (!deployment) return
      const data = { deployment_id: deploymentId, deployment_name: deployment.name, ...event.data }
      await putEvent(database, deployment.user_id, { ...event, data, subject: `${deployment.name}: ${event.subject}` })
    },

    async lease(limit, seconds) {
      const { rows } = await sql<Selectable<Tables['deployment_messages']>>`
        UPDATE deployment_messages
        SET attempts = attempts + 1, tried_at = clock_timestamp(), due_at = clock_timestamp() + make_interval(secs => ${seconds})
        WHERE id IN (
          SELECT message.id FROM deployment_messages AS message
          JOIN (
            SELECT waiting.id, row_number() OVER (PARTITION BY user_id ORDER BY is_urgent DESC, due_at) AS turn
            FROM deployment_messages AS waiting
            WHERE state = 'waiting' AND due_at <= clock_timestamp()
          ) AS due ON due.id = message.id
          WHERE state = 'waiting' AND due_at <= clock_timestamp()
          ORDER BY turn, due_at LIMIT ${limit} FOR UPDATE OF message SKIP LOCKED
        )
        RETURNING *`.execute(database)
      return rows.map(toMessage)
    },

    async sent(id) {
      await database
        .updateTable('deployment_messages')
        .set({ state: 'sent', failure: null })
        .where('id', '=', id)
        .execute()
    },

    async failed(id, failure, againInSeconds) {
      await database
        .updateTable('deployment_messages')
        .set({
          failure,
          ...(againInSeconds === undefined
            ? { state: 'given_up' }
            : { due_at: sql<Date>`clock_timestamp() + make_interval(secs => ${againInSeconds})` }),
        })
        .where('id', '=', id)
        .execute()
    },

    async hold(id, seconds) {
      await sql`
        UPDATE deployment_messages
        SET attempts = attempts - 1, due_at = clock_timestamp() + make_interval(secs => ${seconds})
        WHERE id = ${id}`.execute(database)
    },

    async forget(before) {
      await database
        .deleteFrom('deployment_messages')
        .where('state', '<>', 'waiting')
        .where('created_at', '<', before)
        .execute()
    },
  }
}

/**
 * Alerts that one channel carries. A user who is told more reads none of it, and a receiver that is away must not fill
 * the database.
 */
const ALERTS_AN_HOUR = 100
const LEFT_OUT = '\nMore alerts within the hour are left out here; Live Trading shows all of them.\n'

/** A message of an alert to one channel, once under its key. */
export async function putAlert(
  database: DatabaseTransaction,
  { id, userId, name }: Pick<ChannelRow, 'id' | 'userId' | 'name'>,
  alert: { readonly key: string; readonly isUrgent: boolean; readonly event: string } & Pick<
    NewMessage,
    'subject' | 'text'
  >,
  at: Date,
): Promise<void> {
  const key = `alert:${alert.key}`
  await sql`
    INSERT INTO deployment_messages
      (user_id, event, key, recipient, subject, body, channel_id, is_urgent, created_at)
    SELECT ${userId}::integer, ${alert.event}, ${key}, ${name}, ${alert.subject},
      ${alert.text}::text || CASE WHEN told.alerts = ${ALERTS_AN_HOUR - 1} THEN ${LEFT_OUT} ELSE '' END,
      ${id}::integer, ${alert.isUrgent}::boolean, ${at}::timestamptz
    FROM (
      SELECT count(*) AS alerts FROM deployment_messages
      WHERE channel_id = ${id}::integer AND data IS NULL AND created_at > ${at}::timestamptz - interval '1 hour'
    ) AS told
    WHERE told.alerts < ${ALERTS_AN_HOUR}
      AND NOT EXISTS (SELECT FROM deployment_messages WHERE channel_id = ${id}::integer AND key = ${key})`.execute(
    database,
  )
}

/** The same error is told again after an hour; anything else never. */
async function putOne(database: Database | DatabaseTransaction, message: NewMessage, at: Date): Promise<void> {
  const { deploymentId, event, to, subject, text } = message
  const key = indexable(message.key)
  await sql`
    INSERT INTO deployment_messages (user_id, deployment_id, event, key, recipient, subject, body, created_at)
    SELECT user_id, id, ${event}, ${key}, ${to}, ${subject}, ${text}, ${at}::timestamptz
    FROM deployments
    WHERE id = ${deploymentId}::integer AND NOT EXISTS (
      SELECT FROM deployment_messages
      WHERE deployment_id = ${deploymentId} AND key = ${key} AND recipient = ${to} AND channel_id IS NULL
        AND (event <> 'errors' OR created_at > ${at}::timestamptz - interval '1 hour')
    )`.execute(database)
}

const toMessage = (row: Selectable<Tables['deployment_messages']>): WaitingMessage => ({
  id: row.id,
  event: row.event,
  key: row.key,
  to: row.recipient,
  subject: row.subject,
  text: row.body,
  createdAt: row.created_at,
  attempts: row.attempts,
  ...(row.data !== null && { data: row.data as Record<string, unknown> }),
  ...(row.channel_id !== null && { alert: { channelId: row.channel_id, isUrgent: row.is_urgent } }),
})
