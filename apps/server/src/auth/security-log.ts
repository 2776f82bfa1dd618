import type { Clock } from '@tradewright/core/clock'
import { SECURITY_EVENTS, SECURITY_LOG_DAYS, type SecurityEventKind } from '@tradewright/core/security-events'
import type { Mailer } from '../live-trading/notifications/notifications.ts'
import type { Logger } from '../log.ts'
import { deviceOf } from './device.ts'
import type { AttemptCounters, UserStore } from './ports.ts'

/** The browser or program that something came from. */
export interface Origin {
  readonly address: string
  readonly userAgent: string
}

export interface RecordedEvent {
  readonly id: number
  readonly userId: number | null
  readonly kind: SecurityEventKind
  readonly at: Date
  readonly count: number
  readonly address: string | null
  readonly userAgent: string | null
  readonly detail: string | null
}

interface NewEvent extends Omit<RecordedEvent, 'id'> {
  readonly isFailure: boolean
}

export interface SecurityEventStore {
  /** A failure is added to the entry of the same kind, user and address that began within the hour. */
  add(event: NewEvent): Promise<void>
  /** Newest first; of one user, or of all with their names. */
  list(page: {
    userId?: number | undefined
    before?: number | undefined
    limit: number
  }): Promise<(RecordedEvent & { username: string | null })[]>
  removeOld(before: Date): Promise<void>
}

interface About {
  /** Null: a name that no account has. */
  readonly userId: number | null
  /** Undefined where the operator or the program acted. */
  readonly from: Origin | undefined
  readonly detail?: string
  /** The address to be told, where the account has another by now. */
  readonly tell?: string | undefined
}

export interface SecurityLog {
  /** Never fails: what it records has happened. */
  record(kind: SecurityEventKind, about: About): Promise<void>
  removeOld(): Promise<void>
}

interface SecurityLogDeps {
  readonly events: SecurityEventStore
  readonly users: Pick<UserStore, 'find'>
  readonly mailer: Pick<Mailer, 'isConfigured' | 'send'>
  readonly counters: Pick<AttemptCounters, 'add'>
  readonly clock: Clock
  readonly log: Logger
}

const HOUR_MS = 3_600_000
/** A script that signs in without cookies from ever new addresses must not fill its owner's inbox. */
const MAILS_PER_DAY = 20
const USER_AGENT_LENGTH = 256
const DETAIL_LENGTH = 300

export function createSecurityLog(deps: SecurityLogDeps): SecurityLog {
  const { events, clock, log } = deps
  /** Failures that come while one of the same kind is being written are counted with the next statement. */
  const beingWritten = new Map<string, { event: NewEvent; more: number }>()

  async function write(event: NewEvent): Promise<void> {
    try {
      await events.add(event)
    } catch (error) {
      log.error({ err: error, security: event.kind }, 'an event of the security log could not be stored')
    }
  }

  async function writeFailure(event: NewEvent): Promise<void> {
    const key = `${event.userId} ${event.kind} ${event.address}`
    const current = beingWritten.get(key)
    if (current) {
      current.more += 1
      return
    }
    const entry = { event, more: 0 }
    beingWritten.set(key, entry)
    await write(event)
    while (entry.more > 0) {
      const count = entry.more
      entry.more = 0
      await write({ ...event, at: clock.now(), count })
    }
    beingWritten.delete(key)
  }

  return {
    async record(kind, { userId, from, detail, tell }) {
      const { concern, label } = SECURITY_EVENTS[kind]
      const isFailure = concern === 'failure'
      const event: NewEvent = {
        userId,
        kind,
        isFailure,
        at: clock.now(),
        count: 1,
        address: from?.address ?? null,
        userAgent: from?.userAgent.slice(0, USER_AGENT_LENGTH) ?? null,
        detail: detail?.slice(0, DETAIL_LENGTH) ?? null,
      }
      const line = { security: kind, user: userId, address: event.address }
      log[isFailure ? 'warn' : 'info'](line, label)
      await (isFailure ? writeFailure(event) : write(event))
      if (concern !== 'change') return
      // The mail server may take a minute, which no call waits for.
      void mailOwner(deps, event, tell).catch((error: unknown) =>
        log.warn({ err: error, security: kind }, 'the mail about a security event could not be sent'),
      )
    },
    removeOld: () => events.removeOld(new Date(clock.now().getTime() - SECURITY_LOG_DAYS * 24 * HOUR_MS)),
  }
}

/** Mail leaves for an address that its owner has confirmed, and for no other. */
async function mailOwner({ users, mailer, counters, clock }: SecurityLogDeps, event: NewEvent, tell?: string) {
  if (!mailer.isConfigured || event.userId === null) return
  const account = await users.find(event.userId)
  if (!account) return
  const to = tell ?? (account.emailState === 'verified' ? account.email : undefined)
  if (to === undefined) return
  const now = clock.now()
  const sent = await counters.add(`security mails of ${account.id}`, now, new Date(now.getTime() + 24 * HOUR_MS))
  if (sent.attempts > MAILS_PER_DAY) return
  await mailer.send({
    to,
    subject: 'Tradewright: a change to your account',
    text: mailText(event, account),
    event: 'security',
  })
}

function mailText({ kind, at, address, userAgent, detail }: NewEvent, { username }: { username: string }): string {
  const { label } = SECURITY_EVENTS[kind]
  return [
    `${label}${detail === null ? '' : `: ${detail}`}`,
    '',
    `Account: ${username}`,
    `Time: ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    ...(address === null ? ['By: the operator of this server'] : [`From: ${deviceOf(userAgent ?? '')} at ${address}`]),
    '',
    'If this was you, there is nothing to do. If not: sign in, change your password (which signs out every other session',
    'and revokes all API keys), and look at the security log in Settings.',
    '',
  ].join('\n')
}
