import { mayBeRowId } from '@tradewright/core/row-id'
import { sql, type Selectable } from 'kysely'
import type { AlertedState, AlertEventId, AlertLevels, AlertMember } from '../../alerts/alert-events.ts'
import type { ChannelRow, Delivery } from '../../alerts/channel.ts'
import { outgoingEventOf } from '../../alerts/outgoing-events.ts'
import type {
  AlertChange,
  AlertRow,
  AlertSettingsStore,
  AlertStore,
  ChannelStore,
  HeartbeatRow,
  NewChannel,
} from '../../alerts/ports.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { putAlert } from '../live-trading/messages.ts'
import { indexable } from './outgoing-events.ts'
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

const toColumns = ({ kind, name, target, isEnabled, quietHours, events, escalationMinutes }: NewChannel) => ({
  kind,
  name,
  target,
  is_enabled: isEnabled,
  quiet_from: quietHours?.from ?? null,
  quiet_to: quietHours?.to ?? null,
  time_zone: quietHours?.timeZone ?? null,
  events: [...events],
  escalation_minutes: escalationMinutes,
})

const toChannel = (row: Row): ChannelRow => ({
  id: row.id,
  userId: row.user_id,
  kind: row.kind,
  name: row.name,
  target: row.target,
  sealedValues: row.sealed_values,
  isEnabled: row.is_enabled,
  escalationMinutes: row.escalation_minutes,
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

/** The others follow at the next poll. */
const ALERTS_AT_ONCE = 50

export function createAlertInbox(database: Database): AlertStore {
  const each = (condition: (now: Date) => ReturnType<typeof sql>): AlertStore['eachDue'] =>
    async function (now, handle) {
      await database.transaction().execute(async (transaction) => {
        const { rows } = await sql<Selectable<Tables['alerts']>>`
          SELECT * FROM alerts WHERE ended_at IS NULL AND ${condition(now)}
          ORDER BY id LIMIT ${ALERTS_AT_ONCE} FOR UPDATE SKIP LOCKED`.execute(transaction)
        if (rows.length === 0) return
        const states = await statesOf(
          transaction,
          rows.flatMap(({ members }) => Object.keys(members as object).map(Number)),
        )
        for (const row of rows) {
          const { user_id } = row
          const own = transaction.selectFrom('alert_channels').selectAll().where('user_id', '=', user_id)
          const channels = (await own.where('is_enabled', '=', true).orderBy('id').execute()).map(toChannel)
          const change = await handle(toAlert(row), {
            channels,
            states,
            async put(to, key, isUrgent, event, message) {
              for (const channel of to) await putAlert(transaction, channel, { key, isUrgent, event, ...message }, now)
            },
          })
          await changeAlert(transaction, row.id, change)
        }
      })
    }
  return {
    async open({ userId, kind, cause, member, at, joinedToldAt }) {
      const key = String(member.deploymentId)
      const isIn = sql`(known.members ? ${key}::text AND known.members -> ${key}::text ->> 'endedAt' IS NULL)`
      await sql`
        INSERT INTO alerts AS known (user_id, kind, cause, members, opened_at, tell_at)
        VALUES (${userId}, ${kind}, ${indexable(cause)}, ${JSON.stringify({ [key]: member })}::jsonb, ${at}, ${at})
        ON CONFLICT (user_id, kind, cause) WHERE ended_at IS NULL DO UPDATE SET
          members = known.members || CASE WHEN ${isIn} THEN jsonb_set(
            excluded.members, ARRAY[${key}::text, 'since'], known.members -> ${key}::text -> 'since') ELSE excluded.members END,
          acknowledged_at = CASE WHEN ${isIn} THEN known.acknowledged_at END,
          acknowledged_by = CASE WHEN ${isIn} THEN known.acknowledged_by END,
          tell_at = CASE WHEN ${isIn} THEN known.tell_at
            ELSE least(known.tell_at, ${joinedToldAt}::timestamptz) END`.execute(database)
    },

    eachDue: each(
      (now) => sql`acknowledged_at IS NULL AND (tell_at <= ${now}::timestamptz OR EXISTS (
        SELECT FROM alert_channels AS channel
        WHERE channel.user_id = alerts.user_id AND channel.is_enabled AND channel.escalation_minutes > 0
          AND channel.id <> ALL (told_channels)
          AND opened_at + make_interval(mins => channel.escalation_minutes) <= ${now}::timestamptz))`,
    ),

    eachStanding: each(() => sql`true`),

    async list(userId, limit) {
      const rows = await database
        .selectFrom('alerts')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy(sql`ended_at IS NULL DESC, opened_at DESC, id DESC`)
        .limit(limit)
        .execute()
      return rows.map(toAlert)
    },

    acknowledge: (userId, id, { by, at }, isEvent) =>
      database.transaction().execute(async (transaction) => {
        if (id !== 'all' && !mayBeRowId(id)) return false
        let open = transaction.selectFrom('alerts').selectAll().where('user_id', '=', userId)
        open = id === 'all' ? open.where('acknowledged_at', 'is', null) : open.where('id', '=', id)
        const rows = await open.orderBy('id').forNoKeyUpdate().execute()
        for (const row of rows) {
          const alert = toAlert(row)
          if (alert.acknowledgedAt !== null) continue
          const ends = alert.endedAt === null && isEvent(alert)
          const change = { acknowledgedAt: at, acknowledgedBy: by, ...(ends && { endedAt: at }) }
          await changeAlert(transaction, row.id, change)
        }
        return rows.length > 0
      }),

    async forget(before) {
      await database.deleteFrom('alerts').where('ended_at', '<', before).execute()
    },
  }
}

async function changeAlert(transaction: DatabaseTransaction, id: number, change: AlertChange): Promise<void> {
  const { members } = change
  const columns = {
    ...(members && { members: JSON.stringify(Object.fromEntries(members.map((one) => [one.deploymentId, one]))) }),
    ...(change.told !== undefined && { told: change.told }),
    ...(change.tellAt !== undefined && { tell_at: change.tellAt }),
    ...(change.toldChannels && { told_channels: [...change.toldChannels] }),
    ...(change.acknowledgedAt !== undefined && { acknowledged_at: change.acknowledgedAt }),
    ...(change.acknowledgedBy !== undefined && { acknowledged_by: change.acknowledgedBy }),
    ...(change.endedAt !== undefined && { ended_at: change.endedAt }),
  }
  if (Object.keys(columns).length === 0) return
  await transaction.updateTable('alerts').set(columns).where('id', '=', id).execute()
}

async function statesOf(database: DatabaseTransaction, ids: readonly number[]): Promise<Map<number, AlertedState>> {
  const { rows } = await sql<AlertedState & { id: number }>`
    SELECT deployments.id, status, health_code AS "healthCode", books.disagreement, run_missed_at AS "runMissedAt",
      emergency_stopped_at AS "emergencyStoppedAt",
      coalesce(ARRAY(SELECT jsonb_object_keys(books.halts)), '{}') AS "haltedTickers",
      ARRAY(SELECT held->>'side' || ' ' || (held->>'ticker') FROM jsonb_array_elements(coalesce(held_orders, '[]')) AS held
        WHERE held->>'until' IS NULL AND held->>'isLeft' IS NULL) AS "askedOrders",
      newest.decided_at AS "decidedAt", newest.outcome,
      EXISTS (SELECT FROM alert_settings WHERE alert_settings.user_id = deployments.user_id
        AND sealed_heartbeat IS NOT NULL) AS "hasHeartbeat"
    FROM deployments
    LEFT JOIN account_books books ON books.account_id = deployments.account_id
    LEFT JOIN LATERAL (
      SELECT decided_at, outcome FROM deployment_decisions
      -- A stop carries out nothing of what the strategy still lacks.
      WHERE deployment_id = deployments.id AND NOT signal ? 'stopped' ORDER BY decided_at DESC LIMIT 1
    ) AS newest ON true
    WHERE deployments.id = ANY (${[...new Set(ids)]}::integer[]) AND deleted_at IS NULL`.execute(database)
  return new Map(rows.map((row) => [row.id, row]))
}

const toAlert = (row: Selectable<Tables['alerts']>): AlertRow => ({
  id: row.id,
  userId: row.user_id,
  kind: row.kind as AlertEventId,
  members: Object.values(row.members as Record<string, AlertMember>),
  openedAt: row.opened_at,
  told: row.told,
  tellAt: row.tell_at,
  toldChannels: row.told_channels,
  acknowledgedAt: row.acknowledged_at,
  acknowledgedBy: row.acknowledged_by,
  endedAt: row.ended_at,
})
