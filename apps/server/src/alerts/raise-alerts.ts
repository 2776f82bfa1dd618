import type { Clock } from '@tradewright/core/clock'
import type { Note } from '@tradewright/core/note'
import type { Deployment } from '../live-trading/deployment.ts'
import { KeptUntilStored } from '../live-trading/notifications/kept-until-stored.ts'
import type { MessageStore } from '../live-trading/ports/messages.ts'
import type { Logger } from '../log.ts'
import type { Actor } from '../live-trading/actor.ts'
import { alertEventOf, levelsOf } from './alert-events.ts'
import type { OutgoingEvent } from './outgoing-events.ts'
import type { AlertSettingsStore, ChannelStore } from './ports.ts'

interface RaiseDeps {
  readonly channels: Pick<ChannelStore, 'list'>
  readonly settings: Pick<AlertSettingsStore, 'levels'>
  readonly messages: Pick<MessageStore, 'put' | 'putEvent'>
  readonly clock: Clock
  readonly log: Logger
}

interface Raised {
  readonly deployment: Deployment
  readonly note: Note
  readonly actor: Actor
  readonly at: Date
}

/** Turns notes of deployments into messages of the outbox, one for each channel of the user. */
export class Alerts {
  readonly #deps: RaiseDeps
  readonly #kept: KeptUntilStored<Raised>

  constructor(deps: RaiseDeps) {
    this.#deps = deps
    this.#kept = new KeptUntilStored('alerts', (raised) => this.#store(raised), deps.log)
  }

  /** Never fails: an alert that cannot be stored now is stored at the next poll. */
  readonly raise = async (deployment: Deployment, note: Note, actor: Actor): Promise<void> => {
    if (alertEventOf(note)) await this.#kept.add({ deployment, note, actor, at: this.#deps.clock.now() })
  }

  save(): Promise<void> {
    return this.#kept.save()
  }

  async #store({ deployment, note, actor, at }: Raised): Promise<void> {
    const event = alertEventOf(note)!
    const { channels, settings, messages } = this.#deps
    const told = outgoingEventOf({ deployment, note, actor, at })
    if (told) await messages.putEvent(deployment.id, told)
    const level = levelsOf(await settings.levels(deployment.userId))[event.id]
    if (level === 'off') return
    const own = (await channels.list(deployment.userId)).filter(({ isEnabled }) => isEnabled)
    const { name, accountName, isPaper } = deployment
    const money = isPaper ? 'paper money' : 'real money'
    // Device and address of a session stay in the app: what leaves the instance is kept by others.
    const text = `${note.sentence}\n\nAccount: ${accountName} (${money})\nBy: ${actor.name}\n`
    await messages.put(
      own.map((channel) => ({
        deploymentId: deployment.id,
        event: event.id,
        key: `${event.id}:${event.keyOf(note, at)}`,
        to: channel.name,
        subject: `${name}: ${event.label.toLowerCase()}`,
        text,
        alert: { channelId: channel.id, isUrgent: level === 'urgent' },
      })),
      at,
    )
  }
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
