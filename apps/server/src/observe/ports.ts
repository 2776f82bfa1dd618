/** Jobs of one kind that are not finished, of all users together. */
export interface OpenJobs {
  readonly kind: string
  readonly state: 'queued' | 'running'
  readonly count: number
  /** Since the oldest was put in, or began. */
  readonly oldestSeconds: number
}

export interface DeploymentCounts {
  readonly running: number
  /** Running, and no process holds its lease. */
  readonly unattended: number
  /** Running, and the last scheduled run did not take place. */
  readonly missed: number
  /** Running, while books and broker differ. */
  readonly disagreeing: number
  /** Running, with any problem that keeps it from trading. */
  readonly blocked: number
}

/** What the database knows of the work of all users together, without names. */
export interface InstanceCounts {
  readonly jobs: readonly OpenJobs[]
  readonly deployments: DeploymentCounts
  readonly users: number
  readonly databaseBytes: number
}

/** A backup folder, where this process makes backups. */
export interface BackupStatus {
  readonly isRunning: boolean
  readonly newestAt: Date | undefined
  readonly count: number
  readonly lastFailureAt: Date | undefined
}
