import { sql } from 'kysely'
import type { RecordedEvent, SecurityEventStore } from '../../auth/security-log.ts'
import type { Database } from '../database.ts'

/** Events that are kept for one user, and for names without an account. Failures are counted apart, so that a flood of them pushes nothing else out. */
const MAX_EVENTS = 500

export function createSecurityEventStore(database: Database): SecurityEventStore {
  return {
    async add({ userId, kind, isFailure, at, count, address, userAgent, detail }) {
      const sameUser = userId === null ? sql`user_id IS NULL` : sql`user_id = ${userId}`
      if (isFailure) {
        const { numAffectedRows } = await sql`
          UPDATE security_events SET at = ${at}, count = count + ${count}, user_agent = ${userAgent}
          WHERE id = (
            SELECT id FROM security_events
            WHERE ${sameUser} AND is_failure AND kind = ${kind} AND address IS NOT DISTINCT FROM ${address}
              AND detail IS NOT DISTINCT FROM ${detail} AND begun_at > ${at}::timestamptz - interval '1 hour'
            ORDER BY id DESC LIMIT 1)`.execute(database)
        if ((numAffectedRows ?? 0n) > 0n) return
      }
      await sql`
        INSERT INTO security_events (user_id, kind, is_failure, begun_at, at, count, address, user_agent, detail)
        VALUES (${userId}, ${kind}, ${isFailure}, ${at}, ${at}, ${count}, ${address}, ${userAgent}, ${detail})`.execute(
        database,
      )
      await sql`
        DELETE FROM security_events WHERE id IN (
          SELECT id FROM security_events WHERE ${sameUser} AND is_failure = ${isFailure}
          ORDER BY id DESC OFFSET ${MAX_EVENTS})`.execute(database)
    },
    async list({ userId, before, limit }) {
      const { rows } = await sql<RecordedEvent & { username: string | null }>`
        SELECT security_events.id, user_id AS "userId", kind, at, count, address, user_agent AS "userAgent", detail, username
        FROM security_events LEFT JOIN users ON users.id = user_id
        WHERE ${userId === undefined ? sql`true` : sql`user_id = ${userId}`}
          AND ${before === undefined ? sql`true` : sql`security_events.id < ${before}`}
        ORDER BY security_events.id DESC LIMIT ${limit}`.execute(database)
      return rows
    },
    async removeOld(before) {
      await sql`DELETE FROM security_events WHERE at < ${before}`.execute(database)
    },
  }
}
