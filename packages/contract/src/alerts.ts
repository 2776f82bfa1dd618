import { z } from 'zod'
import { boundedRecord } from './bounds.ts'
import { Sentence, Success } from './answers.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'

const tag = 'Alerts'
const params = z.object({ id: PathId })

export const ALERT_LEVELS = ['off', 'notice', 'urgent'] as const
const level = z.enum(ALERT_LEVELS, `A level must be one of ${ALERT_LEVELS.join(', ')}.`)

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Quiet hours must be times like 22:00.')

/** From a time of day to another one, over midnight where the end comes first. Notices wait until they are over. */
const QuietHours = z.object({ from: time, to: time, time_zone: z.string().trim().min(1).max(64) })

/** Secrets never come back. */
const AlertChannel = z.object({
  id: z.int(),
  /** The id of its kind. */
  kind: z.string(),
  name: z.string(),
  /** Where it leads, without its secrets. */
  target: z.string(),
  /** Fields that are no secrets; null where the stored ones cannot be read and must be entered again. */
  fields: z.record(z.string(), z.string()).nullable(),
  is_enabled: z.boolean(),
  quiet_hours: QuietHours.nullable(),
  /** Ids of the outgoing events that it is told of, beside alerts. */
  events: z.array(z.string()),
  /** It is told of alerts that were not acknowledged for so many minutes; 0: at once. */
  escalation_minutes: z.int(),
  /** Alerts on their way. */
  waiting: z.int(),
  last_sent_at: z.iso.datetime().nullable(),
  /** Why the newest alert could not be delivered, as half a sentence. */
  last_failure: Sentence.nullable(),
})
export type AlertChannel = z.infer<typeof AlertChannel>

const ChannelKind = z.object({
  id: z.string(),
  label: z.string(),
  hint: Sentence,
  /** Why it cannot be used on this server, as a sentence. */
  unavailable: Sentence.nullable(),
  /** It can be told of outgoing events beside alerts. */
  carries_events: z.boolean(),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      hint: Sentence.nullable(),
      placeholder: z.string().nullable(),
      is_secret: z.boolean(),
      is_optional: z.boolean(),
    }),
  ),
})
export type AlertChannelKind = z.infer<typeof ChannelKind>

const AlertEvent = z.object({ id: z.string(), label: z.string(), hint: Sentence, level })

const Heartbeat = z.object({
  /** The host that is called; null where none is, or where the address must be entered again. */
  host: z.string().nullable(),
  is_on: z.boolean(),
  minutes: z.int(),
  last_called_at: z.iso.datetime().nullable(),
  /** Why it was not called or not answered the last time, as a sentence. */
  problem: Sentence.nullable(),
})

const AlertsAnswer = Success.extend({
  kinds: z.array(ChannelKind),
  channels: z.array(AlertChannel),
  events: z.array(AlertEvent),
  /** What a webhook can be told of beside alerts. */
  outgoing_events: z.array(z.object({ id: z.string(), label: z.string(), hint: Sentence })),
  heartbeat: Heartbeat,
})
export type AlertsAnswer = z.infer<typeof AlertsAnswer>

export const getAlerts = route({
  method: 'GET',
  path: '/api/alerts',
  access: 'signed in',
  tag,
  summary: 'Alert channels of the signed-in user, the kinds there are, the level of each event, and the heartbeat.',
  answer: AlertsAnswer,
})

export const ChannelBody = z.object({
  name: z.string().trim().max(100).default(''),
  /** By field of the kind. When a channel is changed, secrets that are left out stay as they are. */
  fields: boundedRecord(z.string().max(50), z.string().max(2000), { max: 50, what: 'The fields' }).default({}),
  is_enabled: z.boolean().default(true),
  quiet_hours: QuietHours.nullable().default(null),
  /** Outgoing events that a webhook is told of, beside alerts. */
  events: z.array(z.string().max(50)).max(50).default([]),
  /** Told of alerts that were not acknowledged for so many minutes; 0: at once. */
  escalation_minutes: z.int('Minutes must be whole.').min(0).max(1440).default(0),
})
export type AlertChannelBody = z.input<typeof ChannelBody>

export const addAlertChannel = route({
  method: 'POST',
  path: '/api/alerts/channels',
  access: 'signed in',
  tag,
  summary: 'Add an alert channel.',
  addsRows: true,
  body: ChannelBody.extend({ kind: z.string().max(50) }),
  answer: AlertsAnswer,
})

export const changeAlertChannel = route({
  method: 'PUT',
  path: '/api/alerts/channels/:id',
  access: 'signed in',
  tag,
  summary: 'Change an alert channel.',
  params,
  body: ChannelBody,
  answer: AlertsAnswer,
})

export const deleteAlertChannel = route({
  method: 'DELETE',
  path: '/api/alerts/channels/:id',
  access: 'signed in',
  tag,
  summary: 'Delete an alert channel, and what waits for it.',
  params,
  answer: AlertsAnswer,
})

export const testAlertChannel = route({
  method: 'POST',
  path: '/api/alerts/channels/:id/test',
  access: 'signed in',
  tag,
  summary: 'Send a test alert at once, whatever the quiet hours; with `event`, an example of that outgoing event.',
  params,
  query: z.object({ event: z.string().max(50).optional() }),
  answer: Success.extend({ message: Sentence }),
})

const AlertDelivery = z.object({
  id: z.int(),
  event: z.string(),
  subject: z.string(),
  state: z.enum(['waiting', 'sent', 'given_up']),
  attempts: z.int(),
  /** Why the last try failed, as half a sentence. */
  failure: Sentence.nullable(),
  created_at: z.iso.datetime(),
  tried_at: z.iso.datetime().nullable(),
  /** The next try of one that waits. */
  due_at: z.iso.datetime().nullable(),
  /** The content of an event; null for a message that is none. */
  data: z.record(z.string(), z.unknown()).nullable(),
})
export type AlertDelivery = z.infer<typeof AlertDelivery>

export const getAlertDeliveries = route({
  method: 'GET',
  path: '/api/alerts/channels/:id/deliveries',
  access: 'signed in',
  tag,
  summary: 'The newest 100 messages of a channel and what became of them. They are kept for 30 days.',
  params,
  answer: Success.extend({ deliveries: z.array(AlertDelivery) }),
})

export const sendAlertAgain = route({
  method: 'POST',
  path: '/api/alerts/channels/:id/deliveries/:delivery/send',
  access: 'signed in',
  tag,
  summary: 'Resend an undelivered message.',
  params: params.extend({ delivery: PathId }),
  answer: Success,
})

export const setAlertLevels = route({
  method: 'PUT',
  path: '/api/alerts/levels',
  access: 'signed in',
  tag,
  summary: 'The level of each event: off, notice (waits for the end of quiet hours) or urgent. What is left out stays.',
  /** By event. */
  body: z.object({ levels: boundedRecord(z.string().max(50), level, { max: 100, what: 'The levels' }) }),
  answer: AlertsAnswer,
})

export const setHeartbeat = route({
  method: 'PUT',
  path: '/api/alerts/heartbeat',
  access: 'signed in',
  tag,
  summary: 'The address that is called while all is well. An empty one ends it; left out, the stored one stays.',
  body: z.object({
    url: z.string().trim().max(2000).optional(),
    minutes: z.int('The interval must be whole minutes.').min(1).max(1440).default(5),
  }),
  answer: AlertsAnswer,
})

const InboxAlert = z.object({
  id: z.int(),
  /** The id of its event. */
  kind: z.string(),
  title: z.string(),
  /** The deployment, or how many there are. */
  about: z.string(),
  level: z.enum(['notice', 'urgent']),
  /** `happened`: nothing about it lasts. */
  state: z.enum(['open', 'over', 'happened']),
  /** How it ended, as a sentence. */
  recovery: Sentence.nullable(),
  deployments: z.array(
    z.object({
      deployment_id: z.int().describe('0: the server itself, for its operator'),
      name: z.string(),
      account_name: z.string(),
      is_paper: z.boolean(),
      text: Sentence,
      since: z.iso.datetime(),
      ended_at: z.iso.datetime().nullable(),
    }),
  ),
  opened_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  /** How often its channels were told. */
  told: z.int(),
  /** When they are told again, unless it is acknowledged before. */
  told_next_at: z.iso.datetime().nullable(),
  acknowledged_at: z.iso.datetime().nullable(),
  acknowledged_by: z.string().nullable(),
})
export type InboxAlert = z.infer<typeof InboxAlert>

const InboxAnswer = Success.extend({ alerts: z.array(InboxAlert) })
export type InboxAnswer = z.infer<typeof InboxAnswer>

export const getInbox = route({
  method: 'GET',
  path: '/api/alerts/inbox',
  access: 'signed in',
  scope: 'read',
  tag,
  summary:
    'The newest 100 alerts, one for each cause with its deployments; open ones first. They are kept for 30 days.',
  answer: InboxAnswer,
})

export const acknowledgeAlert = route({
  method: 'POST',
  path: '/api/alerts/inbox/:id/acknowledge',
  access: 'signed in',
  tag,
  summary: 'Acknowledge an alert: its channels are not told again, except when it is over.',
  params,
  answer: InboxAnswer,
})

export const acknowledgeAlerts = route({
  method: 'POST',
  path: '/api/alerts/inbox/acknowledge',
  access: 'signed in',
  tag,
  summary: 'Acknowledge all alerts.',
  answer: InboxAnswer,
})
