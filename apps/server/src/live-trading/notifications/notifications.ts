import type { Clock } from '@tradewright/core/clock'
import { plainLine } from '@tradewright/core/plain-line'
import type { Logger } from '../../log.ts'
import type { Deployment, NotificationEvent } from '../deployment.ts'
import { KeptUntilStored } from './kept-until-stored.ts'
import type { MessageStore, NewMessage } from '../ports/messages.ts'
import type { Notice, Notify, PutMail } from '../cycle/types.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The event, as a header for filters. */
  readonly event: string
}

/** The address will never be taken: trying again is of no use. */
export class AddressRefused extends Error {}

/** Sends e-mail. `send` fails with `AddressRefused`, or with anything else when a later try may succeed. */
export interface Mailer {
  readonly isConfigured: boolean
  readonly from: string | undefined
  send(mail: Mail): Promise<void>
  sendTest(to: string): Promise<void>
  close(): void
}

/** All users of the instance share its mail server, so what a user typed is in the text and not in the heading. */
const SUBJECTS: Readonly<Record<NotificationEvent, string>> = {
  trades: 'Tradewright: trades of a deployment',
  errors: 'Tradewright: a deployment has a problem',
  signals: 'Tradewright: signal of a deployment',
  daily_summary: 'Tradewright: daily summary of a deployment',
}

const isEvent = (event: string): event is NotificationEvent => Object.hasOwn(SUBJECTS, event)

/** A message about a deployment as it leaves: its own heading is its first line. */
export function mailOf({ to, subject, text, event }: Mail): Mail {
  return {
    to,
    subject: isEvent(event) ? SUBJECTS[event] : 'Tradewright: notification of a deployment',
    text: `${plainLine(subject, 300)}\n\n${text}`,
    event,
  }
}

/** Why an address gets no mail, as sentences. */
export const unconfirmed = (to: string): string =>
  `${to} has not been confirmed. E-mails go only to addresses whose owner has confirmed them: send a test e-mail there to ask.`

interface NotificationDeps {
  readonly messages: MessageStore
  readonly mailer: Pick<Mailer, 'isConfigured'>
  readonly clock: Clock
  readonly log: Logger
}

interface Told {
  readonly mails: readonly NewMessage[]
  readonly at: Date
}

/**
 * An outbox of e-mails about deployments: each thing once, the same error once an hour, one message per address. They
 * become rows, by `put` in the transaction that decides what is told, and the sender carries them to the mail server.
 */
export class Notifications {
  readonly #deps: NotificationDeps
  readonly #kept: KeptUntilStored<Told>

  constructor(deps: NotificationDeps) {
    this.#deps = deps
    this.#kept = new KeptUntilStored('e-mails', ({ mails, at }) => deps.messages.put(mails, at), deps.log)
  }

  readonly put: PutMail = async ({ messages }, deployment, event, notice) => {
    await messages.put(this.#mailsFor(deployment, event, notice), this.#deps.clock.now())
  }

  /** A mail that cannot be stored now is stored at the next poll. */
  readonly notify: Notify = async (deployment, event, notice) => {
    const mails = this.#mailsFor(deployment, event, notice)
    if (mails.length > 0) await this.#kept.add({ mails, at: this.#deps.clock.now() })
  }

  save(): Promise<void> {
    return this.#kept.save()
  }

  #mailsFor(deployment: Deployment, event: NotificationEvent, notice: Notice): NewMessage[] {
    const mails = mailsFor(deployment, event, notice)
    if (mails.length === 0 || this.#deps.mailer.isConfigured) return mails
    const { subject } = notice
    this.#deps.log.info({ deploymentId: deployment.id, event, subject }, 'e-mail is not configured; not sent')
    return []
  }
}

/** One for each address that wants to know. */
function mailsFor(
  { id, settings, isPaper, accountName }: Deployment,
  event: NotificationEvent,
  { subject, text, key }: Notice,
): NewMessage[] {
  const { isEnabled, events, emails } = settings.notifications
  if (!isEnabled || !events[event]) return []
  const body = `${text}\n\nAccount: ${accountName}${isPaper ? ' (paper)' : ''}\n`
  return emails.map((to) => ({ deploymentId: id, event, key, to, subject, text: body }))
}
