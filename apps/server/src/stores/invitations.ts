import type { InvitationStore } from '../auth/ports.ts'
import type { Database } from './database.ts'

export function createInvitationStore(database: Database): InvitationStore {
  return {
    async insert(tokenHash, createdAt, expiresAt) {
      const row = { token_hash: tokenHash, created_at: createdAt, expires_at: expiresAt }
      await database.insertInto('invitations').values(row).execute()
    },
    async isValid(tokenHash, now) {
      const row = await database
        .selectFrom('invitations')
        .select('expires_at')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row !== undefined
    },
    async removeExpired(now) {
      await database.deleteFrom('invitations').where('expires_at', '<=', now).execute()
    },
  }
}
