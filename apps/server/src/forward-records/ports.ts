import type { ChainEntry } from '@tradewright/core/forward-record'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import type { DecidedSignal, Decision } from '../live-trading/decision.ts'
import type { RunnableStrategy } from '../live-trading/deployment.ts'

/** Whose decisions are written down. */
export type RecordSubject =
  | { readonly deploymentId: number; readonly strategyId?: undefined }
  | { readonly strategyId: number; readonly deploymentId?: undefined }

export interface ForwardRecord {
  readonly id: number
  readonly userId: number
  readonly deploymentId: number | null
  readonly strategyId: number | null
  /** When the record of a saved strategy decides next; null for a deployment, which decides by itself. */
  readonly schedule: RecordSchedule | null
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

/** How a saved strategy decides: on each session's bar, after its close and before the next open. */
export interface RecordSchedule {
  /** As it was when the record began. */
  readonly strategy: RunnableStrategy
  readonly nextSession: EpochDay
  readonly dueAt: Date
  /** Sessions without a decision since the last entry. */
  readonly missed: readonly EpochDay[]
  /** Why the decision that is due could not be made, as a sentence. */
  readonly problem: string | null
}

/** A decision of a saved strategy, which is not traded. */
export interface StrategyDecision {
  readonly session: EpochDay
  readonly decidedAt: Date
  readonly signal: Pick<
    DecidedSignal,
    'dataAsOf' | 'prediction' | 'rules' | 'external' | 'weights' | 'closes' | 'fingerprint'
  >
  /** The checksum of the model that decided; undefined without one. */
  readonly model: string | undefined
  /** Tickers with synthetic prices. */
  readonly synthetic: readonly string[]
  readonly next: Pick<RecordSchedule, 'nextSession' | 'dueAt'>
}

/** A model that a record of a saved strategy decides with. */
export interface RecordModel {
  /** The walk-forward window that the model is for, from 0; 0 where it is not retrained. */
  readonly window: number
  /** How many rows the windows are percentages of; null where it is not retrained. */
  readonly sizedOnRows: number | null
  /** The stamp of the last bar before those it decides on; null: it decides on all. */
  readonly after: Date | null
  readonly bytes: Uint8Array
  readonly checksum: string
  /** When the model after it can be trained; null: never. */
  readonly nextAt: Date | null
}

export interface RecordEntry extends ChainEntry {
  readonly seq: number
  /** The newest bar that the decision knew; null where it knew none. */
  readonly bar: UtcMillis | null
  /** The probability that the model gave its target; null where nothing is predicted. */
  readonly probability: number | null
  /** Whether it came true; null while that is not known. Not part of the chain. */
  readonly happened: boolean | null
}

export interface RecordStore {
  /** Adds an entry for the decision to the open record of its deployment, if there is one: in its transaction. */
  append(decision: Decision): Promise<void>
  /** Adds an entry, if the session is still the next one of the open record: once, whichever process decides. */
  appendStrategy(recordId: number, decision: StrategyDecision): Promise<boolean>
  find(userId: number, subject: RecordSubject): Promise<ForwardRecord | undefined>
  /** Begins a record, or goes on with the one that is there; then `schedule` tells from which session on. */
  open(
    userId: number,
    subject: RecordSubject,
    record: {
      readonly header: string
      readonly at: Date
      readonly schedule?: Pick<RecordSchedule, 'strategy' | 'nextSession' | 'dueAt'>
    },
  ): Promise<void>
  close(userId: number, subject: RecordSubject): Promise<boolean>
  /** How many records of saved strategies a user has open. */
  openOfStrategies(userId: number): Promise<number>
  /** Open records of saved strategies that are due, each taken by one process until `until`. */
  claimDue(now: Date, until: Date, limit: number): Promise<ForwardRecord[]>
  /** Sessions that went by, the next one, and why nothing was decided; only while `session` is the next one. */
  reschedule(
    recordId: number,
    session: EpochDay,
    change: Pick<RecordSchedule, 'nextSession' | 'dueAt' | 'missed' | 'problem'>,
  ): Promise<void>
  /** Oldest first, two at most; without those whose bytes are no longer what they were. */
  models(recordId: number): Promise<RecordModel[]>
  /** Unless another process has kept one of that window; those before the last two windows go. */
  keepModel(recordId: number, model: RecordModel): Promise<void>
  /** The next one was not due yet. */
  postponeModel(recordId: number, window: number, nextAt: Date): Promise<void>
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
  /** The record behind a link that has not expired. */
  shared(tokenHash: Buffer, now: Date): Promise<ForwardRecord | undefined>
}
