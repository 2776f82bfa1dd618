import { MAX_SIGNALS, type SignalTarget, targetKey } from '@tradewright/core/external-signal'
import { mayBeRowId } from '@tradewright/core/row-id'
import { type Selectable, sql } from 'kysely'
import type { SignalAddress, SignalOutcome, SignalStore } from '../../external-signals/own-signals.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

/** Refused signals that are kept for one strategy: a sender in a loop must not fill the database. */
const MAX_REFUSED = 200

export function createSignalStore(database: Database | DatabaseTransaction): SignalStore {
  const addresses = () => database.selectFrom('signal_addresses').selectAll()
  return {
    async saveAddress(userId, strategyId, { hash, sealedSecret, at }) {
      const { numAffectedRows } = await sql`
        INSERT INTO signal_addresses (strategy_id, user_id, address_hash, sealed_secret, created_at)
        SELECT id, user_id, ${hash}, ${sealedSecret}, ${at} FROM strategies WHERE id = ${strategyId} AND user_id = ${userId}
        ON CONFLICT (strategy_id) DO UPDATE
          SET address_hash = excluded.address_hash, sealed_secret = excluded.sealed_secret, created_at = excluded.created_at`.execute(
        database,
      )
      return (numAffectedRows ?? 0n) > 0n
    },

    async address(userId, strategyId) {
      const row = await addresses()
        .where('user_id', '=', userId)
        .where('strategy_id', '=', strategyId)
        .executeTakeFirst()
      return row && toAddress(row)
    },

    async findAddress(hash) {
      const row = await addresses().where('address_hash', '=', hash).executeTakeFirst()
      return row && toAddress(row)
    },

    async removeAddress(userId, strategyId) {
      const { numDeletedRows } = await database
        .deleteFrom('signal_addresses')
        .where('user_id', '=', userId)
        .where('strategy_id', '=', strategyId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    isKnown: async (strategyId, eventId) => (await accepted(database, strategyId, eventId)).length > 0,

    async accept({ userId, strategyId }, { eventId, target, receivedAt }) {
      const [known] = await accepted(database, strategyId, eventId)
      if (known) return targetKey(known.target as SignalTarget) === targetKey(target) ? 'doubled' : 'other'
      if ((await this.countAccepted(strategyId)) >= MAX_SIGNALS) return 'full'
      // Two at once: one of them is stored, the other finds it.
      const added = await database
        .insertInto('external_signals')
        .values({
          user_id: userId,
          strategy_id: strategyId,
          received_at: receivedAt,
          outcome: 'accepted',
          event_id: eventId,
          target: JSON.stringify(target),
        })
        .onConflict((conflict) =>
          conflict.columns(['strategy_id', 'event_id']).where('outcome', '=', 'accepted').doNothing(),
        )
        .returning('id')
        .executeTakeFirst()
      if (added) return 'accepted'
      const [other] = await accepted(database, strategyId, eventId)
      return other && targetKey(other.target as SignalTarget) === targetKey(target) ? 'doubled' : 'other'
    },

    async logRefused({ userId, strategyId }, { outcome, reason, eventId, receivedAt }) {
      await database
        .insertInto('external_signals')
        .values({
          user_id: userId,
          strategy_id: strategyId,
          received_at: receivedAt,
          outcome,
          reason,
          event_id: eventId,
        })
        .execute()
      await sql`
        DELETE FROM external_signals WHERE strategy_id = ${strategyId} AND outcome <> 'accepted' AND id <= (
          SELECT id FROM external_signals WHERE strategy_id = ${strategyId} AND outcome <> 'accepted'
          ORDER BY id DESC OFFSET ${MAX_REFUSED} LIMIT 1
        )`.execute(database)
    },

    async entries(userId, strategyId, limit) {
      const rows = await database
        .selectFrom('external_signals')
        .selectAll()
        .where('user_id', '=', userId)
        .where('strategy_id', '=', strategyId)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        receivedAt: row.received_at,
        outcome: row.outcome as SignalOutcome,
        reason: row.reason,
        eventId: row.event_id,
        target: row.target as SignalTarget | null,
      }))
    },

    async countAccepted(strategyId) {
      const { count } = await database
        .selectFrom('external_signals')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('strategy_id', '=', strategyId)
        .where('outcome', '=', 'accepted')
        .executeTakeFirstOrThrow()
      return count
    },

    async record(userId, strategyId, until, newest = MAX_SIGNALS) {
      if (!mayBeRowId(strategyId)) return []
      const rows = await database
        .selectFrom('external_signals')
        .select(['received_at', 'target'])
        .where('user_id', '=', userId)
        .where('strategy_id', '=', strategyId)
        .where('outcome', '=', 'accepted')
        .where('received_at', '<=', until)
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .limit(newest)
        .execute()
      return rows
        .toReversed()
        .map(({ received_at, target }) => ({ at: received_at.getTime(), target: target as SignalTarget }))
    },
  }
}

const accepted = (database: Database | DatabaseTransaction, strategyId: number, eventId: string) =>
  database
    .selectFrom('external_signals')
    .select('target')
    .where('strategy_id', '=', strategyId)
    .where('event_id', '=', eventId)
    .where('outcome', '=', 'accepted')
    .execute()

const toAddress = (row: Selectable<Tables['signal_addresses']>): SignalAddress => ({
  userId: row.user_id,
  strategyId: row.strategy_id,
  sealedSecret: row.sealed_secret,
  createdAt: row.created_at,
})
