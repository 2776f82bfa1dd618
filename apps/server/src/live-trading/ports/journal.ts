import type { Usd } from '@tradewright/core/money'

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
  | { readonly type: 'event'; readonly level: 'info' | 'warning' | 'error'; readonly message: string }

interface ActivityItem {
  readonly deploymentId: number
  readonly at: Date
  readonly activity: Activity
}

export interface StoredReplay {
  readonly computedAt: Date
  readonly points: readonly { readonly at: number; readonly growth: number }[]
  readonly driftPct: number | null
  readonly error: string | null
}

export interface JournalStore {
  tell(items: readonly ActivityItem[]): Promise<void>
  activity(deploymentId: number, limit: number): Promise<{ at: Date; activity: Activity }[]>
  takeSnapshots(taken: readonly (Snapshot & { readonly deploymentId: number })[]): Promise<void>
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
}
