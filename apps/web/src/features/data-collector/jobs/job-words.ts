import type { CollectionJob } from '@tradewright/contract/data-collector'
import { formatDate, formatMarketMoment } from '../../../lib/format-time.ts'

const SHOWN_TICKERS = 4
const SHOWN_CATEGORIES = 3

const shortList = (words: readonly string[], shown: number): string =>
  words.length > shown ? `${words.slice(0, shown).join(', ')} + ${words.length - shown} more` : words.join(', ')

export const shownTickers = ({ tickers }: CollectionJob): string[] => tickers.slice(0, SHOWN_TICKERS)

export const hiddenTickers = ({ tickers }: CollectionJob): number => Math.max(0, tickers.length - SHOWN_TICKERS)

/** The system job refreshes whatever is stored when it runs. */
export const isOfAllStored = ({ is_system, tickers }: CollectionJob): boolean => is_system && tickers.length === 0

/** `1d · open, close`. */
export const dataText = (job: CollectionJob): string =>
  isOfAllStored(job) ? 'New and corrected rows' : requestedData(job)

const requestedData = ({ data_granularity, categories }: CollectionJob): string =>
  [data_granularity, shortList(categories, SHOWN_CATEGORIES)].filter(Boolean).join(' · ')

export function rangeText(job: CollectionJob): string {
  if (isOfAllStored(job)) return 'Since the last row – today'
  if (!job.dynamic_date_mode) {
    return `${job.start_date ? formatDate(job.start_date) : 'First'} – ${job.end_date ? formatDate(job.end_date) : 'today'}`
  }
  const end = job.dynamic_end_offset_days ?? 0
  const until = end === 0 ? 'today' : end > 0 ? `${days(end)} ago` : `${days(-end)} ahead`
  return `${days(job.dynamic_start_offset_days ?? 0)} ago – ${until}`
}

const days = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

/** Null for a job that is run by hand only. */
export function scheduleText(job: CollectionJob): string | null {
  if (!job.is_scheduled) return null
  const what = job.schedule_cron ? `cron ${job.schedule_cron}` : `${daysText(job.schedule_days)} ${timesText(job)}`
  const zone = (job.schedule_timezone ?? 'UTC').split('/').at(-1)!.replace('_', ' ')
  return `${what}, ${zone}`
}

function daysText(days: readonly string[]): string {
  if (days.length === 7) return 'Every day'
  const isWeek = days.length === WEEKDAYS.length && WEEKDAYS.every((day) => days.includes(day))
  return isWeek ? 'Weekdays' : days.map((day) => day.slice(0, 3)).join(', ')
}

function timesText({ schedule_start_time: start, schedule_end_time: end }: CollectionJob): string {
  const from = (start ?? '00:00').slice(0, 5)
  return end ? `${from}–${end.slice(0, 5)}` : `at ${from}`
}

/** When it runs by itself the next time, or why it does not. */
export function nextRunText(job: CollectionJob): string {
  if (!job.schedule_active) return 'Schedule off'
  return job.next_run ? `Next ${formatMarketMoment(job.next_run)}` : 'No further run'
}
