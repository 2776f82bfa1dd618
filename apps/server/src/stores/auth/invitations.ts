import type { InvitationStore } from '../../auth/ports.ts'
import type { Database } from '../database.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function createInvitationStore(database: Database): InvitationStore {
  return {
    async insert(tokenHash, createdAt, expiresAt) {
      const row = { token_hash: tokenHash, created_at: createdAt, expires_at: expiresAt }
      return (await database.insertInto('invitations').values(row).returning('id').executeTakeFirstOrThrow()).id
    },
    async list(now) {
      const rows = await database
        .selectFrom('invitations')
        .select(['id', 'created_at', 'expires_at'])
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .execute()
      return rows.map(({ id, created_at, expires_at }) => ({ id, createdAt: created_at, expiresAt: expires_at }))
    },
    async remove(id) {
      if (!UUID.test(id)) return false
      const { numDeletedRows } = await database.deleteFrom('invitations').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
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
