import type { CollectionJob } from '@tradewright/contract/data-collector'
import { expect, it } from 'vitest'
import { dataText, hiddenTickers, nextRunText, rangeText, scheduleText, shownTickers } from './jobs-tab.tsx'

const job = (more: Partial<CollectionJob>): CollectionJob =>
  ({
    tickers: ['SPY'],
    data_granularity: '1d',
    categories: ['close'],
    start_date: '2020-01-01',
    end_date: null,
    is_scheduled: true,
    schedule_cron: null,
    schedule_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
    schedule_start_time: '09:30:00',
    schedule_end_time: null,
    schedule_timezone: 'America/New_York',
    schedule_active: true,
    next_run: '2026-11-16T14:30:00.000Z',
    ...more,
  }) as CollectionJob

it('shortens long lists', () => {
  const many = job({ tickers: ['A', 'B', 'C', 'D', 'E', 'F'] })
  expect([shownTickers(many).join(), hiddenTickers(many)]).toEqual(['A,B,C,D', 2])
  expect(hiddenTickers(job({}))).toBe(0)
  expect(dataText(job({ categories: ['open', 'high', 'low', 'close'] }))).toBe('1d · open, high, low + 1 more')
})

it('says which days are asked for', () => {
  expect(rangeText(job({}))).toBe('1 Jan 2020 – today')
  const dynamic = { dynamic_date_mode: true, dynamic_start_offset_days: 30 }
  expect(rangeText(job({ ...dynamic, dynamic_end_offset_days: 0 }))).toBe('30 days ago – today')
  expect(rangeText(job({ ...dynamic, dynamic_end_offset_days: 1 }))).toBe('30 days ago – 1 day ago')
  expect(rangeText(job({ ...dynamic, dynamic_end_offset_days: -2 }))).toBe('30 days ago – 2 days ahead')
})

it('says when it runs by itself', () => {
  expect(scheduleText(job({ is_scheduled: false }))).toBeNull()
  expect(scheduleText(job({}))).toBe('Weekdays at 09:30, New York')
  expect(scheduleText(job({ schedule_days: ['Monday', 'Sunday'], schedule_end_time: '16:00:00' }))).toBe(
    'Mon, Sun 09:30–16:00, New York',
  )
  expect(scheduleText(job({ schedule_cron: '0 18 * * *', schedule_timezone: 'UTC' }))).toBe('cron 0 18 * * *, UTC')
  expect(nextRunText(job({}))).toBe('Next 16 Nov 2026, 9:30 AM ET')
  expect(nextRunText(job({ schedule_active: false }))).toBe('Schedule off')
  expect(nextRunText(job({ next_run: null }))).toBe('No further run')
})

it('says of the system job that it is about everything stored', () => {
  const system = job({ is_system: true, tickers: [], categories: [], dynamic_date_mode: true })
  expect([dataText(system), rangeText(system)]).toEqual(['New and corrected rows', 'Since the last row – today'])
})
