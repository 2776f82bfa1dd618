import { defaultCategory, offeredCategories } from '@tradewright/core/category'
import {
  type CollectionJob,
  type CollectionJobBody,
  type Provider,
  SCHEDULE_DAYS,
  SCHEDULE_TIMEZONES,
  cancelCollectionRun,
  createCollectionJob,
  deleteCollectionJob,
  runCollectionJob,
  updateCollectionJob,
} from '@tradewright/contract/data-collector'
import { getSecTickers } from '@tradewright/contract/collected-data'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { GRANULARITIES } from '@tradewright/contract/data-collector-fields'
import { isLike } from '../../../strategy-form/is-like.ts'
import { useOfferUndo } from '../../../deletions/use-offer-undo.ts'
import { call } from '../../../lib/http.ts'
import { failed, runFailed, runSucceeded, succeeded, type Tell } from '../notice.tsx'
import { KEYS, refreshData, refreshRuns } from '../queries.ts'

type ScheduleDay = (typeof SCHEDULE_DAYS)[number]
type Timezone = (typeof SCHEDULE_TIMEZONES)[number]
type Granularity = (typeof GRANULARITIES)[number]

/** Numbers as the fields hold them: a text while it is typed. */
type Typed = number | string

export interface JobForm {
  name: string
  providerId: string
  storeId: string
  /** As typed, separated by commas. */
  tickers: string
  granularity: Granularity | ''
  categories: string[]
  isBulk: boolean
  otherParams: Record<string, unknown>
  isDynamic: boolean
  startDate: string
  endDate: string
  startOffsetDays: Typed
  endOffsetDays: Typed
  dependsOn: number[]
  isScheduled: boolean
  cron: string
  startTime: string
  endTime: string
  timezone: Timezone
  scheduleStart: string
  scheduleEnd: string
  days: ScheduleDay[]
  marketHoursOnly: boolean
  isActive: boolean
}

const DEFAULT_START_DATE = '2020-01-01'
const DEFAULT_START_OFFSET_DAYS = 30
const DEFAULT_START_TIME = '09:30:00'

export const newJobForm = (today: string, storeId: string): JobForm => ({
  name: '',
  providerId: '',
  storeId,
  tickers: '',
  granularity: '1d',
  categories: [defaultCategory],
  isBulk: false,
  otherParams: {},
  isDynamic: false,
  startDate: DEFAULT_START_DATE,
  endDate: today,
  startOffsetDays: DEFAULT_START_OFFSET_DAYS,
  endOffsetDays: 0,
  dependsOn: [],
  isScheduled: false,
  cron: '',
  startTime: DEFAULT_START_TIME,
  endTime: '',
  timezone: 'America/New_York',
  scheduleStart: '',
  scheduleEnd: '',
  days: SCHEDULE_DAYS.slice(0, 5),
  marketHoursOnly: false,
  isActive: true,
})

/** A new job as it was left; null where there is none, or where another version wrote it. */
export function checkedJobForm(draft: unknown): JobForm | null {
  return isLike({ ...newJobForm('', ''), categories: [''], dependsOn: [0] }, draft) ? draft : null
}

/** Fields that a job does not have keep the value of a new one. */
export function fromJob(job: CollectionJob, today: string): JobForm {
  const fresh = newJobForm(today, String(job.data_store_id))
  const { mode, ...otherParams } = job.additional_params
  return {
    ...fresh,
    name: job.name,
    providerId: job.provider_id ?? '',
    tickers: job.tickers.join(', '),
    granularity: job.data_granularity,
    categories: job.categories,
    isBulk: mode === 'bulk',
    otherParams,
    isDynamic: job.dynamic_date_mode,
    startDate: job.start_date ?? (job.dynamic_date_mode ? fresh.startDate : ''),
    endDate: job.end_date ?? (job.dynamic_date_mode ? fresh.endDate : ''),
    startOffsetDays: job.dynamic_start_offset_days ?? fresh.startOffsetDays,
    endOffsetDays: job.dynamic_end_offset_days ?? fresh.endOffsetDays,
    dependsOn: job.depends_on_job_ids,
    ...(job.is_scheduled ? scheduleOf(job) : {}),
  }
}

const scheduleOf = (job: CollectionJob) => ({
  isScheduled: true,
  cron: job.schedule_cron ?? '',
  startTime: job.schedule_start_time ?? '',
  endTime: job.schedule_end_time ?? '',
  timezone: SCHEDULE_TIMEZONES.find((zone) => zone === job.schedule_timezone) ?? 'America/New_York',
  scheduleStart: fieldMoment(job.schedule_start_date),
  scheduleEnd: fieldMoment(job.schedule_end_date),
  days: SCHEDULE_DAYS.filter((day) => job.schedule_days.includes(day)),
  marketHoursOnly: job.schedule_market_hours_only,
  isActive: job.schedule_active,
})

/** The provider's own, in the usual order; all that we know while none is chosen. */
export function categoryChoices(provider: Provider | undefined): string[] {
  if (!provider) return [...offeredCategories]
  const known = offeredCategories.filter((category) => provider.supported_categories.includes(category))
  return [...known, ...provider.supported_categories.filter((category) => !known.includes(category))]
}

/** Categories, bulk mode and granularity give way to what the provider has. */
export function withProvider(form: JobForm, providerId: string, providers: readonly Provider[]): JobForm {
  const provider = providers.find(({ id }) => id === providerId)
  if (!provider) return { ...form, providerId }
  const kept = form.categories.filter((category) => provider.supported_categories.includes(category))
  const offered = GRANULARITIES.filter((granularity) => provider.granularities.includes(granularity))
  const isOffered = form.granularity === '' || offered.includes(form.granularity)
  return {
    ...form,
    providerId,
    categories: kept.length > 0 ? kept : provider.supported_categories.slice(0, 1),
    isBulk: form.isBulk && provider.capabilities.bulk_mode,
    granularity: isOffered ? form.granularity : (offered.at(-1) ?? form.granularity),
  }
}

export const tickersOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((ticker) => ticker.trim())
      .filter(Boolean),
  ),
]

/** Adds to what is typed, without doubles. */
export const withTickers = (text: string, more: readonly string[]): string =>
  [...new Set([...tickersOf(text), ...more])].join(', ')

export type JobProblems = Partial<
  Record<'name' | 'granularity' | 'providerId' | 'tickers' | 'startOffsetDays' | 'endOffsetDays', string>
>

/** Errors that keep the form from being sent, by field. */
export function problemsOf(form: JobForm): JobProblems {
  const problems: JobProblems = {}
  if (form.name.trim() === '') problems.name = 'Job name is required'
  if (form.providerId === '') problems.providerId = 'Provider is required for fetch jobs'
  if (form.granularity === '') problems.granularity = 'Data granularity is required'
  if (tickersOf(form.tickers).length === 0) problems.tickers = 'At least one ticker is required'
  if (form.isDynamic && !(Number.isInteger(form.startOffsetDays) && Number(form.startOffsetDays) >= 0)) {
    problems.startOffsetDays = 'The start offset must be a whole number, 0 or more'
  }
  if (form.isDynamic && !Number.isInteger(form.endOffsetDays)) {
    problems.endOffsetDays = 'The end offset must be a whole number'
  }
  return problems
}

export const toBody = (form: JobForm): CollectionJobBody => ({
  name: form.name.trim(),
  job_kind: 'fetch',
  provider_id: form.providerId,
  data_store_id: form.storeId === '' ? null : Number(form.storeId),
  tickers: tickersOf(form.tickers),
  data_granularity: form.granularity,
  categories: form.categories,
  start_date: form.isDynamic ? null : form.startDate,
  end_date: form.isDynamic ? null : form.endDate,
  dynamic_date_mode: form.isDynamic,
  dynamic_start_offset_days: form.isDynamic ? Number(form.startOffsetDays) : null,
  dynamic_end_offset_days: form.isDynamic ? Number(form.endOffsetDays) : null,
  is_scheduled: form.isScheduled,
  schedule_cron: form.cron.trim(),
  schedule_start_time: wireTime(form.startTime),
  schedule_end_time: wireTime(form.endTime),
  schedule_timezone: form.timezone,
  schedule_start_date: wireMoment(form.scheduleStart),
  schedule_end_date: wireMoment(form.scheduleEnd),
  schedule_days: form.days,
  schedule_market_hours_only: form.marketHoursOnly,
  schedule_active: form.isActive,
  additional_params: { ...form.otherParams, ...(form.isBulk ? { mode: 'bulk' } : {}) },
  transform_config: null,
  depends_on_job_ids: form.dependsOn,
})

/** Browsers leave out seconds that are zero. */
const wireTime = (time: string): string => (time.length === 5 ? `${time}:00` : time)

/** `2026-01-05T09:30` of the field is `2026-01-05 09:30:00` on the wire. */
const wireMoment = (moment: string): string => (moment === '' ? '' : `${moment.slice(0, 16).replace('T', ' ')}:00`)
const fieldMoment = (moment: string | null): string => (moment ?? '').slice(0, 16).replace(' ', 'T')

const RUN_REFRESH_MS = 500

interface SavedJob {
  /** Undefined: a new one. */
  id: number | undefined
  body: CollectionJobBody
}

export function useSaveJob({ tell, onSaved, onFailed }: { tell: Tell; onSaved: () => void; onFailed: Tell }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: SavedJob) =>
      id === undefined ? call(createCollectionJob, { body }) : call(updateCollectionJob, { params: { id }, body }),
    onSuccess: (_, { id }) => {
      tell(succeeded(id === undefined ? 'createJob' : 'updateJob'))
      onSaved()
      return queries.invalidateQueries({ queryKey: KEYS.jobs })
    },
    onError: (error, { id }) => onFailed(failed(id === undefined ? 'createJob' : 'updateJob', error)),
  })
}

export function useDeleteJob(tell: Tell) {
  const queries = useQueryClient()
  const offerUndo = useOfferUndo()
  return useMutation({
    mutationFn: ({ id }: CollectionJob) => call(deleteCollectionJob, { params: { id } }),
    onSuccess: (_, { id, name }) => {
      tell(succeeded('deleteJob'))
      offerUndo(`collection job “${name}”`, [{ kind: 'collection-job', id }])
    },
    onError: (error) => tell(failed('deleteJob', error)),
    onSettled: () => refreshRuns(queries),
  })
}

/** The answer comes when the run has ended; the lists show before that that it is under way. */
export function useRunJob(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(runCollectionJob, { params: { id } }),
    onMutate: () => {
      setTimeout(() => void refreshRuns(queries), RUN_REFRESH_MS)
    },
    onSuccess: (answer) => tell(runSucceeded(answer)),
    onError: (error) => tell(runFailed(error)),
    onSettled: () => Promise.all([refreshRuns(queries), refreshData(queries)]),
  })
}

export function useCancelRun(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(cancelCollectionRun, { params: { id } }),
    onError: (error) => tell(failed('cancelRun', error)),
    onSettled: () => refreshRuns(queries),
  })
}

export function useSecTickers({ onTickers, onError }: { onTickers: (tickers: string[]) => void; onError: Tell }) {
  return useMutation({
    mutationFn: (limit: number) => call(getSecTickers, { query: { limit } }),
    onSuccess: ({ tickers }) => onTickers(tickers),
    onError: (error) => onError(failed('sec', error)),
  })
}
