import type { NotificationEvent } from '../deployment.ts'

/** An e-mail to one address. */
export interface NewMail {
  readonly deploymentId: number
  readonly event: NotificationEvent
  /** Deduplication key: the same is told once, an error once an hour. */
  readonly key: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface WaitingMail extends Pick<NewMail, 'event' | 'to' | 'subject' | 'text'> {
  readonly id: number
  /** Counting the one that is made of it now. */
  readonly attempts: number
}

/** E-mails on their way out: rows, so that a crash loses none. */
export interface MailStore {
  /** A mail with a known key is not put in again. */
  put(mails: readonly NewMail[], at: Date): Promise<void>
  /** Leases the due mails for so many seconds; after that, their holder counts as dead. */
  take(limit: number, seconds: number): Promise<WaitingMail[]>
  sent(id: number): Promise<void>
  /** Tried again after so many seconds; never, where there are none. */
  failed(id: number, failure: string, againInSeconds: number | undefined): Promise<void>
  /** Drops what ended before. */
  forget(before: Date): Promise<void>
}
