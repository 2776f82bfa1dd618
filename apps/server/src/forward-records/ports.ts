import type { ChainEntry } from '@tradewright/core/forward-record'
import type { UtcMillis } from '@tradewright/core/time'
import type { Decision } from '../live-trading/decision.ts'

export interface ForwardRecord {
  readonly id: number
  readonly deploymentId: number
  /** JSON. */
  readonly header: string
  readonly isOpen: boolean
  readonly createdAt: Date
  readonly linkExpiresAt: Date | null
  /** The first so many entries were brought by an import: this instance did not see them written. */
  readonly importedEntries: number
}

/** What the database finds when it computes the chain anew. */
export interface ChainState {
  readonly count: number
  /** The number of the first entry that does not fit, from 1; null where all fit. */
  readonly firstBad: number | null
  /** Whether anything is predicted, so that there is something to calibrate. */
  readonly predicts: boolean
}

export interface RecordEntry extends ChainEntry {
  readonly seq: number
  /** The newest bar that the decision knew; null where it knew none. */
  readonly bar: UtcMillis | null
  /** That the model said of its target; null where nothing is predicted. */
  readonly probability: number | null
  /** Whether it came true; null while that is not known. Not part of the chain. */
  readonly happened: boolean | null
}

export interface RecordStore {
  /** Adds an entry for the decision to the open record of its deployment, if there is one: in its transaction. */
  append(decision: Decision): Promise<void>
  find(deploymentId: number): Promise<ForwardRecord | undefined>
  /** Begins a record, or goes on with the one that is there. */
  open(deploymentId: number, header: string, at: Date): Promise<void>
  close(deploymentId: number): Promise<boolean>
  /** Oldest first. */
  entries(recordId: number): Promise<RecordEntry[]>
  /** So many of the last, oldest first. */
  newest(recordId: number, limit: number): Promise<RecordEntry[]>
  chain(record: Pick<ForwardRecord, 'id' | 'header'>): Promise<ChainState>
  /** Predictions whose outcome is known. */
  settled(recordId: number): Promise<{ readonly probability: number; readonly happened: boolean }[]>
  /** Predictions whose outcome is not known yet, oldest first. */
  unsettled(recordId: number, limit: number): Promise<{ readonly seq: number; readonly bar: UtcMillis }[]>
  settle(recordId: number, outcomes: readonly { readonly seq: number; readonly happened: boolean }[]): Promise<void>
  setLink(recordId: number, link: { readonly tokenHash: Buffer; readonly expiresAt: Date } | null): Promise<void>
  /** By a link that has not expired. */
  shared(tokenHash: Buffer, now: Date): Promise<ForwardRecord | undefined>
}
