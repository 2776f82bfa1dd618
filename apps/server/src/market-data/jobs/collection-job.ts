import type { Granularity } from '@tradewright/core/granularity'
import type { Category } from '@tradewright/core/category'
import { Problem } from '@tradewright/core/problem'
import type { Layer } from '@tradewright/engine/market/series'
import { DAY, dateOf, dayStamp, epochDayOf, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import type { JobProgress } from '../../jobs/job.ts'

export type CollectionJobKind = 'fetch' | 'transform'

export type LayerCounts = Record<Layer, number>

/** Fixed dates, or days back from the day of the run. */
export interface JobDates {
  readonly startDate: string | null
  readonly endDate: string | null
  readonly isDynamic: boolean
  readonly startOffsetDays: number | null
  readonly endOffsetDays: number | null
}

/** When a job runs by itself. A cron expression wins over the other fields; the time zone holds for both. */
export interface JobSchedule {
  readonly cron: string | null
  readonly startTime: string | null
  readonly endTime: string | null
  readonly timezone: string
  readonly startDate: string | null
  readonly endDate: string | null
  readonly days: readonly string[]
  readonly marketHoursOnly: boolean
  readonly isActive: boolean
}

export interface CollectionJobSettings {
  readonly name: string
  readonly jobKind: CollectionJobKind
  readonly providerId: string | null
  readonly dataStoreId: number
  readonly tickers: readonly string[]
  readonly granularity: Granularity
  readonly categories: readonly Category[]
  readonly dates: JobDates
  readonly schedule: JobSchedule | null
  readonly additionalParams: Readonly<Record<string, unknown>>
  readonly transformConfig: Readonly<Record<string, unknown>> | null
  readonly dependsOnJobIds: readonly number[]
}

export interface CollectionJob extends CollectionJobSettings {
  readonly id: number
  readonly userId: number
  readonly isSystem: boolean
  readonly storeName: string
  readonly nextRunAt: Date | null
}

/** How a job stands, from its runs. `pending`: it has never run. */
export interface JobStanding {
  readonly status: 'pending' | RunStatus
  /** The work in the queue, while there is some. */
  readonly workId: string | null
  /** Progress of the run under way; null without one. */
  readonly progress: JobProgress | null
  readonly errorMessage: string | null
  readonly lastRun: Date | null
  readonly totalRecords: number
  readonly successfulRuns: number
  readonly failedRuns: number
}

export type RunStatus = 'running' | RunEnd
type RunEnd = 'completed' | 'failed' | 'cancelled'

export interface CollectionRun {
  readonly id: number
  readonly jobId: number
  readonly jobName: string
  readonly provider: string | null
  readonly store: string
  readonly status: RunStatus
  readonly startedAt: Date
  readonly completedAt: Date | null
  readonly recordsFetched: number
  readonly recordsStored: number
  readonly layerCounts: LayerCounts
  readonly runCounts: LayerCounts
  readonly message: string | null
  readonly errorMessage: string | null
}

export const jobMissing = (): Problem =>
  new Problem('missing', 'collection.missing', 'There is no such collection job.')

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

const DEFAULT_START = '2020-01-01'
const DEFAULT_START_OFFSET_DAYS = 30

/** The days a run collects, both ends included. Offsets are days back from the UTC day of the run. */
export function rangeOfRun(dates: JobDates, now: UtcMillis): TimeRange {
  const today = epochDayOf(now)
  const first = dates.isDynamic
    ? today - (dates.startOffsetDays ?? DEFAULT_START_OFFSET_DAYS)
    : dateOf(dates.startDate ?? DEFAULT_START)
  const last = dates.isDynamic ? today - (dates.endOffsetDays ?? 0) : dates.endDate ? dateOf(dates.endDate) : today
  if (last < first) throw new Problem('invalid', 'collection.dates', 'The end date is before the start date.')
  return { from: dayStamp(first), to: dayStamp(last) + DAY }
}

/** Refuses dependencies that do not exist and chains that lead back to the job itself. */
export function checkDependencies(
  job: { readonly id: number | undefined; readonly name: string; readonly dependsOnJobIds: readonly number[] },
  others: readonly JobWithStanding[],
): void {
  const known = new Map(others.map((other) => [other.id, other]))
  for (const id of job.dependsOnJobIds) {
    if (!known.has(id))
      throw new Problem('missing', 'collection.dependency', `There is no collection job ${id} to depend on.`)
  }
  const chain = job.id === undefined ? undefined : chainTo(job.id, job.dependsOnJobIds, known, new Set())
  if (!chain) return
  const names = [job.name, ...chain.map((id) => known.get(id)!.name)]
  throw new Problem('invalid', 'collection.cycle', `The job would depend on itself: ${names.join(' → ')}.`)
}

function chainTo(
  target: number,
  ids: readonly number[],
  known: ReadonlyMap<number, JobWithStanding>,
  seen: Set<number>,
): number[] | undefined {
  for (const id of ids) {
    if (id === target) return [id]
    if (seen.has(id)) continue
    seen.add(id)
    const rest = chainTo(target, known.get(id)?.dependsOnJobIds ?? [], known, seen)
    if (rest) return [id, ...rest]
  }
  return undefined
}

/** A job begins only after those it depends on have completed. */
export function checkReady(job: JobWithStanding, others: readonly JobWithStanding[]): void {
  for (const id of job.dependsOnJobIds) {
    const other = others.find((one) => one.id === id)
    if (!other || other.standing.status === 'completed') continue
    const why = other.standing.status === 'running' ? 'is still running' : 'has to be completed first'
    throw new Problem('conflict', 'collection.not-ready', `"${job.name}" depends on "${other.name}", which ${why}.`)
  }
}
