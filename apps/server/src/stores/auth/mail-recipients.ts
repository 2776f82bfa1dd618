import { sql } from 'kysely'
import type { MailRecipientStore } from '../../live-trading/notifications/recipients.ts'
import type { Database } from '../database.ts'

export function createMailRecipientStore(database: Database): MailRecipientStore {
  return {
    async ask(userId, { email, emailKey, tokenHash, expiresAt }, now) {
      await database
        .deleteFrom('mail_recipients')
        .where('confirmed_at', 'is', null)
        .where('expires_at', '<=', now)
        .execute()
      await database
        .insertInto('mail_recipients')
        .values({
          user_id: userId,
          email,
          email_key: emailKey,
          token_hash: tokenHash,
          expires_at: expiresAt,
          confirmed_at: null,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'email_key'])
            .doUpdateSet({ email, token_hash: tokenHash, expires_at: expiresAt }),
        )
        .execute()
    },

    async confirm(tokenHash, now) {
      const row = await database
        .updateTable('mail_recipients')
        .set({ confirmed_at: now })
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .where('confirmed_at', 'is', null)
        .returning('email')
        .executeTakeFirst()
      return row?.email
    },

    async isConfirmed(asked, emailKey) {
      const { rows } = await sql<{ yes: boolean }>`
        SELECT EXISTS (SELECT FROM users WHERE email_key = ${emailKey} AND email_state = 'verified')
          OR EXISTS (
            SELECT FROM mail_recipients WHERE email_key = ${emailKey} AND confirmed_at IS NOT NULL AND user_id = ${
              'userId' in asked
                ? sql`${asked.userId}::integer`
                : sql`(SELECT user_id FROM deployment_messages WHERE id = ${asked.messageId})`
            }
          ) AS yes`.execute(database)
      return rows[0]!.yes
    },
  }
}
