import type { EmailVerificationStore } from '../../auth/ports.ts'
import { errorCode } from '../../system-error.ts'
import type { Database } from '../database.ts'
import { UNIQUE_VIOLATION } from './users.ts'

export function createEmailVerificationStore(database: Database): EmailVerificationStore {
  return {
    async insert({ tokenHash, userId, email, emailKey, expiresAt }) {
      await database
        .insertInto('email_verifications')
        .values({ token_hash: tokenHash, user_id: userId, email, email_key: emailKey, expires_at: expiresAt })
        .execute()
    },

    async pendingOf(userId, now) {
      const row = await database
        .selectFrom('email_verifications')
        .select('email')
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .orderBy('expires_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.email ?? null
    },

    /** Every link of the user ends with the one that is used, also when the address turns out to be another account's. */
    async confirm(tokenHash, now) {
      const found = await database
        .selectFrom('email_verifications')
        .select(['user_id', 'email', 'email_key'])
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (!found) return 'unknown'
      const ended = await database
        .deleteFrom('email_verifications')
        .where('user_id', '=', found.user_id)
        .returning('token_hash')
        .execute()
      // When two come at the same moment, only one of them deletes the row.
      if (!ended.some((row) => row.token_hash.equals(tokenHash))) return 'unknown'
      try {
        const before = await database
          .selectFrom('users')
          .select(['email', 'email_key', 'email_state'])
          .where('id', '=', found.user_id)
          .executeTakeFirst()
        await database
          .updateTable('users')
          .set({ email: found.email, email_key: found.email_key, email_state: 'verified' })
          .where('id', '=', found.user_id)
          .execute()
        const isReplaced = before?.email_state === 'verified' && before.email_key !== found.email_key
        return { userId: found.user_id, email: found.email, replaced: isReplaced ? before.email : undefined }
      } catch (error) {
        if (errorCode(error) === UNIQUE_VIOLATION) return 'taken'
        throw error
      }
    },

    async removeChanges(userId) {
      await database
        .deleteFrom('email_verifications')
        .where('user_id', '=', userId)
        .where('email_key', 'not in', (users) =>
          users.selectFrom('users').select('users.email_key').where('users.id', '=', userId),
        )
        .execute()
    },

    async removeExpired(now) {
      await database.deleteFrom('email_verifications').where('expires_at', '<=', now).execute()
    },
  }
}
