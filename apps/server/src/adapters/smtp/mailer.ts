import { plainLine } from '@tradewright/core/plain-line'
import { Problem } from '@tradewright/core/problem'
import nodemailer from 'nodemailer'
import { AddressRefused, type Mail, type Mailer } from '../../live-trading/notifications/notifications.ts'
import { untilAborted } from '../../until-aborted.ts'

interface SmtpSettings {
  /** smtp://user:password@host:587 or smtps://…:465; undefined where e-mail is not configured. */
  readonly url: string | undefined
  readonly from: string | undefined
}

/** A whole delivery, however slowly the server answers. */
const DELIVERY_MS = 60_000
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

export function smtpMailer({ url, from }: SmtpSettings, deliveryMs = DELIVERY_MS): Mailer {
  if (url === undefined) return notConfigured
  const sender = from ?? senderOf(url)
  const transport = nodemailer.createTransport({ url, pool: true, maxConnections: 2, ...TIMEOUTS })
  const send = async ({ to, subject, text, event }: Mail): Promise<void> => {
    try {
      // One address, and headings of one line, whatever they were made from.
      const headers = { 'X-Tradewright-Event': plainLine(event, 100) }
      const mail = {
        from: sender,
        to: { name: '', address: oneAddress(to) },
        subject: plainLine(subject, 300),
        text,
        headers,
      }
      await untilAborted(transport.sendMail(mail), AbortSignal.timeout(deliveryMs))
    } catch (error) {
      throw isRefusedAddress(error) ? new AddressRefused(error.message, { cause: error }) : error
    }
  }
  return {
    isConfigured: true,
    from: sender,
    send,
    async sendTest(to) {
      try {
        const text = 'This is a test. Notifications of your deployments will arrive like this one.\n'
        await send({ to, subject: 'Tradewright: test e-mail', text, event: 'test' })
      } catch (error) {
        throw new Problem('upstream', 'mail.failed', `The test e-mail could not be sent: ${reasonOf(error)}.`, {
          cause: error,
        })
      }
    },
    close: () => transport.close(),
  }
}

function oneAddress(to: string): string {
  if (/[\s,;<>"\p{Cc}]/u.test(to)) throw new AddressRefused('it is not one e-mail address')
  return to
}

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server refused the user name or password in SMTP_URL',
  EENVELOPE: 'the mail server refused the address',
  ECONNECTION: 'the mail server cannot be reached',
  ECONNREFUSED: 'the mail server cannot be reached',
  ESOCKET: 'the mail server cannot be reached',
  EDNS: 'the mail server cannot be reached',
  ETIMEDOUT: 'the mail server does not answer',
  ETLS: 'the connection to the mail server cannot be encrypted',
}

/** In our own words: what the server said is in the log. */
export function reasonOf(error: unknown): string {
  const { code = '', responseCode } = error as { code?: string; responseCode?: number }
  const answered = responseCode === undefined ? '' : ` (SMTP ${responseCode})`
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'the mail server does not answer'
  return `${REASONS[code] ?? 'the mail server answered with an error'}${answered}`
}

/** Codes of 5xx are final, 4xx are temporary; wrong credentials of ours are neither address's fault. */
function isRefusedAddress(error: unknown): error is Error {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return error instanceof Error && code === 'EENVELOPE' && responseCode >= 500
}

/** Without a configured sender the account itself writes. */
function senderOf(url: string): string {
  const { username, hostname } = new URL(url)
  const name = decodeURIComponent(username)
  return name.includes('@') ? name : `tradewright@${hostname}`
}

const missing = () =>
  new Problem('not-configured', 'mail.not-configured', 'E-mail is not configured on this server (SMTP_URL).')

const notConfigured: Mailer = {
  isConfigured: false,
  from: undefined,
  send: () => Promise.reject(missing()),
  sendTest: () => Promise.reject(missing()),
  close: () => {},
}
