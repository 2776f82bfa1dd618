import type { Clock } from '@tradewright/core/clock'
import { DAY, HOUR, MINUTE, SECOND } from '@tradewright/core/time'
import type { Logger } from '../../log.ts'
import { Poller } from '../../poller.ts'
import { AddressRefused } from './notifications.ts'
import type { MessageStore, WaitingMessage } from '../ports/messages.ts'

/**
 * Takes a message to its receiver. Fails with `AddressRefused` where trying again is of no use. `heldForMs`: not now, but
 * after so many milliseconds, without counting as a try.
 */
export type Deliver = (message: WaitingMessage) => Promise<void | { readonly heldForMs: number }>

interface OutboxDeps {
  readonly messages: MessageStore
  readonly deliver: Deliver
  readonly clock: Clock
  readonly log: Logger
  /** Called once a day. */
  readonly forgetOld?: () => Promise<void>
  /** Called before each poll: messages that could not be stored before are stored now. */
  readonly save: () => Promise<void>
}

const POLL_INTERVAL_MS = 2 * SECOND
const AT_A_TIME = 20
/** Longer than a receiver may take: by then the process that took them has died. */
const TAKEN_FOR_SECONDS = 300
/** A receiver that is away for a night still gets them. */
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR]
/** Long enough that nothing is told twice. */
const RETENTION_MS = 30 * DAY

/**
 * Delivers the messages of the outbox, e-mails and alerts, beside other processes that do the same; each is leased by one
 * of them. A process that dies between the receiver's answer and its own note sends one again.
 */
export class Outbox extends Poller {
  readonly #deps: OutboxDeps
  #forgotAt = 0

  constructor(deps: OutboxDeps) {
    super(POLL_INTERVAL_MS)
    this.#deps = deps
  }

  protected override async workOnce(): Promise<void> {
    const { messages, log, save } = this.#deps
    try {
      await save()
      for (;;) {
        const due = await messages.lease(AT_A_TIME, TAKEN_FOR_SECONDS)
        await Promise.all(due.map((message) => this.#deliver(message)))
        if (due.length < AT_A_TIME || this.isClosed) break
      }
      await this.#forget()
    } catch (error) {
      log.warn({ err: error }, 'messages: the database cannot be reached, trying again')
    }
  }

  async #deliver(message: WaitingMessage): Promise<void> {
    const { messages, deliver, log } = this.#deps
    const { id, attempts, event } = message
    try {
      const held = await deliver(message)
      return held ? await messages.hold(id, held.heldForMs / SECOND) : await messages.sent(id)
    } catch (error) {
      const pause = error instanceof AddressRefused ? undefined : PAUSES[attempts - 1]
      const what = pause === undefined ? 'a message was given up' : 'a message will be tried again'
      log.warn({ err: error, event, attempts }, what)
      const reason = error instanceof Error ? error.message : String(error)
      const asked = askedPauseMs(error)
      await messages.failed(id, reason, pause === undefined ? undefined : Math.max(pause, asked) / SECOND)
    }
  }

  async #forget(): Promise<void> {
    const now = this.#deps.clock.now().getTime()
    if (now - this.#forgotAt < DAY) return
    this.#forgotAt = now
    await this.#deps.messages.forget(new Date(now - RETENTION_MS))
    await this.#deps.forgetOld?.()
  }
}

/** A receiver that limits us says how long; one that asks for days is asked again within the hour. */
function askedPauseMs(error: unknown): number {
  const seconds = error instanceof Error && 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined
  return typeof seconds === 'number' ? Math.min(seconds * SECOND, HOUR) : 0
}
