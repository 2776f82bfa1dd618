import { sql, type Selectable } from 'kysely'
import type { NotificationEvent } from '../../live-trading/deployment.ts'
import type { MailStore, NewMail, WaitingMail } from '../../live-trading/ports/mails.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

export function createMailStore(database: Database | DatabaseTransaction): MailStore {
  return {
    async put(mails, at) {
      for (const mail of mails) await putOne(database, mail, at)
    },

    async take(limit, seconds) {
      const { rows } = await sql<Selectable<Tables['deployment_mails']>>`
        UPDATE deployment_mails
        SET attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => ${seconds})
        WHERE id IN (
          SELECT id FROM deployment_mails WHERE state = 'waiting' AND due_at <= clock_timestamp()
          ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )
        RETURNING *`.execute(database)
      return rows.map(toMail)
    },

    async sent(id) {
      await database
        .updateTable('deployment_mails')
        .set({ state: 'sent', failure: null })
        .where('id', '=', id)
        .execute()
    },

    async failed(id, failure, againInSeconds) {
      await database
        .updateTable('deployment_mails')
        .set({
          failure,
          ...(againInSeconds === undefined
            ? { state: 'given_up' }
            : { due_at: sql<Date>`clock_timestamp() + make_interval(secs => ${againInSeconds})` }),
        })
        .where('id', '=', id)
        .execute()
    },

    async forget(before) {
      await database
        .deleteFrom('deployment_mails')
        .where('state', '<>', 'waiting')
        .where('created_at', '<', before)
        .execute()
    },
  }
}

/** The same error is told again after an hour; anything else never. */
async function putOne(database: Database | DatabaseTransaction, mail: NewMail, at: Date): Promise<void> {
  await sql`
    INSERT INTO deployment_mails (deployment_id, event, key, recipient, subject, body, created_at)
    SELECT ${mail.deploymentId}::integer, ${mail.event}, ${mail.key}, ${mail.to}, ${mail.subject}, ${mail.text},
      ${at}::timestamptz
    WHERE NOT EXISTS (
      SELECT FROM deployment_mails
      WHERE deployment_id = ${mail.deploymentId} AND key = ${mail.key} AND recipient = ${mail.to}
        AND (event <> 'errors' OR created_at > ${at}::timestamptz - interval '1 hour')
    )`.execute(database)
}

const toMail = (row: Selectable<Tables['deployment_mails']>): WaitingMail => ({
  id: row.id,
  event: row.event as NotificationEvent,
  to: row.recipient,
  subject: row.subject,
  text: row.body,
  attempts: row.attempts,
})
