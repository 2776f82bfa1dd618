import type { CollectionJob, CollectionJobBody, CollectionRun } from '@tradewright/contract/data-collector'
import type { z } from 'zod'
import type { CollectionRun as Run, JobSchedule, JobWithStanding } from '../../market-data/jobs/collection-job.ts'
import type { JobForm } from '../../market-data/jobs/save-job.ts'

type Body = z.output<typeof CollectionJobBody>

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const

export const toJobForm = (body: Body): JobForm => ({
  name: body.name || undefined,
  jobKind: body.job_kind,
  providerId: body.provider_id || null,
  dataStoreId: body.data_store_id ?? undefined,
  tickers: body.tickers,
  granularity: body.data_granularity || undefined,
  categories: body.categories,
  dates: {
    startDate: body.start_date,
    endDate: body.end_date,
    isDynamic: body.dynamic_date_mode,
    startOffsetDays: body.dynamic_start_offset_days,
    endOffsetDays: body.dynamic_end_offset_days,
  },
  schedule: body.is_scheduled ? scheduleOf(body) : null,
  additionalParams: body.additional_params,
  transformConfig: body.transform_config,
  dependsOnJobIds: body.depends_on_job_ids,
})

const scheduleOf = (body: Body): JobSchedule => ({
  cron: body.schedule_cron,
  startTime: body.schedule_start_time,
  endTime: body.schedule_end_time,
  timezone: body.schedule_timezone,
  startDate: body.schedule_start_date,
  endDate: body.schedule_end_date,
  days: body.schedule_days?.length ? body.schedule_days : WEEKDAYS,
  marketHoursOnly: body.schedule_market_hours_only,
  isActive: body.schedule_active,
})

/** `providers` gives names to ids; a provider that is gone keeps its id. */
export const toWireJob = (job: JobWithStanding, providers: ReadonlyMap<string, string>): CollectionJob => ({
  id: job.id,
  name: job.name,
  is_system: job.isSystem,
  job_kind: job.jobKind,
  provider: job.providerId && (providers.get(job.providerId) ?? job.providerId),
  provider_id: job.providerId,
  store: job.storeName,
  data_store_id: job.dataStoreId,
  tickers: [...job.tickers],
  data_granularity: job.granularity,
  categories: [...job.categories],
  start_date: job.dates.startDate,
  end_date: job.dates.endDate,
  dynamic_date_mode: job.dates.isDynamic,
  dynamic_start_offset_days: job.dates.startOffsetDays,
  dynamic_end_offset_days: job.dates.endOffsetDays,
  is_scheduled: job.schedule !== null,
  schedule_cron: job.schedule?.cron ?? null,
  schedule_start_time: job.schedule?.startTime ?? null,
  schedule_end_time: job.schedule?.endTime ?? null,
  schedule_timezone: job.schedule?.timezone ?? null,
  schedule_start_date: job.schedule?.startDate ?? null,
  schedule_end_date: job.schedule?.endDate ?? null,
  schedule_days: [...(job.schedule?.days ?? [])],
  schedule_market_hours_only: job.schedule?.marketHoursOnly ?? false,
  schedule_active: job.schedule?.isActive ?? false,
  additional_params: { ...job.additionalParams },
  transform_config: job.transformConfig && { ...job.transformConfig },
  depends_on_job_ids: [...job.dependsOnJobIds],
  status: job.standing.status,
  progress: job.standing.progress,
  error_message: job.standing.status === 'failed' ? job.standing.errorMessage : null,
  last_run: job.standing.lastRun?.toISOString() ?? null,
  next_run: job.nextRunAt?.toISOString() ?? null,
  total_records: job.standing.totalRecords,
  successful_runs: job.standing.successfulRuns,
  failed_runs: job.standing.failedRuns,
})

export const toWireRun = (run: Run): CollectionRun => ({
  run_id: run.id,
  job_id: run.jobId,
  job_name: run.jobName,
  provider: run.provider,
  store: run.store,
  status: run.status,
  started_at: run.startedAt.toISOString(),
  completed_at: run.completedAt?.toISOString() ?? null,
  records_fetched: run.recordsFetched,
  records_stored: run.recordsStored,
  layer_counts: run.layerCounts,
  run_counts: run.runCounts,
  total_duration_ms: run.completedAt && run.completedAt.getTime() - run.startedAt.getTime(),
  message: run.message,
  error_message: run.errorMessage,
})
