import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { startPgBossCarrier } from '../adapters/pg-boss/job-carrier.ts'
import type { Foundation } from '../foundation.ts'
import type { AnyJobKind, JobStore } from '../jobs/job.ts'
import { JobRunner, type JobRunnerDeps } from '../jobs/job-runner.ts'
import { JobWatch } from '../jobs/job-watch.ts'
import { type CountedWork, RunLimit } from '../jobs/run-limit.ts'
import type { Logger } from '../log.ts'
import type { DatabaseTransaction } from '../stores/database.ts'
import { createJobRunStore } from '../stores/jobs/job-runs.ts'
import { createJobStore } from '../stores/jobs/jobs.ts'

/** Long work of one process: any process may put jobs in; those that were told to also run them. */
export interface JobsArea {
  jobs: JobStore
  /** The same store as a part of the caller's transaction. */
  jobsWithin(transaction: DatabaseTransaction): JobStore
  watch: JobWatch
  /** Counts a user's work that is no job. */
  counted: CountedWork
  /**
   * Makes the kinds known; with `run`, this process takes jobs of these kinds from now on, `alone` if no other process
   * can.
   */
  begin(kinds: readonly AnyJobKind[], options: { run: boolean; alone: boolean }): Promise<void>
  close(): Promise<void>
}

type Needs = Pick<Foundation, 'database' | 'pool' | 'notifications'>

interface JobSettings extends Pick<JobRunnerDeps, 'turnMs'> {
  /** What one user may have running at once. */
  limit?: RunLimit
}

export async function openJobs(
  { database, pool, notifications }: Needs,
  log: Logger,
  { limit = new RunLimit(Infinity), ...settings }: JobSettings = {},
): Promise<JobsArea> {
  const queue = await startPgBossCarrier(pool, log)
  const { carrier, deliveries } = queue
  const jobs = createJobStore(database, deliveries, limit)
  const watch = await JobWatch.open(jobs, notifications)
  let runner: JobRunner | undefined
  return {
    jobs,
    jobsWithin: (transaction) => createJobStore(transaction, deliveries, limit),
    watch,
    counted: (userId, work) => limit.during(userId, jobs, work),
    async begin(kinds, { run, alone }) {
      await queue.prepare(kinds.map(({ kind }) => kind))
      if (!run) return
      const store = createJobRunStore(database, deliveries)
      if (alone) await store.adopt()
      const workerId = `${hostname()} ${process.pid} ${randomUUID()}`
      runner = new JobRunner({ carrier, store, messages: notifications, workerId, log, ...settings }, kinds)
      await runner.start()
    },
    async close() {
      await runner?.close()
      await queue.close()
    },
  }
}
