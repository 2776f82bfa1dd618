import type { AlertLevels } from './alert-events.ts'
import type { ChannelRow, ChannelState, Delivery } from './channel.ts'

export type NewChannel = Omit<ChannelRow, 'id' | 'userId' | 'sealedValues'>

interface ChannelInsertion {
  readonly at: Date
  /** Is given the new row's id, which its sealed bytes are bound to. */
  readonly seal: (id: number) => Buffer
  readonly most: number
}

/** Alert channels of one user at a time: another's do not exist. */
export interface ChannelStore {
  list(userId: number): Promise<ChannelState[]>
  find(userId: number, id: number): Promise<ChannelRow | undefined>
  /** Finds the channel of any user. */
  byId(id: number): Promise<ChannelRow | undefined>
  /** Undefined where the user has as many as that already. */
  insert(userId: number, channel: NewChannel, more: ChannelInsertion): Promise<number | undefined>
  change(userId: number, id: number, channel: NewChannel, sealedValues: Buffer): Promise<boolean>
  remove(userId: number, id: number): Promise<boolean>
  /** Newest first, as long as messages are kept. */
  deliveries(userId: number, id: number, limit: number): Promise<Delivery[]>
  /** One that was given up is due again, from its first try; false where there is none. */
  sendAgain(userId: number, id: number, deliveryId: number): Promise<boolean>
}

export interface HeartbeatRow {
  readonly userId: number
  readonly sealedUrl: Buffer
  readonly minutes: number
  readonly calledAt: Date | null
  readonly problem: string | null
}

export interface AlertSettingsStore {
  levels(userId: number): Promise<Partial<AlertLevels>>
  saveLevels(userId: number, levels: AlertLevels): Promise<void>
  heartbeat(userId: number): Promise<HeartbeatRow | undefined>
  /** Null ends it. It is due at once. */
  saveHeartbeat(userId: number, heartbeat: Pick<HeartbeatRow, 'sealedUrl' | 'minutes'> | null): Promise<void>
  /** Heartbeats that are due, each given to one process, which moves it on by its interval. */
  claimDueHeartbeats(): Promise<HeartbeatRow[]>
  /** It was answered, or why it was not, or why it was not called. */
  noteHeartbeat(userId: number, outcome: { readonly calledAt: Date } | { readonly problem: string }): Promise<void>
  /** What is wrong with a user's trading, as sentences: none while all is well. */
  troubles(userId: number, now: Date): Promise<string[]>
}
