import type { OutgoingEvent } from '../../alerts/outgoing-events.ts'

/** A message to one address. */
export interface NewMessage {
  readonly deploymentId: number
  /** What it is about; a header for filters. */
  readonly event: string
  /** Deduplication key: the same is told once, an error once an hour. */
  readonly key: string
  /** An e-mail address; of an alert the name of its channel. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface WaitingMessage extends Omit<NewMessage, 'deploymentId'> {
  readonly id: number
  /** For an alert: the channel that carries it, and whether quiet hours do not hold it. */
  readonly alert?: { readonly channelId: number; readonly isUrgent: boolean }
  /** The content of an event for a webhook; absent for other messages. */
  readonly data?: OutgoingEvent['data']
  readonly createdAt: Date
  /** Counting the one that is made of it now. */
  readonly attempts: number
}

/** Messages on their way out: rows, so that a crash loses none. */
export interface MessageStore {
  /** A message with a known key is not put in again. */
  put(messages: readonly NewMessage[], at: Date): Promise<void>
  /** An event of a deployment, for the webhooks of its user that ask for it. Its name and id are added. */
  putEvent(deploymentId: number, event: OutgoingEvent): Promise<void>
  /**
   * Leases due messages for so many seconds; after that, their holder counts as dead. Users have their turn one after
   * another, so that a receiver that is slow delays those of its own user.
   */
  lease(limit: number, seconds: number): Promise<WaitingMessage[]>
  sent(id: number): Promise<void>
  /** Tried again after so many seconds; never, where there are none. */
  failed(id: number, failure: string, againInSeconds: number | undefined): Promise<void>
  /** Taken up after so many seconds, as if it had not been tried now. */
  hold(id: number, seconds: number): Promise<void>
  /** Removes messages that ended before. */
  forget(before: Date): Promise<void>
}
