import type { Usd } from '@tradewright/core/money'
import type { DriftCause } from '@tradewright/engine/live/drift-causes'
import type { Actor } from '../actor.ts'
import type { OrderSide } from '@tradewright/engine/trading/order'

export interface Snapshot {
  readonly at: Date
  readonly value: Usd
  readonly cash: Usd
  readonly netContributions: Usd
  readonly growth: number
  readonly accountValue: Usd
}

/** Plain data, as the wire shows it. */
export type Activity =
  | {
      readonly type: 'signal'
      readonly signalType: string
      readonly confidence: number | null
      readonly action: string
    }
  | {
      readonly type: 'event'
      readonly level: 'info' | 'warning' | 'error'
      readonly message: string
      /** Absent in events of earlier versions. */
      readonly actor?: Actor
    }

interface ActivityItem {
  readonly deploymentId: number
  readonly at: Date
  readonly activity: Activity
}

/** How much of the drift one cause made, with the orders or the missed runs behind it. Plain data. */
interface StoredCause {
  readonly cause: DriftCause
  readonly pct: number
  /** Ids of orders, among the fills. */
  readonly orders: readonly string[]
  /** YYYY-MM-DD. */
  readonly days: readonly string[]
}

/** A filled order and what it cost against the price it was decided by. Plain data. */
export interface StoredFill {
  readonly id: string
  readonly ticker: string
  readonly side: OrderSide
  readonly at: number
  readonly quantity: number
  readonly price: number
  /** The newest complete close; null where it was not kept. */
  readonly decisionPrice: number | null
  /** The broker's quote when it was decided; null for what was not held. */
  readonly quote: number | null
  /** The middle of bid and ask right before it was sent; absent in replays of earlier versions. */
  readonly sentQuote?: number | null
  readonly fee: number
  /** Worse than the newest quote, or without one than the decision price, in basis points; negative is better. */
  readonly costBps: number | null
}

export interface StoredReplay {
  readonly computedAt: Date
  readonly points: readonly { readonly at: number; readonly growth: number }[]
  readonly driftPct: number | null
  readonly error: string | null
  /** They add up to the drift; absent in replays of earlier versions. */
  readonly causes?: readonly StoredCause[]
  /** Newest first. */
  readonly fills?: readonly StoredFill[]
}

export interface JournalStore {
  tell(items: readonly ActivityItem[]): Promise<void>
  activity(deploymentId: number, limit: number): Promise<{ at: Date; activity: Activity }[]>
  insertSnapshots(taken: readonly (Snapshot & { readonly deploymentId: number })[]): Promise<void>
  lastSnapshot(deploymentId: number, before?: Date): Promise<Snapshot | undefined>
  /** By deployment; those that have none are left out. */
  lastSnapshots(deploymentIds: readonly number[]): Promise<ReadonlyMap<number, Snapshot>>
  highestGrowth(deploymentId: number): Promise<number>
  /** The last value of each of the last days, oldest first; days without one are left out. */
  dailyGrowth(deploymentIds: readonly number[], now: Date, days: number): Promise<Map<number, number[]>>
  /** Oldest first; downsampled to about `limit`. */
  snapshots(deploymentId: number, limit: number): Promise<Snapshot[]>
  appendLog(lines: readonly { deploymentId: number; line: string }[]): Promise<void>
  /** Oldest first. */
  logTail(deploymentId: number, lines: number): Promise<string[]>
  replay(deploymentId: number): Promise<StoredReplay | undefined>
  /** When it was last replayed. */
  replayedAt(deploymentId: number): Promise<Date | undefined>
  saveReplay(deploymentId: number, replay: StoredReplay): Promise<void>
  /**
   * Removes log lines, decisions that held and what the activity says of these, all from before an instant. The first decision
   * on each bar, by which a replay goes, and the newest of a deployment stay.
   */
  forget(before: Date): Promise<void>
}
