import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { Mailer } from '../live-trading/notifications/notifications.ts'
import type { Logger } from '../log.ts'
import { isEmailAddress } from './email-address.ts'
import type { AttemptCounters, EmailVerificationStore, UserStore } from './ports.ts'
import { hashSecret, looksLikeSecret, newSecret } from './secret.ts'
import type { Origin, SecurityLog } from './security-log.ts'
import { tooMany } from './throttle.ts'
import type { Account, User } from './user.ts'
import { usernameKey } from './username-key.ts'

const LINK_HOURS = 24
const HOUR_MS = 3_600_000
/** Mails that one account may ask for. */
const MAILS_PER_HOUR = 3
/** Mails to one address, from whatever account: registering must not be a way to flood an inbox. */
const MAILS_PER_ADDRESS_A_DAY = 5

export interface VerifyEmailDeps {
  users: UserStore
  verifications: EmailVerificationStore
  counters: AttemptCounters
  mailer: Pick<Mailer, 'isConfigured' | 'send'>
  clock: Clock
  log: Logger
  securityLog: SecurityLog
}

/** An e-mail address of an account, and how far it is proven. */
interface OwnEmail {
  /** Null where the account has given none. */
  email: string | null
  isVerified: boolean
  /** An address that waits for its link to be opened. */
  pending: string | null
  /** Whether this server can send the link. */
  canVerify: boolean
}

export async function ownEmail(deps: VerifyEmailDeps, userId: number): Promise<OwnEmail> {
  const { email, emailState } = await accountOf(deps.users, userId)
  const pending = await deps.verifications.pendingOf(userId, deps.clock.now())
  return {
    email: isEmailAddress(usernameKey(email)) ? email : null,
    isVerified: emailState === 'verified',
    pending: emailState === 'verified' && pending === email ? null : pending,
    canVerify: deps.mailer.isConfigured,
  }
}

/** Sends a link that proves the address. The account keeps the address it has until then. `site`: where links lead, if it is known. */
export async function sendVerification(
  deps: VerifyEmailDeps,
  user: User,
  address: string | undefined,
  site: string | undefined,
): Promise<string> {
  const { users, verifications, mailer, clock } = deps
  const account = await accountOf(users, user.id)
  const email = address?.trim() || account.email
  const emailKey = usernameKey(email)
  if (!mailer.isConfigured) {
    throw new Problem(
      'conflict',
      'mail.not-configured',
      'This server cannot send e-mail, so no address can be verified.',
    )
  }
  const links = siteForLinks(site)
  if (!isEmailAddress(emailKey)) throw new Problem('invalid', 'email.invalid', 'Please enter an e-mail address.')
  if (account.emailState === 'verified' && usernameKey(account.email) === emailKey) {
    throw new Problem('conflict', 'email.verified', 'This e-mail address is already verified.')
  }
  await countMail(deps, `verification mails of ${user.id}`, MAILS_PER_HOUR, HOUR_MS)
  await countMailTo(deps, emailKey)
  const token = newSecret()
  const expiresAt = new Date(clock.now().getTime() + LINK_HOURS * HOUR_MS)
  await verifications.insert({ tokenHash: hashSecret(token), userId: user.id, email, emailKey, expiresAt })
  await send(deps, user, email, `${links}/verify-email?token=${token}`)
  return email
}

/** Registration and sign-in do not wait for the mail server; Settings can send another link. */
export function sendVerificationLater(deps: VerifyEmailDeps, user: User, site: string | undefined): void {
  sendVerification(deps, user, undefined, site).catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'limited') return
    deps.log.warn({ err: error }, 'the mail that verifies an e-mail address could not be sent')
  })
}

export async function confirmEmail(
  { verifications, clock, securityLog }: VerifyEmailDeps,
  token: string,
  from: Origin,
): Promise<string> {
  const outcome = looksLikeSecret(token) ? await verifications.confirm(hashSecret(token), clock.now()) : 'unknown'
  if (outcome === 'unknown') {
    throw new Problem(
      'invalid',
      'email.link-ended',
      'This link has already been used or has expired. Request a new one.',
    )
  }
  if (outcome === 'taken') {
    throw new Problem('conflict', 'email.taken', 'Another account has already verified this e-mail address.')
  }
  const { userId, email, replaced } = outcome
  await securityLog.record('email.changed', { userId, from, detail: email, tell: replaced })
  return email
}

/** Where mail is configured, a name that is an address signs in once it is proven. Said only after the right password. */
export function refuseUnverified({ mailer }: Pick<VerifyEmailDeps, 'mailer'>, account: Account): void {
  const key = usernameKey(account.username)
  const isUnproven = account.emailState === 'unverified' && key === usernameKey(account.email) && isEmailAddress(key)
  if (!mailer.isConfigured || !isUnproven) return
  throw new Problem(
    'denied',
    EMAIL_UNVERIFIED,
    'Confirm your e-mail address first: open the link in the mail that was sent to it, then sign in.',
  )
}

export const EMAIL_UNVERIFIED = 'email.unverified'

/** Counts a mail with a link to an address, whoever asks for it. */
export function countMailTo(deps: Pick<VerifyEmailDeps, 'counters' | 'clock'>, emailKey: string): Promise<void> {
  const subject = `verification mails to ${hashSecret(emailKey).toString('base64url')}`
  return countMail(deps, subject, MAILS_PER_ADDRESS_A_DAY, 24 * HOUR_MS)
}

/** Where links in mails lead. Throws where this is not known. */
export function siteForLinks(site: string | undefined): string {
  if (site !== undefined) return site
  const sentence = 'This server can send links only once its operator has set its address (APP_URL).'
  throw new Problem('not-configured', 'mail.no-site', sentence)
}

async function countMail(
  { counters, clock }: Pick<VerifyEmailDeps, 'counters' | 'clock'>,
  subject: string,
  limit: number,
  windowMs: number,
): Promise<void> {
  const now = clock.now()
  const count = await counters.add(subject, now, new Date(now.getTime() + windowMs))
  if (count.attempts > limit) throw tooMany('verification mails', count.windowEndsAt, now)
}

async function send({ mailer }: VerifyEmailDeps, { username }: User, to: string, link: string): Promise<void> {
  const text = [
    `Confirm that ${to} belongs to the Tradewright account "${username}":`,
    '',
    link,
    '',
    `The link works once, within ${LINK_HOURS} hours. If this is not your account, ignore this mail: nothing happens.`,
    '',
  ].join('\n')
  try {
    await mailer.send({ to, subject: 'Tradewright: confirm your e-mail address', text, event: 'verify-email' })
  } catch (cause) {
    throw new Problem('upstream', 'mail.failed', 'The mail could not be sent. Please try again later.', { cause })
  }
}

async function accountOf(users: UserStore, userId: number): Promise<Account> {
  const account = await users.find(userId)
  if (!account) throw new Problem('missing', 'user.missing', 'This account no longer exists.')
  return account
}
