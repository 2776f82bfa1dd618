import type { Clock } from '@tradewright/core/clock'
import { HOUR } from '@tradewright/core/time'
import type { Logger } from '../log.ts'
import type { Notify } from './cycle/deps.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** What it is about, as a header for filters. */
  readonly event: string
}

/** Sends e-mail. `send` fails with a Problem whose `retry` is false when trying again is of no use. */
export interface Mailer {
  readonly isConfigured: boolean
  readonly from: string | undefined
  send(mail: Mail): Promise<void>
  sendTest(to: string): Promise<void>
  close(): void
}

const MOST_TRIES = 4
const FIRST_PAUSE = 5_000
const MOST_REMEMBERED = 10_000

/**
 * E-mails about deployments: each thing once, the same error once an hour, one message per address, tried again with
 * growing pauses. Nobody waits for it, and its failures are lines in the log.
 */
export function createNotify(mailer: Mailer, clock: Clock, log: Logger): Notify {
  const sent = new Map<string, number>()
  return ({ id, settings, isPaper, accountName }, event, { subject, text, key }) => {
    const { isEnabled, events, emails } = settings.notifications
    if (!isEnabled || !events[event] || emails.length === 0) return
    const name = `${id}:${key}`
    const now = clock.now().getTime()
    const before = sent.get(name)
    if (before !== undefined && (event !== 'errors' || now - before < HOUR)) return
    if (sent.size > MOST_REMEMBERED) sent.clear()
    sent.set(name, now)
    if (!mailer.isConfigured)
      return log.info({ deploymentId: id, event, subject }, 'e-mail is not configured; not sent')
    const body = `${text}\n\nAccount: ${accountName}${isPaper ? ' (paper)' : ''}\n`
    for (const to of emails) void deliver(mailer, { to, subject, text: body, event }, log)
  }
}

async function deliver(mailer: Mailer, mail: Mail, log: Logger): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mailer.send(mail)
      return
    } catch (error) {
      const isFinal = (error as { permanent?: boolean }).permanent === true || attempt === MOST_TRIES
      log.warn(
        { err: error, event: mail.event, attempt },
        isFinal ? 'an e-mail was given up' : 'an e-mail will be tried again',
      )
      if (isFinal) return
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE * 4 ** (attempt - 1)).unref())
    }
  }
}
