import { refuseForeignExchanges } from '@tradewright/core/exchange'
import type { Clock } from '@tradewright/core/clock'
import type { Granularity } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import { fallbacksOf, parseTicker } from '@tradewright/core/ticker'
import { TBILLX } from '@tradewright/core/ticker-kind'
import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import { findStarterTransform } from '@tradewright/engine/transforms/starter-transforms'
import { findProvider, type ProvidersOf } from '../providers.ts'
import { type DataStore, storeMissing, type DataStoreRows } from '../stores/data-store.ts'
import {
  type CollectionJobSettings,
  jobMissing,
  type CollectionJobStore,
  type JobWithStanding,
  rangeOfRun,
  checkDependencies,
} from './collection-job.ts'
import { checkCron, nextRun } from './scheduler.ts'
import { AUTO_PROVIDER } from '../series-for.ts'

export interface JobDeps {
  readonly jobs: CollectionJobStore
  readonly storeRows: DataStoreRows
  readonly providersOf: ProvidersOf
  readonly clock: Clock
}

/** The form of a job, in which what is required may still be missing. */
export interface JobForm extends Omit<CollectionJobSettings, 'name' | 'granularity' | 'dataStoreId'> {
  readonly name: string | undefined
  readonly granularity: Granularity | undefined
  /** Without one, the user's default store. */
  readonly dataStoreId: number | undefined
}

/** All jobs of the user. Reading them for the first time adds the system job, where the first stored series has not done so. */
export async function listJobs(deps: JobDeps, userId: number): Promise<JobWithStanding[]> {
  const jobs = await deps.jobs.list(userId)
  if (jobs.some(({ isSystem }) => isSystem)) return jobs
  await addSystemJob(deps, await deps.storeRows.systemStore(userId))
  return deps.jobs.list(userId)
}

export function addSystemJob(deps: Pick<JobDeps, 'jobs' | 'clock'>, { userId, id }: DataStore): Promise<void> {
  const job = systemJob(userId, id)
  return deps.jobs.addSystemJob(userId, job, nextRunOf(deps, job))
}

export async function createJob(deps: JobDeps, userId: number, form: JobForm): Promise<JobWithStanding> {
  const settings = await checkForm(deps, userId, form)
  checkDependencies({ id: undefined, ...settings }, await deps.jobs.list(userId))
  return deps.jobs.insert(userId, settings, nextRunOf(deps, settings))
}

export async function updateJob(deps: JobDeps, userId: number, id: number, form: JobForm): Promise<JobWithStanding> {
  await findChangeable(deps, userId, id)
  const settings = await checkForm(deps, userId, form)
  checkDependencies({ id, ...settings }, await deps.jobs.list(userId))
  const changed = await deps.jobs.update(userId, id, settings, nextRunOf(deps, settings))
  if (!changed) throw jobMissing()
  return changed
}

export async function deleteJob(deps: JobDeps, userId: number, id: number): Promise<void> {
  const job = await findChangeable(deps, userId, id)
  if (job.standing.status === 'running') throw conflict(`"${job.name}" is running; wait until the run has ended.`)
  const dependents = (await deps.jobs.list(userId)).filter(({ dependsOnJobIds }) => dependsOnJobIds.includes(id))
  if (dependents.length > 0) {
    throw conflict(`These jobs depend on it: ${dependents.map(({ name }) => `"${name}"`).join(', ')}.`)
  }
  if (!(await deps.jobs.remove(userId, id))) throw jobMissing()
}

async function findChangeable({ jobs }: JobDeps, userId: number, id: number): Promise<JobWithStanding> {
  const job = await jobs.find(userId, id)
  if (!job) throw jobMissing()
  if (job.isSystem) throw conflict('System jobs cannot be changed or deleted.')
  return job
}

async function checkForm(deps: JobDeps, userId: number, form: JobForm): Promise<CollectionJobSettings> {
  const { name, granularity } = form
  if (!name) throw invalid('Job name is required')
  if (!granularity) throw invalid('Data granularity is required')
  if (form.jobKind === 'fetch' && !form.providerId) throw invalid('Provider is required for fetch jobs')
  if (form.jobKind === 'fetch' && form.tickers.length === 0) throw invalid('At least one ticker is required')
  rangeOfRun(form.dates, deps.clock.now().getTime())
  if (form.schedule) checkCron(form.schedule)
  const tickers = [...new Set(form.tickers.flatMap(plainSymbols))]
  refuseForeignExchanges(tickers)
  const dataStoreId = await storeIdOf(deps, userId, form.dataStoreId)
  const common = { ...form, name, granularity, tickers, dataStoreId }
  if (form.jobKind === 'transform') return { ...common, providerId: null, ...checkedTransform(form) }
  const provider = findProvider(await deps.providersOf(userId), form.providerId ?? '')
  return { ...common, ...withinLimits(provider, granularity, form) }
}

/** Parameters are applied when a series is used; what is collected is the ticker under them, and its fallbacks. */
function plainSymbols(text: string): string[] {
  const ticker = parseTicker(text)
  const fallbacks = fallbacksOf(ticker).filter(({ symbol }) => symbol !== TBILLX)
  return [ticker, ...fallbacks].map(({ symbol }) => symbol)
}

async function storeIdOf({ storeRows }: JobDeps, userId: number, id: number | undefined): Promise<number> {
  if (id === undefined) return ((await storeRows.defaultOf(userId)) ?? (await storeRows.systemStore(userId))).id
  const store = await storeRows.find(userId, id)
  if (!store) throw storeMissing()
  return store.id
}

/** Categories the provider does not have are dropped, with its first one as the fallback; so is a bulk mode it lacks. */
function withinLimits({ limits, displayName }: MarketDataProvider, granularity: Granularity, form: JobForm) {
  if (!limits.history[granularity]) throw invalid(`${displayName} does not offer ${granularity} data.`)
  const supported = form.categories.filter((category) => limits.supportedCategories.includes(category))
  const { mode, ...otherParams } = form.additionalParams
  const keepsMode = mode !== undefined && (mode !== 'bulk' || limits.bulkMode)
  return {
    categories: supported.length > 0 ? supported : limits.supportedCategories.slice(0, 1),
    additionalParams: keepsMode ? { ...otherParams, mode } : otherParams,
  }
}

function checkedTransform({ transformConfig, tickers }: JobForm) {
  const name = transformConfig?.['starter_transform']
  if (typeof name !== 'string' || !findStarterTransform(name)) {
    throw invalid('A transform job needs transform_config.starter_transform, the name of a starter transform.')
  }
  if (tickers.length === 0) throw invalid('At least one ticker is required')
  return { transformConfig }
}

const nextRunOf = ({ clock }: Pick<JobDeps, 'clock'>, { schedule, granularity }: CollectionJobSettings): Date | null =>
  schedule && nextRun(schedule, granularity, clock.now())

const invalid = (sentence: string) => new Problem('invalid', 'collection.invalid', sentence)
const conflict = (sentence: string) => new Problem('conflict', 'collection.conflict', sentence)

const SYSTEM_JOB_NAME = 'Nightly refresh'

const EVERY_DAY = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * The job that every user has: it refreshes the series that their stores hold, each from the provider it came from. It
 * names no tickers, since what is stored when it runs counts. At night in New York, when the day's bars are final; the
 * minute differs by user, so that users of one server do not ask a provider all at once.
 */
const systemJob = (userId: number, systemStoreId: number): CollectionJobSettings => ({
  name: SYSTEM_JOB_NAME,
  jobKind: 'fetch',
  providerId: AUTO_PROVIDER,
  dataStoreId: systemStoreId,
  tickers: [],
  granularity: '1d',
  categories: [],
  dates: { startDate: null, endDate: null, isDynamic: true, startOffsetDays: null, endOffsetDays: null },
  schedule: {
    cron: null,
    startTime: `02:${String(userId % 60).padStart(2, '0')}:00`,
    endTime: null,
    timezone: 'America/New_York',
    startDate: null,
    endDate: null,
    days: EVERY_DAY,
    marketHoursOnly: false,
    isActive: true,
  },
  additionalParams: {},
  transformConfig: null,
  dependsOnJobIds: [],
})
