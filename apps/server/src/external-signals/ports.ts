import type { ReceivedSignal, SignalTarget } from '@tradewright/core/external-signal'

export type SignalOutcome = 'accepted' | 'doubled' | 'late' | 'forged' | 'unknown_target' | 'unreadable'

export interface SignalAddress {
  readonly userId: number
  readonly strategyId: number
  readonly sealedSecret: Buffer
  readonly createdAt: Date
}

export interface SignalEntry {
  readonly id: number
  readonly receivedAt: Date
  readonly outcome: SignalOutcome
  readonly reason: string | null
  readonly eventId: string | null
  readonly target: SignalTarget | null
}

interface NewSignal {
  readonly eventId: string
  readonly target: SignalTarget
  readonly receivedAt: Date
}

/** Received signals: accepted ones are the record, refused ones a log that is cut short. */
export interface SignalStore {
  /** `addressHash` names it from now on; the previous one is gone. False where there is no such strategy of the user. */
  saveAddress(
    userId: number,
    strategyId: number,
    address: { hash: Buffer; sealedSecret: Buffer; at: Date },
  ): Promise<boolean>
  address(userId: number, strategyId: number): Promise<SignalAddress | undefined>
  findAddress(hash: Buffer): Promise<SignalAddress | undefined>
  removeAddress(userId: number, strategyId: number): Promise<boolean>
  /** Whether an accepted one has the sender's id. */
  isKnown(strategyId: number, eventId: string): Promise<boolean>
  /**
   * Stores an accepted signal once by the sender's id. `doubled`: it is there already with the same target; `other`: with
   * another one; `full`: there are as many as are kept.
   */
  accept(address: SignalAddress, signal: NewSignal): Promise<'accepted' | 'doubled' | 'other' | 'full'>
  /** Logs a refused signal, which is no part of the record; the newest of a strategy are kept. */
  logRefused(address: SignalAddress, entry: Omit<SignalEntry, 'id' | 'target'>): Promise<void>
  entries(userId: number, strategyId: number, limit: number): Promise<SignalEntry[]>
  countAccepted(strategyId: number): Promise<number>
  /** Accepted ones until an instant, oldest first; with `newest`, so many of the last. */
  record(userId: number, strategyId: number, until: Date, newest?: number): Promise<ReceivedSignal[]>
}
