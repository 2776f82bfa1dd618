import { dateOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { nyse } from '../market/trading-calendar.ts'
import type { TradingSchedule } from './schedule.ts'
import { decidingBars, fillTimingOf } from './timing.ts'

const endOfDay: TradingSchedule = {
  frequency: { type: 'end_of_day', minutesBeforeClose: 30 },
  weekdays: new Set([1, 2, 3, 4, 5]),
  aroundTheClock: false,
}
const hourly: TradingSchedule = { ...endOfDay, frequency: { type: 'continuous', everyMinutes: 60 } }
const days = nyse.sessionsBetween(dateOf('2026-03-02'), dateOf('2026-03-14'))
const closes = Float64Array.from(days, (day) => nyse.closeOf(day))
const decided = (schedule: TradingSchedule) =>
  [...days].filter((_, bar) => decidingBars(schedule, closes)[bar] === 1).map(formatDate)

describe('the timing of a deployment', () => {
  it('fills near the next close at the end of the day, and at the next open when it checks all day', () => {
    expect(fillTimingOf(endOfDay, '1d')).toBe('next_close')
    expect(fillTimingOf(hourly, '1d')).toBe('next_open')
    // The newest hour is complete when it decides, and the next one has begun.
    expect(fillTimingOf(endOfDay, '1h')).toBe('next_open')
  })

  it('decides by every bar that is the newest at a run, and by no other', () => {
    expect(decided(endOfDay)).toHaveLength(days.length)
    expect(decided({ ...endOfDay, weekdays: new Set([3]) })).toEqual(['2026-03-03', '2026-03-10', '2026-03-13'])
    expect(decided({ ...hourly, weekdays: new Set([3]) })).toEqual(['2026-03-03', '2026-03-10', '2026-03-13'])
  })

  it('of an hour decides by the last complete one before each run', () => {
    const open = nyse.openOf(dateOf('2026-03-03'))
    const hours = Float64Array.from({ length: 8 }, (_, i) => open + i * 3_600_000)
    // Half an hour before the close at 4 PM: the bar that was complete at 3:30 PM, and the last one waits for tomorrow.
    expect([...decidingBars(endOfDay, hours)]).toEqual([0, 0, 0, 0, 0, 0, 1, 1])
    expect([...decidingBars(hourly, hours)]).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })
})
