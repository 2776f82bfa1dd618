import { Problem } from '@tradewright/core/problem'
import { MINUTE } from '@tradewright/core/time'
import type { AlertLevel } from './alert-events.ts'
import type { OutgoingEvent, OutgoingEventId } from './outgoing-events.ts'

/** An alert as a channel carries it. */
export interface Alert {
  /** Stable over retries, so that a receiver can tell them from new ones. */
  readonly id: string
  readonly event: string
  readonly level: Exclude<AlertLevel, 'off'>
  readonly subject: string
  readonly text: string
  readonly at: Date
  /** The content of an event that the channel asked for; absent in alerts. */
  readonly data?: OutgoingEvent['data']
}

/** A field of a channel's form. */
interface ChannelField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly placeholder?: string
  /** Sealed, and never shown again. */
  readonly isSecret: boolean
  readonly isOptional?: boolean
  /** Where the secrets are sent: with another one they are entered again, so that no session can send them elsewhere. */
  readonly receivesSecrets?: true
  /** Why a value cannot be used, as a sentence. */
  check(value: string): string | undefined
}

export type ChannelValues = Readonly<Record<string, string>>

/** One way of telling users. Form, checks, test and delivery of a channel follow from its entry in the catalogue. */
export interface ChannelKind {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly fields: readonly ChannelField[]
  /** It can be told of outgoing events beside alerts. */
  readonly carriesEvents?: true
  /** Why it cannot be used on this server; undefined where it can. */
  readonly unavailable?: string | undefined
  /** Why the user may not send there, as a sentence: where others would get messages that they never asked for. */
  refusal?(userId: number, values: ChannelValues): Promise<string | undefined>
  /** Where it leads, without its secrets. */
  targetOf(values: ChannelValues): string
  /** Fails with a reason that holds no secret. */
  send(values: ChannelValues, alert: Alert, signal: AbortSignal): Promise<void>
}

export interface ChannelRow {
  readonly id: number
  readonly userId: number
  readonly kind: string
  readonly name: string
  readonly target: string
  readonly sealedValues: Buffer
  readonly isEnabled: boolean
  readonly quietHours: QuietHours | null
  /** What it is told of beside alerts. */
  readonly events: readonly OutgoingEventId[]
  /** It is told of alerts that were not acknowledged for so long; 0: at once. */
  readonly escalationMinutes: number
}

/** A message as the log of its channel shows it. */
export interface Delivery {
  readonly id: number
  readonly event: string
  readonly subject: string
  readonly state: 'waiting' | 'sent' | 'given_up'
  readonly attempts: number
  readonly failure: string | null
  readonly createdAt: Date
  readonly triedAt: Date | null
  /** The next try of one that waits. */
  readonly dueAt: Date
  readonly data: OutgoingEvent['data'] | null
}

/** A channel with how its deliveries went. */
export interface ChannelState extends ChannelRow {
  readonly waiting: number
  readonly lastSentAt: Date | null
  /** Why the newest message could not be delivered; null where it was. */
  readonly lastFailure: string | null
}

export const channelMissing = (): Problem =>
  new Problem('missing', 'alert-channel.missing', 'There is no such alert channel.')

/** From a time of day to another one, by the clock of a time zone; over midnight where the end comes first. */
export interface QuietHours {
  /** `22:00`. */
  readonly from: string
  readonly to: string
  /** An IANA name: `Europe/Berlin`. */
  readonly timeZone: string
}

const DAY_MINUTES = 24 * 60

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** How long quiet hours go on; undefined outside of them. By the wall clock, so an hour off on a day that changes it. */
export function quietForMs({ from, to, timeZone }: QuietHours, now: Date): number | undefined {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const time = minutesOf(clock.format(now))
  const length = cyclic(minutesOf(to) - minutesOf(from))
  const passed = cyclic(time - minutesOf(from))
  const secondsPassed = now.getTime() % MINUTE
  return passed < length ? (length - passed) * MINUTE - secondsPassed : undefined
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const cyclic = (minutes: number): number => (minutes + DAY_MINUTES) % DAY_MINUTES
