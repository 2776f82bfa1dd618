import type { Clock } from '@tradewright/core/clock'
import type { Note } from '@tradewright/core/note'
import { Problem } from '@tradewright/core/problem'
import { DAY, MINUTE, SECOND } from '@tradewright/core/time'
import type { Logger } from '../log.ts'
import { type Actor, SYSTEM } from '../live-trading/actor.ts'
import type { Deployment } from '../live-trading/deployment.ts'
import { KeptUntilStored } from '../live-trading/notifications/kept-until-stored.ts'
import type { MessageStore } from '../live-trading/ports/messages.ts'
import {
  alertEventById,
  alertEventOf,
  type AlertLevel,
  alertMessage,
  HEARTBEAT_MISSING,
  levelsOf,
  nextTelling,
  OUTAGE,
  recoveryMessage,
  SERVER_ITSELF,
} from './alert-events.ts'
import type { ChannelRow } from './channel.ts'
import type { OutgoingEvent } from './outgoing-events.ts'
import type { AlertChange, AlertRow, AlertSettingsStore, AlertStore, AlertStores } from './ports.ts'

interface RaiseDeps {
  readonly alerts: AlertStore
  readonly settings: Pick<AlertSettingsStore, 'levels' | 'heartbeat'>
  readonly messages: Pick<MessageStore, 'putEvent'>
  readonly clock: Clock
  readonly log: Logger
  /** This process's server, as alerts name it, and whether its disk is nearly full. */
  readonly server: { readonly name: string; readonly isDiskLow: () => boolean }
}

interface Raised {
  readonly deployment: Deployment
  readonly note: Note
  readonly actor: Actor
  readonly at: Date
}

/** A deployment that joins an alert that was told already is told with the others that come in this time. */
const JOIN_MS = 30 * SECOND
/** An event is not repeated for ever. */
const MAX_REPEATED_MS = 7 * DAY
const RETENTION_MS = 30 * DAY
/** What an outage says of its missed runs is not told a second time. */
const OUTAGE_COVERS_MS = 10 * MINUTE

/**
 * Turns notes of deployments into alerts, one for each cause, and tells them: once, again until they are acknowledged, to
 * further channels after a while, and when they are over.
 */
export class Alerts {
  readonly #deps: RaiseDeps
  readonly #kept: KeptUntilStored<Raised>
  /** When each deployment was last told to have been out. */
  readonly #outages = new Map<number, number>()
  #forgotAt = 0

  constructor(deps: RaiseDeps) {
    this.#deps = deps
    this.#kept = new KeptUntilStored('alerts', (raised) => this.#store(raised), deps.log)
  }

  /** Never fails: an alert that cannot be stored now is stored at the next poll. */
  readonly raise = async (deployment: Deployment, note: Note, actor: Actor): Promise<void> => {
    if (alertEventOf(note)) await this.#kept.add({ deployment, note, actor, at: this.#deps.clock.now() })
  }

  /** Tells the operator that the disk of the server is nearly full; its end is found like that of every alert. */
  async raiseDiskLow(operatorId: number, sentence: string): Promise<void> {
    const at = this.#deps.clock.now()
    await this.#deps.alerts.open({
      userId: operatorId,
      kind: 'disk_low',
      cause: this.#deps.server.name,
      at,
      joinedToldAt: new Date(at.getTime() + JOIN_MS),
      member: {
        deploymentId: SERVER_ITSELF,
        name: this.#deps.server.name,
        accountName: '',
        isPaper: true,
        code: 'disk.low',
        sentence,
        by: SYSTEM.name,
        since: at.toISOString(),
        endedAt: null,
        isHealth: false,
      },
    })
  }

  /** Stores what could not be stored before, and tells what is due. */
  async save(): Promise<void> {
    await this.#kept.save()
    const { alerts, clock } = this.#deps
    const now = clock.now()
    await alerts.eachStanding(now, (row, stores) => this.#tellRecovery(row, stores, now))
    await alerts.eachDue(now, (row, stores) => this.#tell(row, stores, now))
    if (now.getTime() - this.#forgotAt < DAY) return
    this.#forgotAt = now.getTime()
    await alerts.forget(new Date(now.getTime() - RETENTION_MS))
  }

  async #store({ deployment, note, actor, at }: Raised): Promise<void> {
    const event = alertEventOf(note)!
    const { alerts, messages, settings } = this.#deps
    if (note.code === OUTAGE) this.#outages.set(deployment.id, at.getTime())
    const isCovered = at.getTime() - (this.#outages.get(deployment.id) ?? -Infinity) < OUTAGE_COVERS_MS
    if (event.id === 'missed_run' && isCovered) return
    if (note.code === HEARTBEAT_MISSING && (await settings.heartbeat(deployment.userId))) return
    const told = outgoingEventOf({ deployment, note, actor, at })
    if (told) await messages.putEvent(deployment.id, told)
    const { id, name, accountName, isPaper, healthProblem } = deployment
    await alerts.open({
      userId: deployment.userId,
      kind: event.id,
      cause: event.causeOf(note, deployment, actor.name),
      at,
      joinedToldAt: new Date(at.getTime() + JOIN_MS),
      member: {
        deploymentId: id,
        name,
        accountName,
        isPaper,
        code: note.code,
        sentence: note.sentence,
        // Device and address of a session stay in the app: what leaves the instance is kept by others.
        by: actor.name,
        since: at.toISOString(),
        endedAt: null,
        isHealth: healthProblem?.code === note.code,
      },
    })
  }

  /** The first time, again, or to channels that are told after a while only. */
  async #tell(row: AlertRow, { channels, put }: AlertStores, now: Date): Promise<AlertChange> {
    const event = alertEventById(row.kind)
    if (!event || now.getTime() - row.openedAt.getTime() > MAX_REPEATED_MS) return { tellAt: null, endedAt: now }
    const level = await this.#levelOf(row)
    const isRepeated = row.tellAt !== null && row.tellAt <= now
    const own = level === 'off' ? [] : channels.filter((one) => isTold(one, row, now))
    const to = isRepeated ? own : own.filter(({ id }) => !row.toldChannels.includes(id))
    const told = isRepeated ? row.told + 1 : row.told
    await put(to, `${row.id}:${row.told}`, level === 'urgent', event.id, alertMessage(event, row, now))
    const tellAt = isRepeated ? nextTelling(event, told, now) : row.tellAt
    const isDone = tellAt === null && isEvent(row)
    return {
      told,
      tellAt,
      toldChannels: [...new Set([...row.toldChannels, ...to.map(({ id }) => id)])],
      ...(isDone && { endedAt: now }),
    }
  }

  /** Marks what is over, and tells those who were told of it when nothing is left. */
  async #tellRecovery(row: AlertRow, { channels, put, states }: AlertStores, now: Date): Promise<AlertChange> {
    const event = alertEventById(row.kind)
    if (!event) return { endedAt: now }
    const { server } = this.#deps
    const members = row.members.map((member) => {
      const isServer = member.deploymentId === SERVER_ITSELF
      // Another server's disk is watched there.
      if (isServer && member.name !== server.name) return member
      const state = isServer ? { ...UNKNOWN_STATE, isDiskLow: server.isDiskLow() } : states.get(member.deploymentId)
      const isOver = member.endedAt === null && (state === undefined || event.isOver(member, state) === true)
      return isOver ? { ...member, endedAt: now.toISOString() } : member
    })
    if (members.every((member, i) => member === row.members[i])) return {}
    if (members.some(({ endedAt }) => endedAt === null)) return { members }
    const level = await this.#levelOf(row)
    const to = level === 'off' ? [] : channels.filter(({ id }) => row.toldChannels.includes(id))
    await put(to, `${row.id}:recovered`, false, event.id, recoveryMessage(event, row, now))
    return { members, endedAt: now }
  }

  async #levelOf({ userId, kind }: AlertRow): Promise<AlertLevel> {
    return levelsOf(await this.#deps.settings.levels(userId))[kind]
  }
}

/** Urgent or not, a channel that is meant for later is told when an alert was not acknowledged for so long. */
const isTold = ({ escalationMinutes }: Pick<ChannelRow, 'escalationMinutes'>, { openedAt }: AlertRow, now: Date) =>
  now.getTime() - openedAt.getTime() >= escalationMinutes * MINUTE

const UNKNOWN_STATE = {
  status: 'running',
  healthCode: null,
  disagreement: null,
  runMissedAt: null,
  emergencyStoppedAt: null,
  haltedTickers: [],
  askedOrders: [],
  decidedAt: null,
  outcome: null,
  hasHeartbeat: false,
} as const

/** Whether nothing about it lasts: told once, it is over. */
export function isEvent({ kind, members }: Pick<AlertRow, 'kind' | 'members'>): boolean {
  const event = alertEventById(kind)
  return members.every((member) => !event || event.isOver(member, UNKNOWN_STATE) === 'event')
}

const MAX_LISTED = 100

/** What is open, then what was, newest first. */
export const ownInbox = (alerts: AlertStore, userId: number): Promise<AlertRow[]> => alerts.list(userId, MAX_LISTED)

/** Ends repetitions and escalation; what still lasts stays open, and its end is told. */
export async function acknowledge(
  { alerts, clock }: { readonly alerts: AlertStore; readonly clock: Clock },
  { userId, by }: { readonly userId: number; readonly by: string },
  id: number | 'all',
): Promise<void> {
  const known = await alerts.acknowledge(userId, id, { by, at: clock.now() }, isEvent)
  if (!known && id !== 'all') throw new Problem('missing', 'alert.missing', 'There is no such alert.')
}

/**
 * The outgoing event of a note, for programs that asked for it; undefined for most notes. A second attempt to store it
 * has the same key, and adds nothing.
 */
function outgoingEventOf({ deployment, note, actor, at }: Raised): OutgoingEvent | undefined {
  const { code, sentence } = note
  const common = { text: sentence, data: { by: actor.name } }
  if (code === 'run-missed') {
    const key = `deployment.run_missed:${deployment.id}:${sentence}`
    return { event: 'deployment.run_missed', key, subject: 'missed run', ...common }
  }
  const isEmergency = code === 'emergency-stop'
  if (!isEmergency && code !== 'control.stop') return undefined
  return {
    event: 'deployment.stopped',
    key: `deployment.stopped:${deployment.id}:${at.toISOString()}`,
    subject: isEmergency ? 'emergency stop' : 'stop',
    text: sentence,
    data: { by: actor.name, is_emergency: isEmergency },
  }
}
