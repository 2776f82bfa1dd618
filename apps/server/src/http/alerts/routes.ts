import * as contract from '@tradewright/contract/alerts'
import type { z } from 'zod'
import { ALERT_EVENTS, alertEventById, levelsOf, whomOf } from '../../alerts/alert-events.ts'
import { heartbeatHost, saveHeartbeat } from '../../alerts/heartbeat.ts'
import {
  addChannel,
  type AlertDeps,
  changeChannel,
  deliveriesOf,
  removeChannel,
  saveLevels,
  sendAgain,
  shownValues,
  testChannel,
} from '../../alerts/own-alerts.ts'
import type { Delivery } from '../../alerts/channel.ts'
import type { AlertRow, AlertStore } from '../../alerts/ports.ts'
import { acknowledge, isEvent, ownInbox } from '../../alerts/raise-alerts.ts'
import { OUTGOING_EVENTS } from '../../alerts/outgoing-events.ts'
import type { Handle } from '../server/handle.ts'

const success = true as const

interface AlertRouteDeps extends AlertDeps {
  /** Why an address cannot be used for the heartbeat, as a sentence. */
  readonly checkUrl: (url: string) => string | undefined
  readonly inbox: AlertStore
}

export function serveAlerts(handle: Handle, deps: AlertRouteDeps): void {
  const state = (userId: number) => alertsOf(deps, userId)
  handle(contract.getAlerts, ({ user }) => state(user.id))
  handle(contract.addAlertChannel, async ({ user, body }) => {
    await addChannel(deps, user.id, { ...toForm(body), kind: body.kind })
    return state(user.id)
  })
  handle(contract.changeAlertChannel, async ({ user, params, body }) => {
    await changeChannel(deps, user.id, params.id, { ...toForm(body), kind: '' })
    return state(user.id)
  })
  handle(contract.deleteAlertChannel, async ({ user, params }) => {
    await removeChannel(deps, user.id, params.id)
    return state(user.id)
  })
  handle(contract.testAlertChannel, async ({ user, params, query }) => ({
    success,
    message: await testChannel(deps, user.id, params.id, query.event),
  }))
  handle(contract.getAlertDeliveries, async ({ user, params }) => ({
    success,
    deliveries: (await deliveriesOf(deps, user.id, params.id)).map(toDelivery),
  }))
  handle(contract.sendAlertAgain, async ({ user, params }) => {
    await sendAgain(deps, user.id, params.id, params.delivery)
    return { success }
  })
  handle(contract.setAlertLevels, async ({ user, body }) => {
    await saveLevels(deps, user.id, body.levels)
    return state(user.id)
  })
  const inbox = async (userId: number) => {
    const [rows, chosen] = await Promise.all([ownInbox(deps.inbox, userId), deps.settings.levels(userId)])
    return { success, alerts: rows.map((row) => toInbox(row, levelsOf(chosen))) }
  }
  handle(contract.getInbox, ({ user }) => inbox(user.id))
  handle(contract.acknowledgeAlert, async ({ user, params }) => {
    await acknowledge({ alerts: deps.inbox, clock: deps.clock }, { userId: user.id, by: user.username }, params.id)
    return inbox(user.id)
  })
  handle(contract.acknowledgeAlerts, async ({ user }) => {
    await acknowledge({ alerts: deps.inbox, clock: deps.clock }, { userId: user.id, by: user.username }, 'all')
    return inbox(user.id)
  })
  handle(contract.setHeartbeat, async ({ user, body }) => {
    await saveHeartbeat(deps, user.id, { url: body.url, minutes: body.minutes })
    return state(user.id)
  })
}

function toInbox(row: AlertRow, levels: ReturnType<typeof levelsOf>): contract.InboxAlert {
  const event = alertEventById(row.kind)
  return {
    id: row.id,
    kind: row.kind,
    title: event?.label ?? row.kind,
    about: whomOf(row.members),
    level: levels[row.kind] === 'urgent' ? 'urgent' : 'notice',
    state: row.endedAt === null ? 'open' : isEvent(row) ? 'happened' : 'over',
    recovery: row.endedAt === null || isEvent(row) ? null : (event?.recovery ?? null),
    deployments: row.members.map((member) => ({
      deployment_id: member.deploymentId,
      name: member.name,
      account_name: member.accountName,
      is_paper: member.isPaper,
      text: member.sentence,
      since: member.since,
      ended_at: member.endedAt,
    })),
    opened_at: row.openedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    told: row.told,
    told_next_at: row.endedAt === null && row.acknowledgedAt === null ? (row.tellAt?.toISOString() ?? null) : null,
    acknowledged_at: row.acknowledgedAt?.toISOString() ?? null,
    acknowledged_by: row.acknowledgedBy,
  }
}

const toDelivery = (delivery: Delivery): contract.AlertDelivery => ({
  id: delivery.id,
  event: delivery.event,
  subject: delivery.subject,
  state: delivery.state,
  attempts: delivery.attempts,
  failure: delivery.failure,
  created_at: delivery.createdAt.toISOString(),
  tried_at: delivery.triedAt?.toISOString() ?? null,
  due_at: delivery.state === 'waiting' ? delivery.dueAt.toISOString() : null,
  data: delivery.data,
})

const toForm = ({
  name,
  fields,
  is_enabled,
  quiet_hours,
  events,
  escalation_minutes,
}: z.output<typeof contract.ChannelBody>) => ({
  name,
  values: fields,
  isEnabled: is_enabled,
  events,
  escalationMinutes: escalation_minutes,
  quietHours: quiet_hours && { from: quiet_hours.from, to: quiet_hours.to, timeZone: quiet_hours.time_zone },
})

async function alertsOf(deps: AlertRouteDeps, userId: number): Promise<contract.AlertsAnswer> {
  const [channels, chosen, heartbeat] = await Promise.all([
    deps.channels.list(userId),
    deps.settings.levels(userId),
    deps.settings.heartbeat(userId),
  ])
  const levels = levelsOf(chosen)
  return {
    success,
    kinds: deps.kinds.map(({ id, label, hint, unavailable, carriesEvents, fields }) => ({
      id,
      label,
      hint,
      unavailable: unavailable ?? null,
      carries_events: carriesEvents ?? false,
      fields: fields.map((field) => ({
        name: field.name,
        label: field.label,
        hint: field.hint ?? null,
        placeholder: field.placeholder ?? null,
        is_secret: field.isSecret,
        is_optional: field.isOptional ?? false,
      })),
    })),
    channels: channels.map((channel) => ({
      id: channel.id,
      kind: channel.kind,
      name: channel.name,
      target: channel.target,
      fields: shownValues(deps, channel),
      is_enabled: channel.isEnabled,
      events: [...channel.events],
      escalation_minutes: channel.escalationMinutes,
      quiet_hours: channel.quietHours && {
        from: channel.quietHours.from,
        to: channel.quietHours.to,
        time_zone: channel.quietHours.timeZone,
      },
      waiting: channel.waiting,
      last_sent_at: channel.lastSentAt?.toISOString() ?? null,
      last_failure: channel.lastFailure,
    })),
    events: ALERT_EVENTS.map(({ id, label, hint }) => ({ id, label, hint, level: levels[id] })),
    outgoing_events: OUTGOING_EVENTS.map(({ id, label, hint }) => ({ id, label, hint })),
    heartbeat: {
      host: heartbeat ? heartbeatHost(deps, heartbeat) : null,
      is_on: heartbeat !== undefined,
      minutes: heartbeat?.minutes ?? 5,
      last_called_at: heartbeat?.calledAt?.toISOString() ?? null,
      problem: heartbeat?.problem ?? null,
    },
  }
}
