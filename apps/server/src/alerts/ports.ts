import type { AlertedState, AlertEventId, AlertLevels, AlertMember } from './alert-events.ts'
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

/** One cause, with every deployment that it concerns. */
export interface AlertRow {
  readonly id: number
  readonly userId: number
  readonly kind: AlertEventId
  readonly members: readonly AlertMember[]
  readonly openedAt: Date
  /** How often it was told. */
  readonly told: number
  /** When it is told next; null: not by itself. */
  readonly tellAt: Date | null
  readonly toldChannels: readonly number[]
  readonly acknowledgedAt: Date | null
  readonly acknowledgedBy: string | null
  readonly endedAt: Date | null
}

export type AlertChange = Partial<
  Pick<AlertRow, 'members' | 'told' | 'tellAt' | 'toldChannels' | 'acknowledgedAt' | 'acknowledgedBy' | 'endedAt'>
>

/** What telling an alert takes, in the transaction that holds it. */
export interface AlertStores {
  /** Channels of its user that are on. */
  readonly channels: readonly ChannelRow[]
  /** States of its deployments; one that was deleted is missing. */
  readonly states: ReadonlyMap<number, AlertedState>
  /** Into the outbox, once under a key. */
  readonly put: (
    channels: readonly ChannelRow[],
    key: string,
    isUrgent: boolean,
    event: AlertEventId,
    message: { readonly subject: string; readonly text: string },
  ) => Promise<void>
}

interface Opening {
  readonly userId: number
  readonly kind: AlertEventId
  readonly cause: string
  readonly member: AlertMember
  readonly at: Date
  /** When the alert is told again if it was told already and the deployment is new to it. */
  readonly joinedToldAt: Date
}

type Handle = (row: AlertRow, stores: AlertStores) => Promise<AlertChange>

export interface AlertStore {
  /** A cause that is open already is joined; one that is new to it is told although it was acknowledged. */
  open(opening: Opening): Promise<void>
  /** Open alerts of all users that are to be told now, each held by one process while it is handled. */
  eachDue(now: Date, handle: Handle): Promise<void>
  /** Open alerts of all users, acknowledged or not. */
  eachStanding(now: Date, handle: Handle): Promise<void>
  /** Open ones first, newest first. */
  list(userId: number, limit: number): Promise<AlertRow[]>
  /** Whether there was one. Those of which nothing lasts end by it. */
  acknowledge(
    userId: number,
    id: number | 'all',
    by: { readonly by: string; readonly at: Date },
    isEvent: (row: AlertRow) => boolean,
  ): Promise<boolean>
  /** Drops those that ended before. */
  forget(before: Date): Promise<void>
}
