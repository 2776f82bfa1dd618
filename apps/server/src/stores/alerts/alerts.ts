import { mayBeRowId } from '@tradewright/core/row-id'
import { sql, type Selectable } from 'kysely'
import type { AlertLevels } from '../../alerts/alert-events.ts'
import type { ChannelRow, Delivery } from '../../alerts/channel.ts'
import { outgoingEventOf } from '../../alerts/outgoing-events.ts'
import type { AlertSettingsStore, ChannelStore, HeartbeatRow, NewChannel } from '../../alerts/ports.ts'
import type { Database } from '../database.ts'
import { removeForUndo } from '../deletions/deleted-rows.ts'
import type { Tables } from '../tables.ts'

type Row = Selectable<Tables['alert_channels']>

/** The others follow at the next look. */
const HEARTBEATS_AT_ONCE = 50

export function createChannelStore(database: Database): ChannelStore {
  const own = (userId: number, id: number) =>
    database.selectFrom('alert_channels').selectAll().where('user_id', '=', userId).where('id', '=', id)
  return {
    async list(userId) {
      const { rows } = await sql<Row & { waiting: number; last_sent_at: Date | null; last_failure: string | null }>`
        SELECT alert_channels.*,
          (SELECT count(*)::int FROM deployment_messages WHERE channel_id = alert_channels.id AND state = 'waiting')
            AS waiting,
          (SELECT max(created_at) FROM deployment_messages WHERE channel_id = alert_channels.id AND state = 'sent')
            AS last_sent_at,
          (SELECT failure FROM deployment_messages WHERE channel_id = alert_channels.id ORDER BY id DESC LIMIT 1)
            AS last_failure
        FROM alert_channels WHERE user_id = ${userId} ORDER BY id`.execute(database)
      return rows.map((row) =>
        Object.assign(toChannel(row), {
          waiting: row.waiting,
          lastSentAt: row.last_sent_at,
          lastFailure: row.last_failure,
        }),
      )
    },

    async find(userId, id) {
      const row = mayBeRowId(id) ? await own(userId, id).executeTakeFirst() : undefined
      return row && toChannel(row)
    },

    async byId(id) {
      const row = await database.selectFrom('alert_channels').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toChannel(row)
    },

    insert: (userId, channel, { at, seal, most }) =>
      database.transaction().execute(async (transaction) => {
        // One after another for a user: two at once would both find the last place free.
        await sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`.execute(transaction)
        const { count } = await transaction
          .selectFrom('alert_channels')
          .select((expression) => expression.fn.countAll<number>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        if (count >= most) return undefined
        const { id } = await transaction
          .insertInto('alert_channels')
          .values({ user_id: userId, ...toColumns(channel), sealed_values: Buffer.alloc(0), created_at: at })
          .returning('id')
          .executeTakeFirstOrThrow()
        await transaction
          .updateTable('alert_channels')
          .set({ sealed_values: seal(id) })
          .where('id', '=', id)
          .execute()
        return id
      }),

    async change(userId, id, channel, sealedValues) {
      const { numUpdatedRows } = await database
        .updateTable('alert_channels')
        .set({ ...toColumns(channel), sealed_values: sealedValues })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    remove: (userId, id) => removeForUndo(database, 'alert-channel', userId, id),

    async deliveries(userId, id, limit) {
      const rows = await database
        .selectFrom('deployment_messages')
        .selectAll()
        .where('user_id', '=', userId)
        .where('channel_id', '=', id)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        event: row.event,
        subject: row.subject,
        state: row.state as Delivery['state'],
        attempts: row.attempts,
        failure: row.failure,
        createdAt: row.created_at,
        triedAt: row.tried_at,
        dueAt: row.due_at,
        data: row.data as Delivery['data'],
      }))
    },

    async sendAgain(userId, id, deliveryId) {
      if (!mayBeRowId(deliveryId)) return false
      const { numUpdatedRows } = await database
        .updateTable('deployment_messages')
        .set({ state: 'waiting', attempts: 0, due_at: sql<Date>`clock_timestamp()` })
        .where('user_id', '=', userId)
        .where('channel_id', '=', id)
        .where('id', '=', deliveryId)
        .where('state', '=', 'given_up')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

const toColumns = ({ kind, name, target, isEnabled, quietHours, events }: NewChannel) => ({
  kind,
  name,
  target,
  is_enabled: isEnabled,
  quiet_from: quietHours?.from ?? null,
  quiet_to: quietHours?.to ?? null,
  time_zone: quietHours?.timeZone ?? null,
  events: [...events],
})

const toChannel = (row: Row): ChannelRow => ({
  id: row.id,
  userId: row.user_id,
  kind: row.kind,
  name: row.name,
  target: row.target,
  sealedValues: row.sealed_values,
  isEnabled: row.is_enabled,
  // One that a later version no longer has is left out.
  events: row.events.flatMap((id) => outgoingEventOf(id)?.id ?? []),
  quietHours:
    row.quiet_from === null || row.quiet_to === null || row.time_zone === null
      ? null
      : { from: row.quiet_from, to: row.quiet_to, timeZone: row.time_zone },
})

export function createAlertSettingsStore(database: Database): AlertSettingsStore {
  const ofUser = (userId: number) =>
    database.selectFrom('alert_settings').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const save = (userId: number, columns: Record<string, unknown>) =>
    database
      .insertInto('alert_settings')
      .values({ user_id: userId, ...columns })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
      .execute()
  return {
    levels: async (userId) => ((await ofUser(userId))?.levels ?? {}) as Partial<AlertLevels>,

    async saveLevels(userId, levels) {
      await save(userId, { levels: JSON.stringify(levels) })
    },

    async heartbeat(userId) {
      const row = await ofUser(userId)
      return row && toHeartbeat(row)
    },

    async saveHeartbeat(userId, heartbeat) {
      await save(userId, {
        sealed_heartbeat: heartbeat?.sealedUrl ?? null,
        heartbeat_due_at: heartbeat ? sql<Date>`clock_timestamp()` : null,
        heartbeat_problem: null,
        ...(heartbeat && { heartbeat_minutes: heartbeat.minutes }),
      })
    },

    async claimDueHeartbeats() {
      const { rows } = await sql<Selectable<Tables['alert_settings']>>`
        UPDATE alert_settings
        SET heartbeat_due_at = clock_timestamp() + make_interval(mins => heartbeat_minutes)
        WHERE user_id IN (
          SELECT user_id FROM alert_settings
          WHERE heartbeat_due_at <= clock_timestamp() AND sealed_heartbeat IS NOT NULL
          ORDER BY heartbeat_due_at LIMIT ${HEARTBEATS_AT_ONCE} FOR UPDATE SKIP LOCKED
        )
        RETURNING *`.execute(database)
      return rows.flatMap((row) => toHeartbeat(row) ?? [])
    },

    async noteHeartbeat(userId, outcome) {
      const columns =
        'calledAt' in outcome
          ? { heartbeat_at: outcome.calledAt, heartbeat_problem: null }
          : { heartbeat_problem: outcome.problem }
      await database.updateTable('alert_settings').set(columns).where('user_id', '=', userId).execute()
    },

    async troubles(userId, now) {
      const { rows } = await sql<{ sentence: string }>`
        SELECT name || ': ' || trouble.sentence AS sentence
        FROM deployments
        LEFT JOIN deployment_leases lease ON lease.deployment_id = deployments.id
        LEFT JOIN account_books books ON books.account_id = deployments.account_id
        CROSS JOIN LATERAL (
          SELECT CASE
            WHEN status = 'stopped' AND emergency_stopped_at IS NOT NULL THEN 'stopped by the emergency stop.'
            WHEN books.disagreement IS NOT NULL THEN 'books and broker disagree.'
            WHEN status = 'stopped' OR status = 'created' THEN NULL
            WHEN health_problem IS NOT NULL THEN health_problem
            WHEN status <> 'running' THEN NULL
            WHEN run_missed_at IS NOT NULL THEN 'its last run was missed.'
            WHEN NOT isfinite(lease.expires_at) THEN 'it is held back since a backup was restored.'
            WHEN next_run_at < ${now}::timestamptz - interval '30 minutes' THEN 'its run is overdue.'
            WHEN lease.expires_at IS NULL OR lease.expires_at < clock_timestamp() THEN 'no process is running it.'
            WHEN books.compared_at < ${now}::timestamptz - interval '10 minutes'
              THEN 'its books were not compared with the broker for minutes.'
          END AS sentence
        ) AS trouble
        WHERE deployments.user_id = ${userId} AND deployments.deleted_at IS NULL AND trouble.sentence IS NOT NULL
        ORDER BY deployments.id LIMIT 5`.execute(database)
      return rows.map(({ sentence }) => sentence)
    },
  }
}

const toHeartbeat = (row: Selectable<Tables['alert_settings']>): HeartbeatRow | undefined =>
  row.sealed_heartbeat === null
    ? undefined
    : {
        userId: row.user_id,
        sealedUrl: row.sealed_heartbeat,
        minutes: row.heartbeat_minutes,
        calledAt: row.heartbeat_at,
        problem: row.heartbeat_problem,
      }
