import type { Note } from '@tradewright/core/note'
import { DAY, HOUR, MINUTE } from '@tradewright/core/time'
import type { Deployment } from '../live-trading/deployment.ts'

/** `urgent` is told at once; a `notice` waits for the end of a channel's quiet hours. */
export type AlertLevel = 'off' | 'notice' | 'urgent'

/** In place of the id of a deployment: the alert is about the server, and goes to its operator. */
export const SERVER_ITSELF = 0

/** What an alert says about one deployment. Plain data: it is kept with the alert. */
export interface AlertMember {
  readonly deploymentId: number
  readonly name: string
  readonly accountName: string
  readonly isPaper: boolean
  readonly code: string
  readonly sentence: string
  /** Who caused it. */
  readonly by: string
  /** ISO instants. */
  readonly since: string
  readonly endedAt: string | null
  /** It was the deployment's health problem when it was raised, and is over with that. */
  readonly isHealth: boolean
}

/** What is known of a deployment when an alert about it may be over. */
export interface AlertedState {
  readonly status: string
  readonly healthCode: string | null
  /** Why the books of its account and the broker disagree. */
  readonly disagreement: string | null
  readonly runMissedAt: Date | null
  readonly emergencyStoppedAt: Date | null
  readonly haltedTickers: readonly string[]
  /** Orders that its user is asked about, by side and ticker. */
  readonly askedOrders: readonly string[]
  /** The newest decision of its strategy. */
  readonly decidedAt: Date | null
  readonly outcome: string | null
  readonly hasHeartbeat: boolean
  /** Whether the server's own disk is nearly full; undefined for deployments. */
  readonly isDiskLow?: boolean
}

/** Over, not over, or an event, which ends when it is acknowledged. */
type Ending = boolean | 'event'

interface AlertEvent {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly level: AlertLevel
  /** Whether a note of a deployment is about this. */
  matches(note: Note): boolean
  /** Notes of a user with the same cause are one alert, about all of their deployments. */
  causeOf(note: Note, deployment: Pick<Deployment, 'accountId'>, by: string): string
  /** After how many minutes it is told again until it is acknowledged, the last one over and over; none: told once. */
  readonly repeatMinutes: readonly number[]
  isOver(member: AlertMember, state: AlertedState): Ending
  /** Told when it is over. */
  readonly recovery: string
}

const coded =
  (...codes: readonly string[]) =>
  ({ code }: Note) =>
    codes.includes(code)
const URGENT = [15, 30, 60, 240]
const EVERY_FEW_HOURS = [60, 240]
const DAILY = [1_440]
const ONCE: readonly number[] = []

const DISAGREEMENT = 'deployment.disagreement'
export const OUTAGE = 'outage'
export const HEARTBEAT_MISSING = 'heartbeat-missing'

const happened = (): Ending => 'event'
const healthIsOver = ({ code }: AlertMember, { healthCode, status }: AlertedState) =>
  healthCode !== code || status === 'stopped'
/** What kept orders from being carried out is over with the next decision that was. */
const nextDecisionWorked = ({ since }: AlertMember, { decidedAt, outcome }: AlertedState): boolean =>
  decidedAt !== null && decidedAt > new Date(since) && (outcome === 'done' || outcome === 'held')

const isAbout = (sentence: string, order: string): boolean =>
  new RegExp(`\\border to ${RegExp.escape(order)}(?![\\w-])`).test(sentence)

/** The ends of codes that are no health problem, and last nevertheless. */
const ENDINGS: Readonly<Record<string, AlertEvent['isOver']>> = {
  'decision-incomplete': nextDecisionWorked,
  'order-refused': nextDecisionWorked,
  'order-rejected': nextDecisionWorked,
  'order-limit': nextDecisionWorked,
  'ticker-halted': ({ sentence }, { haltedTickers }) => !haltedTickers.some((ticker) => sentence.includes(ticker)),
  'not-all-sold': happened,
}

const endingOf: AlertEvent['isOver'] = (member, state) =>
  (member.isHealth ? healthIsOver : (ENDINGS[member.code] ?? happened))(member, state)

/**
 * Everything that users can be alerted to, in the order of the settings; the first that matches a note counts. Messages of
 * channels, rows of the inbox, repetitions and recoveries follow from the entry.
 */
const alertEvents = [
  {
    id: 'outage',
    label: 'Outage',
    hint: 'Deployments were not watched for a while: how long, which runs were missed and what changed in value.',
    level: 'urgent',
    matches: coded(OUTAGE),
    causeOf: () => 'outage',
    repeatMinutes: EVERY_FEW_HOURS,
    isOver: happened,
    recovery: 'Deployments are watched again.',
  },
  {
    id: 'missed_run',
    label: 'Missed run',
    hint: 'A scheduled run was missed.',
    level: 'notice',
    matches: coded('run-missed'),
    // A deployment that runs every minute would otherwise tell every minute.
    causeOf: ({ code }) => code,
    repeatMinutes: DAILY,
    isOver: (_member, { runMissedAt }) => runMissedAt === null,
    recovery: 'Runs are carried out again.',
  },
  {
    id: 'disagreement',
    label: 'Disagreement',
    hint: 'Books and broker differ, and nothing is traded until they agree.',
    level: 'urgent',
    matches: coded(DISAGREEMENT),
    causeOf: (_note, { accountId }) => `account ${accountId}`,
    repeatMinutes: URGENT,
    isOver: (_member, { disagreement }) => disagreement === null,
    recovery: 'Broker and books agree again.',
  },
  {
    id: 'ticker_change',
    label: 'Ticker change',
    hint: 'A corporate action turned a holding into another ticker, and nothing is traded until you choose.',
    level: 'urgent',
    matches: coded('deployment.ticker-change'),
    causeOf: ({ sentence }) => sentence,
    repeatMinutes: EVERY_FEW_HOURS,
    isOver: healthIsOver,
    recovery: 'The ticker has been chosen.',
  },
  {
    id: 'held_order',
    label: 'Held order',
    hint: 'An order was cancelled at the broker or refused, and is not sent again until you choose.',
    level: 'urgent',
    matches: coded('order-held'),
    causeOf: ({ sentence }, { accountId }) => `${accountId} ${sentence}`,
    repeatMinutes: EVERY_FEW_HOURS,
    isOver: ({ sentence }, { askedOrders }) => !askedOrders.some((order) => isAbout(sentence, order)),
    recovery: 'The order is decided about.',
  },
  {
    id: 'limit_reached',
    label: 'Limit reached',
    hint: 'A loss limit paused a deployment, or a limit blocked an order.',
    level: 'urgent',
    matches: ({ code }) => code.startsWith('limit.') || code === 'order-limit' || code === 'deployment.account-loss',
    causeOf: ({ code, sentence }, { accountId }) => `${code} ${accountId} ${code === 'order-limit' ? sentence : ''}`,
    repeatMinutes: EVERY_FEW_HOURS,
    isOver: (member, state) =>
      member.code.startsWith('limit.') ? state.healthCode !== member.code : endingOf(member, state),
    recovery: 'The limit no longer holds anything back.',
  },
  {
    id: 'stop_reached',
    label: 'Stop reached',
    hint: 'A position came to its stop and is sold.',
    level: 'urgent',
    matches: coded('stop-reached'),
    causeOf: ({ sentence }, { accountId }) => `${accountId} ${sentence}`,
    repeatMinutes: ONCE,
    isOver: happened,
    recovery: 'The position is sold.',
  },
  {
    id: 'stopped',
    label: 'Stop',
    hint: 'A user stopped a deployment.',
    level: 'notice',
    matches: coded('control.stop'),
    causeOf: ({ code }, _deployment, by) => `${code} ${by}`,
    repeatMinutes: ONCE,
    isOver: happened,
    recovery: 'Started again.',
  },
  {
    id: 'emergency_stop',
    label: 'Emergency stop',
    hint: 'A deployment was stopped by the emergency stop.',
    level: 'urgent',
    matches: coded('emergency-stop'),
    causeOf: ({ code }, _deployment, by) => `${code} ${by}`,
    repeatMinutes: EVERY_FEW_HOURS,
    isOver: (_member, { emergencyStoppedAt }) => emergencyStoppedAt === null,
    recovery: 'Started again after the emergency stop.',
  },
  {
    id: 'no_heartbeat',
    label: 'No heartbeat',
    hint: 'Real money is deployed, and nothing outside of this server would notice that it is down.',
    level: 'notice',
    matches: coded(HEARTBEAT_MISSING),
    causeOf: ({ code }) => code,
    repeatMinutes: ONCE,
    isOver: (_member, { hasHeartbeat, status }) => hasHeartbeat || status === 'stopped',
    recovery: 'A heartbeat is set up.',
  },
  {
    id: 'disk_low',
    label: 'Disk nearly full',
    hint: 'For the operator of this server: new series, histories and runs are refused until there is room.',
    level: 'urgent',
    matches: coded('disk.low'),
    causeOf: ({ code }) => code,
    repeatMinutes: EVERY_FEW_HOURS,
    isOver: (_member, { isDiskLow }) => isDiskLow === false,
    recovery: 'The disk has room again.',
  },
  {
    id: 'problem',
    label: 'Other problem',
    hint: 'Anything else that keeps a deployment from trading as planned.',
    level: 'notice',
    matches: ({ level, code }) => level === 'error' || code === 'decision-incomplete' || code === 'ticker-halted',
    // One ticker without prices, or a broker that is away, is one alert about all deployments that it holds up.
    causeOf: ({ code, sentence }) => (code === 'deployment.stale-data' ? code : `${code} ${sentence}`),
    repeatMinutes: DAILY,
    isOver: endingOf,
    recovery: 'Trading as planned again.',
  },
] as const satisfies readonly AlertEvent[]

export type AlertEventId = (typeof alertEvents)[number]['id']
export type AlertLevels = Readonly<Record<AlertEventId, AlertLevel>>

export const ALERT_EVENTS: readonly (AlertEvent & { readonly id: AlertEventId })[] = alertEvents

export const alertEventOf = (note: Note) => ALERT_EVENTS.find((event) => event.matches(note))

export const alertEventById = (id: string) => ALERT_EVENTS.find((event) => event.id === id)

/** What was chosen, and the defaults for the rest. */
export const levelsOf = (chosen: Partial<AlertLevels>): AlertLevels =>
  Object.fromEntries(ALERT_EVENTS.map(({ id, level }) => [id, chosen[id] ?? level])) as AlertLevels

/** When an alert that was told so many times is told again. */
export function nextTelling(
  { repeatMinutes }: Pick<AlertEvent, 'repeatMinutes'>,
  told: number,
  now: Date,
): Date | null {
  const minutes = repeatMinutes[told - 1] ?? repeatMinutes.at(-1)
  return minutes === undefined ? null : new Date(now.getTime() + minutes * MINUTE)
}

interface AlertStory {
  readonly members: readonly AlertMember[]
  readonly openedAt: Date
  /** How often it was told before. */
  readonly told: number
}

const stillThere = ({ members }: Pick<AlertStory, 'members'>) => members.filter(({ endedAt }) => endedAt === null)

/** `Momentum`, or how many deployments it is about. */
export function whomOf(members: readonly AlertMember[]): string {
  return members.length === 1 ? members[0]!.name : `${members.length} deployments`
}

/** An alert as a message, the first time and when it is told again. */
export function alertMessage(
  event: (typeof ALERT_EVENTS)[number],
  story: AlertStory,
  now: Date,
): { readonly subject: string; readonly text: string } {
  const members = stillThere(story)
  const asked = event.repeatMinutes.length > 0 ? 'Told again until it is acknowledged in the inbox, or over.\n' : ''
  const lasted = story.told > 0 ? `For ${inWords(now.getTime() - story.openedAt.getTime())}. ` : ''
  const what = event.label.toLowerCase()
  return {
    subject: `${whomOf(members)}: ${story.told > 0 ? `still ${what}` : what}`,
    text: `${asText(members)}${lasted}${asked}`,
  }
}

export function recoveryMessage(
  event: (typeof ALERT_EVENTS)[number],
  { members, openedAt }: AlertStory,
  now: Date,
): { readonly subject: string; readonly text: string } {
  const names = members.map(({ name }) => name).join(', ')
  const lasted = inWords(now.getTime() - openedAt.getTime())
  return {
    subject: `${whomOf(members)}: recovered from ${event.label.toLowerCase()}`,
    text: `${event.recovery} It lasted ${lasted}.\n\n${whatOf(members)}: ${names}\n`,
  }
}

const whatOf = (members: readonly AlertMember[]) =>
  members[0]!.deploymentId === SERVER_ITSELF ? 'Server' : members.length === 1 ? 'Deployment' : 'Deployments'

/** Each sentence once, with the deployments that it is about. */
function asText(members: readonly AlertMember[]): string {
  const accountOf = ({ accountName, isPaper }: AlertMember) =>
    `${accountName} (${isPaper ? 'paper money' : 'real money'})`
  const paragraphs = Map.groupBy(members, ({ sentence }) => sentence)
  const by = [...new Set(members.map((member) => member.by))].join(', ')
  if (members[0]?.deploymentId === SERVER_ITSELF) return `${members[0].sentence}\n\n`
  if (members.length === 1) return `${members[0]!.sentence}\n\nAccount: ${accountOf(members[0]!)}\nBy: ${by}\n`
  const lines = [...paragraphs].map(
    ([sentence, about]) => `${sentence}\n${about.map((one) => `- ${one.name}, ${accountOf(one)}`).join('\n')}\n`,
  )
  return `${lines.join('\n')}\nBy: ${by}\n`
}

/** `6 d 19 h`: the two largest units. */
export function inWords(ms: number): string {
  const units = [
    { length: DAY, word: 'd' },
    { length: HOUR, word: 'h' },
    { length: MINUTE, word: 'min' },
  ]
  const first = units.findIndex(({ length }) => ms >= length)
  if (first < 0) return 'less than a minute'
  let rest = ms
  const words = units.slice(first, first + 2).flatMap(({ length, word }) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count === 0 ? [] : `${count} ${word}`
  })
  return words.join(' ')
}
