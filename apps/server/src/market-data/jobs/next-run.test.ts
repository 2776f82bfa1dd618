import { describe, expect, it } from 'vitest'
import type { JobSchedule } from './collection-job.ts'
import { checkCron, nextRun } from './scheduler.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']
const schedule = (more: Partial<JobSchedule> = {}): JobSchedule => ({
  cron: null,
  startTime: '09:30:00',
  endTime: null,
  timezone: 'America/New_York',
  startDate: null,
  endDate: null,
  days: weekdays,
  marketHoursOnly: false,
  isActive: true,
  ...more,
})
const next = (more: Partial<JobSchedule>, after: string, granularity: '1d' | '1h' | '1m' = '1d') =>
  nextRun(schedule(more), granularity, new Date(after))?.toISOString() ?? null

describe('the next run', () => {
  it('is at the start time of the next chosen day, in the zone of the schedule [DATA-143] [DATA-144]', () => {
    // Friday, after the start; the clocks in New York change on the Sunday between.
    expect(next({}, '2026-03-06T15:00:00Z')).toBe('2026-03-09T13:30:00.000Z')
    expect(next({}, '2026-03-06T14:00:00Z')).toBe('2026-03-06T14:30:00.000Z')
    expect(next({ days: ['Sunday'] }, '2026-03-06T14:00:00Z')).toBe('2026-03-08T13:30:00.000Z')
  })

  it('is strictly after the given instant', () => {
    expect(next({}, '2026-03-04T14:30:00Z')).toBe('2026-03-05T14:30:00.000Z')
  })

  it('reads Europe/Frankfurt as Europe/Berlin [DATA-142]', () => {
    expect(next({ timezone: 'Europe/Frankfurt', startTime: '08:00:00' }, '2026-07-01T12:00:00Z')).toBe(
      '2026-07-02T06:00:00.000Z',
    )
  })

  it('lets a cron expression win over the other fields, but not over the zone [DATA-070]', () => {
    const cron = '0 6 * * *'
    expect(next({ cron, days: ['Sunday'], startTime: '01:00' }, '2026-03-04T14:30:00Z')).toBe(
      '2026-03-05T11:00:00.000Z',
    )
  })

  it('repeats bars within the day once per bar until the end time, daily ones not', () => {
    const window = { startTime: '10:00', endTime: '12:00' }
    expect(next(window, '2026-03-04T15:00:00Z', '1h')).toBe('2026-03-04T16:00:00.000Z')
    expect(next(window, '2026-03-04T16:30:00Z', '1h')).toBe('2026-03-04T17:00:00.000Z')
    expect(next(window, '2026-03-04T17:00:00Z', '1h')).toBe('2026-03-05T15:00:00.000Z')
    expect(next(window, '2026-03-04T15:00:00Z', '1m')).toBe('2026-03-04T15:05:00.000Z')
    expect(next(window, '2026-03-04T15:00:00Z', '1d')).toBe('2026-03-05T15:00:00.000Z')
  })

  it('skips holidays and hours outside the market where only market hours are wanted', () => {
    // Good Friday of 2026.
    expect(next({ marketHoursOnly: true }, '2026-04-02T14:00:00Z')).toBe('2026-04-06T13:30:00.000Z')
    expect(next({ marketHoursOnly: true, startTime: '20:00' }, '2026-04-02T14:00:00Z')).toBeNull()
  })

  it('knows that the market closes early on a half day', () => {
    // The day after Thanksgiving ends at 13:00 in New York, which is 18:00 UTC.
    const afternoon = { marketHoursOnly: true, startTime: '15:00' }
    expect(next(afternoon, '2026-11-25T21:00:00Z')).toBe('2026-11-30T20:00:00.000Z')
    const hourly = { marketHoursOnly: true, startTime: '10:00', endTime: '16:00' }
    expect(next(hourly, '2026-11-27T17:00:00Z', '1h')).toBe('2026-11-27T18:00:00.000Z')
    expect(next(hourly, '2026-11-27T18:00:00Z', '1h')).toBe('2026-11-30T15:00:00.000Z')
  })

  it('lies between the dates of the schedule, which are in its zone [DATA-069]', () => {
    const dates = { startDate: '2026-03-10 09:30:00', endDate: '2026-03-11 09:30:00' }
    expect(next(dates, '2026-03-01T00:00:00Z')).toBe('2026-03-10T13:30:00.000Z')
    expect(next(dates, '2026-03-10T13:30:00Z')).toBe('2026-03-11T13:30:00.000Z')
    expect(next(dates, '2026-03-11T13:30:00Z')).toBeNull()
  })

  it('is none while the schedule is not active', () => {
    expect(next({ isActive: false }, '2026-03-04T15:00:00Z')).toBeNull()
  })
})

it('refuses an expression it cannot understand', () => {
  expect(() => checkCron(schedule({ cron: '61 * * * *' }))).toThrow('"61 * * * *" is not a cron expression.')
})
