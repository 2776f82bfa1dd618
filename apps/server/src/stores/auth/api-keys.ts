import type { KeyScope } from '@tradewright/core/key-scopes'
import { sql } from 'kysely'
import type { TradedMoney } from '../../auth/api-keys.ts'
import type { ApiKey, ApiKeyStore } from '../../auth/ports.ts'
import type { Database } from '../database.ts'
import { SESSION_REVOKED_CHANNEL } from './sessions.ts'

const COLUMNS = [
  'api_keys.id',
  'name',
  'begins_with',
  'scopes',
  'calls_per_minute',
  'api_keys.created_at',
  'expires_at',
  'last_used_at',
] as const

/** A key that is used from everywhere is not told about any more. */
const MAX_NETWORKS_PER_KEY = 100
const MAX_KNOWN_NETWORKS = 10_000

export function createApiKeyStore(database: Database): ApiKeyStore {
  /** Calls at the same moment with one key note it once: they would wait for each other with a connection each. */
  const noting = new Map<string, Promise<unknown>>()
  const knownNetworks = new Set<string>()
  return {
    insert: (userId, key, most) =>
      database.transaction().execute(async (transaction) => {
        // Two at the same moment are counted one after the other.
        await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
        const { count } = await transaction
          .selectFrom('api_keys')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('user_id', '=', userId)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return false
        await transaction
          .insertInto('api_keys')
          .values({
            id: key.id,
            user_id: userId,
            name: key.name,
            key_hash: key.keyHash,
            begins_with: key.beginsWith,
            scopes: [...key.scopes],
            calls_per_minute: key.callsPerMinute,
            created_at: key.createdAt,
            expires_at: key.expiresAt,
          })
          .execute()
        return true
      }),
    async find(keyHash) {
      const row = await database
        .selectFrom('api_keys')
        .innerJoin('users', 'users.id', 'api_keys.user_id')
        .select([...COLUMNS, 'revoked_at', 'suspended_at', 'users.id as user_id', 'username', 'email'])
        .where('key_hash', '=', keyHash)
        .executeTakeFirst()
      if (!row) return undefined
      const user = { id: row.user_id, username: row.username, email: row.email }
      return { ...toKey(row), user, isSuspended: row.suspended_at !== null, revokedAt: row.revoked_at }
    },
    async list(userId) {
      const rows = await database
        .selectFrom('api_keys')
        .select(COLUMNS)
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .orderBy('created_at', 'desc')
        .execute()
      return rows.map(toKey)
    },
    async used(id, now, unlessSince) {
      const write = () =>
        database
          .updateTable('api_keys')
          .set({ last_used_at: now })
          .where('id', '=', id)
          .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', unlessSince)]))
          .execute()
          .finally(() => void noting.delete(id))
      await noting.getOrInsertComputed(id, write)
    },
    async usedFrom(id, networkHash, now) {
      const place = `${id} ${networkHash.toString('base64')}`
      if (knownNetworks.has(place)) return false
      const { rows } = await sql`
        INSERT INTO api_key_networks (key_id, network_hash, first_used_at)
        SELECT ${id}, ${networkHash}, ${now}
        WHERE (SELECT count(*) FROM api_key_networks WHERE key_id = ${id}) < ${MAX_NETWORKS_PER_KEY}
        ON CONFLICT DO NOTHING RETURNING key_id`.execute(database)
      if (knownNetworks.size >= MAX_KNOWN_NETWORKS) knownNetworks.clear()
      knownNetworks.add(place)
      return rows.length > 0
    },
    async revoke(userId, id, now) {
      // Compared as text: an id that is no uuid finds no key, and is no error.
      const { rows } = await sql<{ name: string }>`
        WITH ended AS (
          UPDATE api_keys SET revoked_at = ${now}
          WHERE user_id = ${userId} AND id::text = ${id} AND revoked_at IS NULL RETURNING id, name)
        SELECT name, pg_notify(${SESSION_REVOKED_CHANNEL}, id::text) FROM ended`.execute(database)
      return rows[0]?.name
    },
    async revokeAll(userId, now) {
      await sql`
        WITH ended AS (
          UPDATE api_keys SET revoked_at = ${now} WHERE user_id = ${userId} AND revoked_at IS NULL RETURNING id)
        SELECT pg_notify(${SESSION_REVOKED_CHANNEL}, id::text) FROM ended`.execute(database)
    },
    async removeEnded(before) {
      await database
        .deleteFrom('api_keys')
        .where((row) => row.or([row('expires_at', '<', before), row('revoked_at', '<', before)]))
        .execute()
    },
  }
}

interface Row {
  id: string
  name: string
  begins_with: string
  scopes: string[]
  calls_per_minute: number
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
}

const toKey = (row: Row): ApiKey => ({
  id: row.id,
  name: row.name,
  beginsWith: row.begins_with,
  scopes: row.scopes as KeyScope[],
  callsPerMinute: row.calls_per_minute,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
})

export function createTradedMoney(database: Database): TradedMoney {
  const moneyOf = (row: { is_paper: boolean } | undefined) => row && (row.is_paper ? 'paper' : 'live')
  return {
    ofDeployment: async (userId, id) =>
      moneyOf(
        await database
          .selectFrom('deployments')
          .select('is_paper')
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .executeTakeFirst(),
      ),
    ofAccount: async (userId, id) =>
      moneyOf(
        await database
          .selectFrom('brokerage_accounts')
          .select('is_paper')
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .executeTakeFirst(),
      ),
    async ofAll(userId) {
      const rows = await database
        .selectFrom('deployments')
        .select('is_paper')
        .distinct()
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .execute()
      return rows.map(({ is_paper }) => (is_paper ? 'paper' : 'live'))
    },
  }
}
