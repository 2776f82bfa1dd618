import type { Granularity } from '@tradewright/core/granularity'
import type { Category } from '@tradewright/core/category'
import { Problem } from '@tradewright/core/problem'
import type { Layer } from '@tradewright/engine/market/series'
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
export type RunEnd = 'completed' | 'failed' | 'cancelled'

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
