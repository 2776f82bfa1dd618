import type { Clock } from '@tradewright/core/clock'
import type { Granularity } from '@tradewright/core/granularity'
import type { JobSchedule } from './collection-job.ts'
import { nextRun } from './next-run.ts'

/** A job whose time has come, held so that no other process can take it. */
export interface DueJob {
  readonly id: number
  readonly userId: number
  readonly name: string
  readonly granularity: Granularity
  readonly schedule: JobSchedule
  /** Jobs that it depends on are running or about to. */
  readonly isBlocked: boolean
}

export interface DueJobs {
  /**
   * Gives `decide` the jobs that are due, locked; for each it answers when the job is due next, and the job is put in
   * the queue in the same transaction. Undefined leaves it due.
   */
  start(now: Date, decide: (job: DueJob) => Date | null | undefined): Promise<number>
}

/** Jobs whose time has come, once each: of several missed times the newest is made up for. */
export function startDueJobs(due: DueJobs, clock: Clock): Promise<number> {
  const now = clock.now()
  return due.start(now, (job) => (job.isBlocked ? undefined : nextRunOf(job, now)))
}

/** A stored schedule of a form that this version does not know stays due; the list of jobs says that it is left out. */
function nextRunOf({ schedule, granularity }: DueJob, now: Date): Date | null | undefined {
  try {
    return nextRun(schedule, granularity, now)
  } catch {
    return undefined
  }
}
