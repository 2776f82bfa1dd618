import { dateOf, formatDate, epochDayOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { nyse } from '../market/trading-calendar.ts'
import { brokerCalendar } from './broker-calendar.ts'
import { nextRun, runsOutAt, type TradingSchedule } from './schedule.ts'

const WEEKDAYS = new Set([1, 2, 3, 4, 5])
const endOfDay: TradingSchedule = {
  frequency: { type: 'end_of_day', minutesBeforeClose: 30 },
  weekdays: WEEKDAYS,
  aroundTheClock: false,
}
const hourly: TradingSchedule = { ...endOfDay, frequency: { type: 'continuous', everyMinutes: 60 } }
const after = (text: string, schedule = endOfDay, calendar = nyse) => {
  const next = nextRun(schedule, Date.parse(text), calendar)
  return next === undefined ? undefined : new Date(next).toISOString()
}

describe('30 minutes before close', () => {
  it.each([
    ['a usual day in winter', '2026-01-05T12:00:00Z', '2026-01-05T20:30:00.000Z'],
    ['a usual day in summer', '2026-07-06T12:00:00Z', '2026-07-06T19:30:00.000Z'],
    ['the Friday before clocks go forward', '2026-03-06T12:00:00Z', '2026-03-06T20:30:00.000Z'],
    ['the Monday after clocks went forward', '2026-03-06T21:00:00Z', '2026-03-09T19:30:00.000Z'],
    ['the Monday after clocks went back', '2026-10-30T20:00:00Z', '2026-11-02T20:30:00.000Z'],
    ['the half day after Thanksgiving', '2026-11-26T12:00:00Z', '2026-11-27T17:30:00.000Z'],
    ['the half day of Christmas Eve', '2026-12-24T00:00:00Z', '2026-12-24T17:30:00.000Z'],
    ['the day after Good Friday', '2026-04-02T20:00:00Z', '2026-04-06T19:30:00.000Z'],
    ['exactly at a run, the next one', '2026-01-05T20:30:00Z', '2026-01-06T20:30:00.000Z'],
  ])('is right on %s [LIVE-202]', (_, from, expected) => {
    expect(after(from)).toBe(expected)
  })

  it('follows the broker where it knows of a day of mourning or an early close', () => {
    const [from, last] = [dateOf('2026-01-05'), dateOf('2026-01-09')]
    const sessions = [5, 6, 8, 9].map((date) => {
      const day = dateOf(`2026-01-0${date}`)
      return { day, open: nyse.openOf(day), close: date === 6 ? nyse.closeOf(day) - 3 * 3_600_000 : nyse.closeOf(day) }
    })
    const calendar = brokerCalendar(sessions, from, last)
    expect(after('2026-01-05T21:00:00Z', endOfDay, calendar)).toBe('2026-01-06T17:30:00.000Z')
    expect(after('2026-01-06T21:00:00Z', endOfDay, calendar)).toBe('2026-01-08T20:30:00.000Z')
    expect(brokerCalendar([{ day: from, open: nyse.openOf(from), close: nyse.closeOf(from) }], from, from)).toBe(nyse)
  })
})

describe('a session that begins late', () => {
  it('is checked from then on, as the broker says', () => {
    const day = dateOf('2026-01-06')
    const open = nyse.openOf(day) + 90 * 60_000
    const calendar = brokerCalendar([{ day, open, close: nyse.closeOf(day) }], day, day)
    expect(calendar.openOf(day)).toBe(open)
    expect(after('2026-01-05T21:00:00Z', hourly, calendar)).toBe('2026-01-06T16:00:00.000Z')
    expect(after('2026-01-06T21:00:00Z', hourly, calendar)).toBe('2026-01-07T14:30:00.000Z')
  })
})

describe('a schedule', () => {
  it('checks every N minutes from the open to the close', () => {
    expect(after('2026-01-05T00:00:00Z', hourly)).toBe('2026-01-05T14:30:00.000Z')
    expect(after('2026-01-05T14:30:00Z', hourly)).toBe('2026-01-05T15:30:00.000Z')
    expect(after('2026-01-05T20:30:00Z', hourly)).toBe('2026-01-06T14:30:00.000Z')
  })

  it('runs on chosen days only, and never without any', () => {
    const fridays = { ...hourly, weekdays: new Set([5]) }
    expect(after('2026-01-05T00:00:00Z', fridays)).toBe('2026-01-09T14:30:00.000Z')
    expect(after('2026-01-05T00:00:00Z', { ...hourly, weekdays: new Set() })).toBeUndefined()
  })

  it('runs around the clock, weekends included, when it is told to', () => {
    const always = { ...hourly, weekdays: new Set([0, 1, 2, 3, 4, 5, 6]), aroundTheClock: true }
    expect(after('2026-01-03T10:10:00Z', always)).toBe('2026-01-03T11:00:00.000Z')
    const evenings = { ...always, frequency: endOfDay.frequency }
    expect(after('2026-01-03T10:10:00Z', evenings)).toBe('2026-01-03T20:30:00.000Z')
  })

  it('gives a missed run up when its moment has passed', () => {
    const run = Date.parse('2026-01-05T20:30:00Z')
    expect(new Date(runsOutAt(endOfDay, run, nyse)).toISOString()).toBe('2026-01-05T21:00:00.000Z')
    expect(new Date(runsOutAt(hourly, run, nyse)).toISOString()).toBe('2026-01-06T14:30:00.000Z')
  })

  it('never decides on a day without a session', () => {
    let instant = Date.parse('2025-12-01T00:00:00Z')
    for (let i = 0; i < 300; i++) {
      instant = nextRun(endOfDay, instant, nyse)!
      expect(nyse.isSession(epochDayOf(instant)), formatDate(epochDayOf(instant))).toBe(true)
    }
  })
})
