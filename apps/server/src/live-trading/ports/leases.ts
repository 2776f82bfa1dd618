import type { Deployment } from '../deployment.ts'

interface Held {
  readonly held: readonly Deployment[]
  /** Deployments whose former holder let its lease run out: it died, or it hangs. */
  readonly takenOver: ReadonlySet<number>
  /** So many accounts more than its share: those without work are to be released. */
  readonly surplus: number
}

export type Attendance = 'attended' | 'held' | 'none'

export interface LeaseStore {
  /**
   * Takes or renews the leases of all deployments that need a runner, by the database's clock, so that clocks of
   * machines do not matter; answers those that this holder has now. All deployments of an account are one holder's, and
   * accounts are shared by the capacities of the holders that claim.
   */
  claim(holder: string, seconds: number, capacity?: number): Promise<Held>
  /** Which of these leases are this holder's; held until the transaction ends. */
  held(deploymentIds: readonly number[], holder: string): Promise<ReadonlySet<number>>
  /** `held`: a restore holds the account back, on every machine, until the operator lets it trade. */
  attendance(deploymentId: number): Promise<Attendance>
  attendances(deploymentIds: readonly number[]): Promise<ReadonlyMap<number, Attendance>>
  /** Ends the leases of processes that died, at the start of the only process that can hold any. */
  expireAll(): Promise<void>
  /** All that it holds, or these. */
  release(holder: string, deploymentIds?: readonly number[]): Promise<void>
}
