import { type RawBuilder, sql } from 'kysely'
import type { Credential, SessionStore } from '../../auth/ports.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

/** Announces the id of a session that ended to every process. */
export const SESSION_REVOKED_CHANNEL = 'session_revoked'
/** Announces the id of a session that gave a second factor: it is to be read anew, and goes on. */
export const SESSION_CHANGED_CHANNEL = 'session_changed'

/** Sessions that one user may have. A browser keeps one for months. */
const MAX_SESSIONS = 50

const HASH_COLUMN = { cookie: 'cookie_hash', bearer: 'bearer_hash' } as const satisfies Record<Credential, string>

export function createSessionStore(database: Database): SessionStore {
  return {
    // The lock keeps a new password waiting until the session is there to be ended with the others.
    async insert(session, passwordHash) {
      return database.transaction().execute(async (transaction) => {
        const owner = await transaction
          .selectFrom('users')
          .select(['password_hash', 'suspended_at'])
          .where('id', '=', session.userId)
          .forShare()
          .executeTakeFirst()
        if (!owner || (passwordHash !== undefined && owner.password_hash !== passwordHash)) return false
        if (owner.suspended_at !== null) return 'suspended'
        await transaction
          .insertInto('sessions')
          .values({
            id: session.id,
            user_id: session.userId,
            cookie_hash: session.cookieHash,
            bearer_hash: session.bearerHash,
            user_agent: session.userAgent,
            address: session.address,
            created_at: session.createdAt,
            last_used_at: session.createdAt,
            expires_at: session.expiresAt,
            factor_at: session.factorAt,
          })
          .execute()
        // A script that signs in with every run would fill the table; the ones that were used last stay.
        await revoke(
          transaction,
          sql<boolean>`id IN (
            SELECT id FROM sessions WHERE user_id = ${session.userId} AND id <> ${session.id}
            ORDER BY last_used_at DESC, created_at DESC OFFSET ${MAX_SESSIONS - 1})`,
        )
        return true
      })
    },
    async find(credential, hash, now) {
      const row = await database
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select([
          'sessions.id',
          'sessions.created_at',
          'last_used_at',
          'expires_at',
          'factor_at',
          'users.id as user_id',
          'username',
          'email',
        ])
        .where(HASH_COLUMN[credential], '=', hash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (!row) return null
      const user = { id: row.user_id, username: row.username, email: row.email }
      return {
        id: row.id,
        user,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        expiresAt: row.expires_at,
        factorAt: row.factor_at,
      }
    },
    async renew(id, lastUsedAt, expiresAt) {
      await database
        .updateTable('sessions')
        .set({ last_used_at: lastUsedAt, expires_at: expiresAt })
        .where('id', '=', id)
        .execute()
    },
    async confirmFactor(id, at) {
      await sql`
        WITH confirmed AS (UPDATE sessions SET factor_at = ${at} WHERE id = ${id} RETURNING id)
        SELECT pg_notify(${SESSION_CHANGED_CHANNEL}, id::text) FROM confirmed`.execute(database)
    },
    async revokeBySecret(credential, hash) {
      const [id] = await revoke(database, sql<boolean>`${sql.ref(HASH_COLUMN[credential])} = ${hash}`)
      return id ?? null
    },
    async list(userId, now) {
      const rows = await database
        .selectFrom('sessions')
        .select(['id', 'user_agent', 'address', 'created_at', 'last_used_at'])
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        userAgent: row.user_agent,
        address: row.address,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
      }))
    },
    async revokeOwn(userId, id) {
      // Compared as text: an id that is no uuid finds no session, and is no error.
      const ended = await revoke(database, sql<boolean>`user_id = ${userId} AND id::text = ${id}`)
      return ended.length > 0
    },
    revokeAll: (userId, keepId) => revoke(database, sql<boolean>`user_id = ${userId} AND id::text <> ${keepId ?? ''}`),
    async removeExpired(now) {
      await database.deleteFrom('sessions').where('expires_at', '<=', now).execute()
    },
  }
}

async function revoke(database: Database | DatabaseTransaction, which: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH ended AS (DELETE FROM sessions WHERE ${which} RETURNING id)
    SELECT id, pg_notify(${SESSION_REVOKED_CHANNEL}, id::text) FROM ended`.execute(database)
  return rows.map(({ id }) => id)
}
