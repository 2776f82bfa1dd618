import type { Clock } from '@tradewright/core/clock'
import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import { DAY, epochDayOf, HOUR, MINUTE, SECOND } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { Cron } from 'croner'
import { type JobSchedule, jobMissing, type CollectionJobStore, checkReady } from './collection-job.ts'
import { enqueueJob, type JobWatch } from '../../jobs/job-watch.ts'
import type { JobStore } from '../../jobs/job.ts'
import { COLLECTION_KIND, CollectionInput, CollectionResult, singletonKeyOf } from './run-job.ts'

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

const DEFAULT_START = '09:30:00'
const SHORTEST_REPEAT = 5 * MINUTE
/** A schedule that has nothing in two years has nothing. */
const LOOK_AHEAD_DAYS = 732

/** Frankfurt is no zone of the IANA's; its clocks are Berlin's. */
const zoneOf = ({ timezone }: JobSchedule): string => (timezone === 'Europe/Frankfurt' ? 'Europe/Berlin' : timezone)

/**
 * When the job runs next, strictly after the given instant. A cron expression wins over the other fields. Without one
 * it runs on the chosen days at the start time; bars within the day are also collected again, once per bar, until the
 * end time.
 */
export function nextRun(schedule: JobSchedule, granularity: Granularity, after: Date): Date | null {
  if (!schedule.isActive) return null
  if (schedule.cron) return cronOf(schedule.cron, schedule).nextRun(after)
  const starts = cronOf(startPattern(schedule), schedule)
  const { from, to } = datesOf(schedule)
  const { length, step } = windowOf(schedule, granularity)
  const begin = Math.max(after.getTime(), from)
  let start = starts.nextRun(new Date(begin - length - SECOND))
  while (start && start.getTime() <= Math.min(to, begin + LOOK_AHEAD_DAYS * DAY)) {
    for (let instant = start.getTime(); instant <= start.getTime() + length; instant += step) {
      const isLater = instant > after.getTime() && instant >= from && instant <= to
      if (isLater && (!schedule.marketHoursOnly || isMarketOpen(instant))) return new Date(instant)
    }
    start = starts.nextRun(start)
  }
  return null
}

/** Refuses an expression that cannot be understood or never comes true. */
export function checkCron(schedule: JobSchedule): void {
  if (schedule.cron) cronOf(schedule.cron, schedule)
}

function cronOf(pattern: string, schedule: JobSchedule): Cron {
  try {
    return new Cron(pattern, { timezone: zoneOf(schedule), paused: true })
  } catch (error) {
    const sentence = `"${pattern}" is not a cron expression.`
    throw new Problem('invalid', 'collection.cron', sentence, { cause: error })
  }
}

const CRON_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function startPattern({ startTime, days }: JobSchedule): string {
  const [hour, minute, second] = partsOf(startTime ?? DEFAULT_START)
  const weekdays = days.map((day) => CRON_DAYS.indexOf(day)).filter((day) => day >= 0)
  return `${second} ${minute} ${hour} * * ${weekdays.length === 0 ? '1-5' : weekdays.join(',')}`
}

function windowOf({ startTime, endTime }: JobSchedule, granularity: Granularity): { length: number; step: number } {
  const step = Math.max(SHORTEST_REPEAT, granularityMillis(granularity))
  if (!endTime || granularity === '1d') return { length: 0, step }
  return { length: Math.max(0, millisOf(endTime) - millisOf(startTime ?? DEFAULT_START)), step }
}

const partsOf = (time: string): [number, number, number] => {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number)
  if (hour > 23 || minute > 59 || second > 59) {
    throw new Problem('invalid', 'collection.time', `"${time}" is not a time of day.`)
  }
  return [hour, minute, second]
}

const millisOf = (time: string): number => {
  const [hour, minute, second] = partsOf(time)
  return hour * HOUR + minute * MINUTE + second * SECOND
}

/** Dates of the form "2026-01-31 09:30:00", in the zone of the schedule. */
function datesOf(schedule: JobSchedule): { from: number; to: number } {
  const instant = (text: string | null, otherwise: number): number => {
    if (!text) return otherwise
    const normal = text.length === 10 ? `${text}T00:00:00` : text.replace(' ', 'T')
    const full = normal.length === 16 ? `${normal}:00` : normal
    const once = new Cron(full, { timezone: zoneOf(schedule), paused: true })
    return once.nextRun(new Date(0))?.getTime() ?? otherwise
  }
  return {
    from: instant(schedule.startDate, Number.NEGATIVE_INFINITY),
    to: instant(schedule.endDate, Number.POSITIVE_INFINITY),
  }
}

function isMarketOpen(instant: number): boolean {
  // The New York day of an instant in trading hours is its UTC day.
  const day = epochDayOf(instant)
  return nyse.isSession(day) && instant >= nyse.openOf(day) && instant <= nyse.closeOf(day)
}

export interface StartDeps {
  readonly jobs: CollectionJobStore
  readonly queue: JobStore
  readonly watch: JobWatch
}

/** Runs a job and waits for its end. A run that is under way already is waited for; the run goes on without us. */
export async function runNow({ jobs, queue, watch }: StartDeps, userId: number, id: number): Promise<CollectionResult> {
  const job = await jobs.find(userId, id)
  if (!job) throw jobMissing()
  checkReady(job, await jobs.list(userId))
  const { job: work } = await enqueueJob({ jobs: queue }, collectionRequestKind, {
    userId,
    subject: job.name,
    input: { collectionJobId: id },
    isLimited: true,
    singletonKey: singletonKeyOf(id),
  })
  return CollectionResult.parse(await watch.result(userId, work.id))
}

export const collectionRequestKind = { kind: COLLECTION_KIND, input: CollectionInput }

interface CancelDeps {
  readonly jobs: CollectionJobStore
  readonly queue: Pick<JobStore, 'requestCancel'>
}

/** Asks the run of a job to stop. It stores what it has, says how much that was, and ends as cancelled. */
export async function cancelRun({ jobs, queue }: CancelDeps, userId: number, id: number): Promise<void> {
  const job = await jobs.find(userId, id)
  if (!job) throw jobMissing()
  const { workId } = job.standing
  if (!workId) throw new Problem('conflict', 'collection.not-running', `"${job.name}" is not running.`)
  await queue.requestCancel(userId, workId)
}
