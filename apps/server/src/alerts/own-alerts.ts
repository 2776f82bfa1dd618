import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { SECOND, HOUR } from '@tradewright/core/time'
import { randomUUID } from 'node:crypto'
import { AddressRefused } from '../live-trading/notifications/notifications.ts'
import type { Deliver } from '../live-trading/notifications/outbox.ts'
import type { Seal, SealedPlace } from '../secrets/seal.ts'
import { ALERT_EVENTS, type AlertLevel, levelsOf } from './alert-events.ts'
import {
  type Alert,
  channelMissing,
  type ChannelKind,
  type ChannelRow,
  type ChannelValues,
  type Delivery,
  isTimeZone,
  quietForMs,
  type QuietHours,
} from './channel.ts'
import { OUTGOING_EVENTS, outgoingEventOf, type OutgoingEventId } from './outgoing-events.ts'
import { openSealed } from './heartbeat.ts'
import type { AlertSettingsStore, ChannelStore } from './ports.ts'
import type { AttemptCounters } from '../auth/ports.ts'
import { hashSecret } from '../auth/secret.ts'
import { tooMany } from '../auth/throttle.ts'
import { usernameKey } from '../auth/username-key.ts'

export interface AlertDeps {
  readonly channels: ChannelStore
  readonly settings: AlertSettingsStore
  readonly kinds: readonly ChannelKind[]
  readonly seal: Seal
  readonly clock: Clock
  readonly countTest: CountTest
  readonly countResend: CountTest
}

interface ChannelForm {
  readonly kind: string
  readonly name: string
  /** Secrets that are left out stay as they are. */
  readonly values: ChannelValues
  readonly isEnabled: boolean
  readonly quietHours: QuietHours | null
  readonly events: readonly string[]
  readonly escalationMinutes: number
}

const MAX_CHANNELS = 20
const DELIVERIES_SHOWN = 100
/** A whole delivery, however slowly the receiver answers. */
const DELIVERY_MS = 15 * SECOND

const placeOf = ({ id, userId }: Pick<ChannelRow, 'id' | 'userId'>): SealedPlace => ({
  table: 'alert_channels',
  row: id,
  userId,
})

export async function addChannel(deps: AlertDeps, userId: number, form: ChannelForm): Promise<number> {
  const { row, values } = checked(deps, form, {})
  await refuseOthers(deps, userId, row.kind, values)
  const seal = (id: number) => deps.seal.seal(placeOf({ id, userId }), JSON.stringify(values))
  const id = await deps.channels.insert(userId, row, { at: deps.clock.now(), seal, most: MAX_CHANNELS })
  if (id !== undefined) return id
  throw new Problem('conflict', 'alert-channel.many', `At most ${MAX_CHANNELS} alert channels are allowed.`)
}

export async function changeChannel(deps: AlertDeps, userId: number, id: number, form: ChannelForm): Promise<void> {
  const known = await findChannel(deps, userId, id)
  const { row, values } = checked(deps, { ...form, kind: known.kind }, valuesOf(deps, known) ?? {})
  await refuseOthers(deps, userId, row.kind, values)
  const sealed = deps.seal.seal(placeOf(known), JSON.stringify(values))
  if (!(await deps.channels.change(userId, id, row, sealed))) throw channelMissing()
}

export async function removeChannel({ channels }: AlertDeps, userId: number, id: number): Promise<void> {
  if (!(await channels.remove(userId, id))) throw channelMissing()
}

/** The newest messages of a channel, whatever became of them. */
export async function deliveriesOf(deps: AlertDeps, userId: number, id: number): Promise<Delivery[]> {
  await findChannel(deps, userId, id)
  return deps.channels.deliveries(userId, id, DELIVERIES_SHOWN)
}

export async function sendAgain(deps: AlertDeps, userId: number, id: number, deliveryId: number): Promise<void> {
  await findChannel(deps, userId, id)
  await deps.countResend(userId)
  if (await deps.channels.sendAgain(userId, id, deliveryId)) return
  throw new Problem('missing', 'alert-delivery.missing', 'There is no such undelivered message.')
}

/** Sent at once, whatever the quiet hours; the failure is told to the user who asked. With an event, as its example. */
export async function testChannel(deps: AlertDeps, userId: number, id: number, eventId?: string): Promise<string> {
  const channel = await findChannel(deps, userId, id)
  const type = eventId === undefined ? undefined : outgoingEventOf(eventId)
  if (eventId !== undefined && !type) throw unknownEvent()
  if (type && !kindOf(deps, channel.kind).carriesEvents) throw invalid('events', NO_EVENTS)
  await deps.countTest(userId)
  const alert: Alert = {
    id: `test-${randomUUID()}`,
    event: 'test',
    level: 'notice',
    subject: 'Tradewright: test alert',
    text: 'This is a test. Alerts about your deployments will arrive like this one.\n',
    at: deps.clock.now(),
  }
  const example = type && {
    event: type.id,
    subject: `Tradewright: ${type.label.toLowerCase()} (test)`,
    text: 'This is a test with made-up content.',
    data: { ...type.example, is_test: true },
  }
  try {
    await sendTo(deps, channel, { ...alert, ...example })
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('upstream', 'alert-channel.failed', `The test alert could not be sent: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
  return `A test alert was sent to ${channel.name} (${channel.target}).`
}

/** Delivers an alert of the outbox to its channel, unless that has quiet hours now. */
export const alertDelivery =
  (deps: AlertDeps): Deliver =>
  async ({ id, alert, event, subject, text, createdAt, data }) => {
    const channel = alert && (await deps.channels.byId(alert.channelId))
    if (!channel?.isEnabled) throw new AddressRefused('the channel was switched off')
    const heldForMs =
      !data && !alert!.isUrgent && channel.quietHours ? quietForMs(channel.quietHours, deps.clock.now()) : undefined
    if (heldForMs !== undefined) return { heldForMs }
    const level = alert!.isUrgent ? 'urgent' : 'notice'
    try {
      const common = { event, level, subject, text, at: createdAt } as const
      return await sendTo(
        deps,
        channel,
        data ? { id: `event-${id}`, ...common, data } : { id: `alert-${id}`, ...common },
      )
    } catch (error) {
      if (error instanceof Problem && error.kind === 'invalid') throw new AddressRefused(error.message)
      throw error
    }
  }

async function sendTo(deps: AlertDeps, channel: ChannelRow, alert: Alert): Promise<void> {
  const values = valuesOf(deps, channel)
  if (!values) throw new Problem('conflict', 'alert-channel.unreadable', ENTER_AGAIN)
  // Once more: the address of an account changes.
  await refuseOthers(deps, channel.userId, channel.kind, values)
  await kindOf(deps, channel.kind).send(values, alert, AbortSignal.timeout(DELIVERY_MS))
}

async function refuseOthers(deps: AlertDeps, userId: number, kind: string, values: ChannelValues): Promise<void> {
  const refusal = await kindOf(deps, kind).refusal?.(userId, values)
  if (refusal !== undefined) throw new Problem('invalid', 'alert-channel.not-own', refusal)
}

const ENTER_AGAIN = 'The stored secrets of this channel cannot be read. Please enter them again.'

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/\.$/, '') : 'the receiver failed'

export async function saveLevels(
  deps: AlertDeps,
  userId: number,
  chosen: Readonly<Record<string, AlertLevel>>,
): Promise<void> {
  const unknown = Object.keys(chosen).find((id) => !ALERT_EVENTS.some((event) => event.id === id))
  if (unknown !== undefined) throw new Problem('invalid', 'alert-event.unknown', 'There is no such alert event.')
  await deps.settings.saveLevels(userId, levelsOf({ ...(await deps.settings.levels(userId)), ...chosen }))
}

/** The fields that are no secrets; null where they must be entered again. */
export function shownValues(deps: AlertDeps, channel: ChannelRow): ChannelValues | null {
  const values = valuesOf(deps, channel)
  if (!values) return null
  const shown = kindOf(deps, channel.kind).fields.filter(({ isSecret }) => !isSecret)
  return Object.fromEntries(shown.map(({ name }) => [name, values[name] ?? '']))
}

function valuesOf({ seal }: Pick<AlertDeps, 'seal'>, channel: ChannelRow): ChannelValues | undefined {
  const text = openSealed(seal, placeOf(channel), channel.sealedValues)
  return text === undefined ? undefined : (JSON.parse(text) as ChannelValues)
}

async function findChannel({ channels }: AlertDeps, userId: number, id: number): Promise<ChannelRow> {
  const channel = await channels.find(userId, id)
  if (!channel) throw channelMissing()
  return channel
}

function kindOf({ kinds }: Pick<AlertDeps, 'kinds'>, id: string): ChannelKind {
  const kind = kinds.find((one) => one.id === id)
  if (!kind) throw invalid('kind', `The kind must be one of ${kinds.map((one) => one.id).join(', ')}.`)
  return kind
}

function checked(deps: AlertDeps, form: ChannelForm, known: ChannelValues) {
  const kind = kindOf(deps, form.kind)
  const name = form.name.trim() || kind.label
  const values: Record<string, string> = {}
  const isElsewhere = kind.fields.some(
    (field) => field.receivesSecrets && known[field.name] !== form.values[field.name]?.trim(),
  )
  for (const { name: field, isSecret } of kind.fields) {
    const given = form.values[field]?.trim() ?? ''
    values[field] = given === '' && isSecret && !isElsewhere ? (known[field] ?? '') : given
  }
  const missing = kind.fields.filter((field) => values[field.name] === '' && !field.isOptional)
  if (missing[0]) throw invalid(missing[0].name, `Please enter: ${missing.map(({ label }) => label).join(', ')}.`)
  for (const entry of kind.fields) {
    const value = values[entry.name] ?? ''
    const wrong = value === '' ? undefined : entry.check(value)
    if (wrong) throw invalid(entry.name, wrong)
  }
  const { quietHours, isEnabled, escalationMinutes } = form
  if (quietHours && !isTimeZone(quietHours.timeZone)) throw invalid('time-zone', 'Please choose a time zone.')
  const target = kind.targetOf(values)
  const events = eventsOf(kind, form)
  return { row: { kind: kind.id, name, target, isEnabled, quietHours, events, escalationMinutes }, values }
}

/** The chosen events in the order of the catalogue, each once. */
function eventsOf({ carriesEvents }: ChannelKind, { events }: ChannelForm): OutgoingEventId[] {
  if (events.some((id) => !outgoingEventOf(id))) throw unknownEvent()
  if (events.length > 0 && !carriesEvents) throw invalid('events', NO_EVENTS)
  return OUTGOING_EVENTS.map(({ id }) => id).filter((id) => events.includes(id))
}

const NO_EVENTS = 'Only webhooks can receive events in addition to alerts.'
const unknownEvent = () => new Problem('invalid', 'alert-channel.event', 'There is no such event.')

const invalid = (what: string, sentence: string) => new Problem('invalid', `alert-channel.${what}`, sentence)

const TESTS_AN_HOUR = 10
/** A morning's worth of a receiver that was away. */
const RESENDS_AN_HOUR = 100

/** Counts a test message of a user, and refuses one too many. */
export type CountTest = (userId: number) => Promise<void>

/** Tests go at once to any address that a user enters: without a limit they would be a way to flood strangers. */
export const testLimit =
  ({ counters, clock }: { readonly counters: AttemptCounters; readonly clock: Clock }): CountTest =>
  async (userId) => {
    const now = clock.now()
    const count = await counters.add(`test-messages:${userId}`, now, new Date(now.getTime() + HOUR))
    if (count.attempts > TESTS_AN_HOUR) throw tooMany('test messages', count.windowEndsAt, now)
  }

/** A receiver that refuses is asked again at each press: without a limit it would be a way to flood strangers. */
export const resendLimit =
  ({ counters, clock }: { readonly counters: AttemptCounters; readonly clock: Clock }): CountTest =>
  async (userId) => {
    const now = clock.now()
    const count = await counters.add(`messages-again:${userId}`, now, new Date(now.getTime() + HOUR))
    if (count.attempts > RESENDS_AN_HOUR) throw tooMany('messages sent again', count.windowEndsAt, now)
  }

const MAILS_AN_HOUR = 100

/** Mails of deployments go to the addresses in their forms: no inbox is flooded, by however many deployments. */
export const mailLimit =
  ({ counters, clock }: { readonly counters: AttemptCounters; readonly clock: Clock }) =>
  async (address: string): Promise<void> => {
    const now = clock.now()
    const inbox = hashSecret(usernameKey(address)).toString('base64url')
    const count = await counters.add(`mails to ${inbox}`, now, new Date(now.getTime() + HOUR))
    if (count.attempts > MAILS_AN_HOUR)
      throw new AddressRefused(`it was sent ${MAILS_AN_HOUR} e-mails within the last hour`)
  }
