import type {
  CollectionJob,
  CollectionJobSettings,
  CollectionRun,
  JobStanding,
  LayerCounts,
  RunEnd,
} from './collection-job.ts'

export interface JobWithStanding extends CollectionJob {
  readonly standing: JobStanding
}

/** The collection jobs of each user; those of others do not exist for them. */
export interface CollectionJobStore {
  /** The user's own jobs by age, then the system job. */
  list(userId: number): Promise<JobWithStanding[]>
  find(userId: number, id: number): Promise<JobWithStanding | undefined>
  insert(userId: number, job: CollectionJobSettings, nextRunAt: Date | null): Promise<JobWithStanding>
  /** The job that every user has; once it is there, nothing happens. */
  addSystemJob(userId: number, job: CollectionJobSettings, nextRunAt: Date | null): Promise<void>
  update(
    userId: number,
    id: number,
    job: CollectionJobSettings,
    nextRunAt: Date | null,
  ): Promise<JobWithStanding | undefined>
  remove(userId: number, id: number): Promise<boolean>
  namesUsingStore(userId: number, storeId: number): Promise<string[]>
  namesUsingProvider(userId: number, providerId: string): Promise<string[]>
}

interface NewRun {
  readonly queueJobId: string
  readonly providerName: string | null
  readonly startedAt: Date
}

export interface RunOutcome {
  readonly status: RunEnd
  readonly completedAt: Date
  readonly recordsFetched: number
  readonly recordsStored: number
  readonly layerCounts: LayerCounts
  readonly runCounts: LayerCounts
  readonly message: string | null
  readonly errorMessage: string | null
}

export interface CollectionRunStore {
  /** Newest first. A run whose work has ended without a word counts as failed, or cancelled. */
  list(userId: number, limit: number): Promise<CollectionRun[]>
  /** The run of this work; one that begins again after a crash goes on with its row. */
  begin(job: CollectionJob, run: NewRun): Promise<number>
  end(runId: number, outcome: RunOutcome): Promise<void>
}
