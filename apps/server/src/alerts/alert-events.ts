import type { Note } from '@tradewright/core/note'

/** `urgent` is told at once; a `notice` waits for the end of a channel's quiet hours. */
export type AlertLevel = 'off' | 'notice' | 'urgent'

interface AlertEvent {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly level: AlertLevel
  /** Whether a note of a deployment is about this. */
  matches(note: Note): boolean
  /** Alerts with the same key are told once an hour. */
  keyOf(note: Note, at: Date): string
}

const coded =
  (...codes: readonly string[]) =>
  ({ code }: Note) =>
    codes.includes(code)
const eachTime = ({ code }: Note, at: Date) => `${code} ${at.toISOString()}`
const oncePerSentence = ({ sentence }: Note) => sentence

/** Everything that users can be alerted to, in the order of the settings. The first that matches a note counts. */
const alertEvents = [
  {
    id: 'missed_run',
    label: 'Missed run',
    hint: 'A scheduled run was missed.',
    level: 'notice',
    matches: coded('run-missed'),
    // A deployment that runs every minute would otherwise tell every minute.
    keyOf: ({ code }) => code,
  },
  {
    id: 'disagreement',
    label: 'Disagreement',
    hint: 'Books and broker differ, and nothing is traded until they agree.',
    level: 'urgent',
    matches: coded('deployment.disagreement'),
    keyOf: oncePerSentence,
  },
  {
    id: 'ticker_change',
    label: 'Ticker change',
    hint: 'A corporate action turned a holding into another ticker, and nothing is traded until you choose.',
    level: 'urgent',
    matches: coded('deployment.ticker-change'),
    keyOf: oncePerSentence,
  },
  {
    id: 'held_order',
    label: 'Held order',
    hint: 'An order was cancelled at the broker or refused, and is not sent again until you choose.',
    level: 'urgent',
    matches: coded('order-held'),
    keyOf: oncePerSentence,
  },
  {
    id: 'limit_reached',
    label: 'Limit reached',
    hint: 'A loss limit paused a deployment, or a limit blocked an order.',
    level: 'urgent',
    matches: ({ code }) => code.startsWith('limit.') || code === 'order-limit' || code === 'deployment.account-loss',
    keyOf: oncePerSentence,
  },
  {
    id: 'stopped',
    label: 'Stop',
    hint: 'A user stopped a deployment.',
    level: 'notice',
    matches: coded('control.stop'),
    keyOf: eachTime,
  },
  {
    id: 'emergency_stop',
    label: 'Emergency stop',
    hint: 'A deployment was stopped by the emergency stop.',
    level: 'urgent',
    matches: coded('emergency-stop'),
    keyOf: eachTime,
  },
  {
    id: 'problem',
    label: 'Other problem',
    hint: 'Anything else that keeps a deployment from trading as planned.',
    level: 'notice',
    matches: ({ level, code }) => level === 'error' || code === 'decision-incomplete' || code === 'ticker-halted',
    keyOf: oncePerSentence,
  },
] as const satisfies readonly AlertEvent[]

type AlertEventId = (typeof alertEvents)[number]['id']
export type AlertLevels = Readonly<Record<AlertEventId, AlertLevel>>

export const ALERT_EVENTS: readonly (AlertEvent & { readonly id: AlertEventId })[] = alertEvents

export const alertEventOf = (note: Note) => ALERT_EVENTS.find((event) => event.matches(note))

/** What was chosen, and the defaults for the rest. */
export const levelsOf = (chosen: Partial<AlertLevels>): AlertLevels =>
  Object.fromEntries(ALERT_EVENTS.map(({ id, level }) => [id, chosen[id] ?? level])) as AlertLevels
