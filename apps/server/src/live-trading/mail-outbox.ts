import type { Clock } from '@tradewright/core/clock'
import { DAY, HOUR, MINUTE, SECOND } from '@tradewright/core/time'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import { AddressRefused, type Mailer } from './notifications.ts'
import type { MailStore, WaitingMail } from './ports/mails.ts'

interface OutboxDeps {
  readonly mails: MailStore
  readonly mailer: Mailer
  readonly clock: Clock
  readonly log: Logger
  /** Called before each poll: mails that could not be stored before are stored now. */
  readonly save: () => Promise<void>
}

const POLL_INTERVAL_MS = 2 * SECOND
const CLOSE_WITHIN = 3 * SECOND
const AT_A_TIME = 20
/** Longer than a mail server may take: by then the process that took them has died. */
const TAKEN_FOR_SECONDS = 300
/** A mail server that is away for a night still gets them. */
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR]
/** Long enough that nothing is told twice. */
const RETENTION_MS = 30 * DAY

/**
 * Sends the e-mails of the outbox to the mail server, beside other processes that do the same; each is leased by one of
 * them. A process that dies between the server's answer and its own note sends one again.
 */
export class MailOutbox {
  readonly #deps: OutboxDeps
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #work: Promise<void> | undefined
  #forgotAt = 0

  constructor(deps: OutboxDeps) {
    this.#deps = deps
  }

  start(): void {
    if (!this.#deps.mailer.isConfigured) return
    const look = async () => {
      await this.carry()
      if (!this.#isClosed) this.#timer = setTimeout(() => void look(), POLL_INTERVAL_MS).unref()
    }
    void look()
  }

  /** One poll, and every e-mail that was due. */
  async carry(): Promise<void> {
    this.#work ??= this.#carry().finally(() => (this.#work = undefined))
    await this.#work
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    // A mail server that hangs must not delay the end: mails it did not take are taken up again.
    await Promise.race([this.#work, wait(CLOSE_WITHIN, undefined, { ref: false })])
  }

  async #carry(): Promise<void> {
    const { mails, log, save } = this.#deps
    try {
      await save()
      for (;;) {
        const due = await mails.take(AT_A_TIME, TAKEN_FOR_SECONDS)
        await Promise.all(due.map((mail) => this.#deliver(mail)))
        if (due.length < AT_A_TIME || this.#isClosed) break
      }
      await this.#forget()
    } catch (error) {
      log.warn({ err: error }, 'e-mails: the database cannot be reached, trying again')
    }
  }

  async #deliver({ id, attempts, ...mail }: WaitingMail): Promise<void> {
    const { mails, mailer, log } = this.#deps
    try {
      await mailer.send(mail)
    } catch (error) {
      const pause = error instanceof AddressRefused ? undefined : PAUSES[attempts - 1]
      const what = pause === undefined ? 'an e-mail was given up' : 'an e-mail will be tried again'
      log.warn({ err: error, event: mail.event, attempts }, what)
      const reason = error instanceof Error ? error.message : String(error)
      return mails.failed(id, reason, pause === undefined ? undefined : pause / SECOND)
    }
    await mails.sent(id)
  }

  async #forget(): Promise<void> {
    const now = this.#deps.clock.now().getTime()
    if (now - this.#forgotAt < DAY) return
    this.#forgotAt = now
    await this.#deps.mails.forget(new Date(now - RETENTION_MS))
  }
}
