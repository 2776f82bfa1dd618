import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import type { AttemptCounters } from '../../auth/ports.ts'
import { hashSecret, looksLikeSecret, newSecret } from '../../auth/secret.ts'
import { tooMany } from '../../auth/throttle.ts'
import { usernameKey } from '../../auth/username-key.ts'
import { countMailTo, siteForLinks } from '../../auth/verify-email.ts'
import type { Mailer } from './notifications.ts'

/** Addresses that a user's mails about deployments may go to, beside the verified ones of accounts. */
export interface MailRecipientStore {
  /** Keeps that a link was sent, in place of an earlier one. What is confirmed stays so. */
  ask(
    userId: number,
    asked: { email: string; emailKey: string; tokenHash: Buffer; expiresAt: Date },
    now: Date,
  ): Promise<void>
  /** The address, or undefined where the link has ended. */
  confirm(tokenHash: Buffer, now: Date): Promise<string | undefined>
  /** Whether its owner has confirmed it: as an account, or for the mails of this user, or of the user of this message. */
  isConfirmed(asked: { readonly userId: number } | { readonly messageId: number }, emailKey: string): Promise<boolean>
}

export interface RecipientDeps {
  readonly recipients: MailRecipientStore
  readonly mailer: Pick<Mailer, 'isConfigured' | 'send' | 'sendTest'>
  readonly counters: AttemptCounters
  readonly clock: Clock
}

/** Strangers whom one account may ask. */
const ASKED_A_DAY = 10

/** A test mail where the address is confirmed; else the mail that asks for it. Nothing in that one was typed by the user. */
export async function tryRecipient(
  deps: RecipientDeps,
  userId: number,
  to: string,
  site: string | undefined,
): Promise<string> {
  const { recipients, mailer, counters, clock } = deps
  const emailKey = usernameKey(to)
  if (!mailer.isConfigured || (await recipients.isConfirmed({ userId }, emailKey))) {
    await mailer.sendTest(to)
    return `A test e-mail was sent to ${to}.`
  }
  const links = siteForLinks(site)
  const now = clock.now()
  const tomorrow = new Date(now.getTime() + DAY)
  const count = await counters.add(`recipients asked by ${userId}`, now, tomorrow)
  if (count.attempts > ASKED_A_DAY) throw tooMany('mails to new recipients', count.windowEndsAt, now)
  await countMailTo(deps, emailKey)
  const token = newSecret()
  await recipients.ask(userId, { email: to, emailKey, tokenHash: hashSecret(token), expiresAt: tomorrow }, now)
  const text = [
    `Somebody with a Tradewright account at ${links} wants you to receive e-mails about their trading at this address.`,
    '',
    'To receive them, open this link within 24 hours and confirm:',
    '',
    `${links}/verify-email?recipient=${token}`,
    '',
    'Otherwise ignore this mail: no further ones are sent.',
    '',
  ].join('\n')
  try {
    await mailer.send({ to, subject: 'Tradewright: confirm that you want notifications', text, event: 'recipient' })
  } catch (cause) {
    throw new Problem('upstream', 'mail.failed', 'The mail could not be sent. Please try again later.', { cause })
  }
  return `${to} has not been confirmed yet. A mail with a link was sent there; notifications follow once it has been opened.`
}

export async function confirmRecipient(
  { recipients, clock }: Pick<RecipientDeps, 'recipients' | 'clock'>,
  token: string,
): Promise<string> {
  const email = looksLikeSecret(token) ? await recipients.confirm(hashSecret(token), clock.now()) : undefined
  if (email !== undefined) return email
  const sentence = 'This link has already been used or has expired. Ask for another one.'
  throw new Problem('invalid', 'email.link-ended', sentence)
}
