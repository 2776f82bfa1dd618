import { AUTO_PROVIDER } from '../series-for.ts'
import type { CollectionJobSettings } from './collection-job.ts'

const SYSTEM_JOB_NAME = 'Nightly refresh'

const EVERY_DAY = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * The job that every user has: it refreshes the series that their stores hold, each from the provider it came from. It
 * names no tickers, since what is stored when it runs counts. At night in New York, when the day's bars are final; the
 * minute differs by user, so that users of one server do not ask a provider all at once.
 */
export const systemJob = (userId: number, systemStoreId: number): CollectionJobSettings => ({
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
