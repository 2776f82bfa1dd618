import { civilDate, DAY, type EpochDay, MINUTE } from '@tradewright/core/time'
import { daylightSavingDays, newYorkInstant } from '../market/calendar/new-york-time.ts'
import { nyse, nyseCalendar, type SessionChange } from '../market/calendar/nyse.ts'
import type { TradingCalendar } from '../market/calendar/trading-calendar.ts'
import type { MarketSession } from '../trading/broker.ts'

/** Our calendar, overruled by what the broker says about the days that it was asked for, both included. */
export function brokerCalendar(sessions: readonly MarketSession[], from: EpochDay, last: EpochDay): TradingCalendar {
  const closes = new Map(sessions.map(({ day, close }) => [day, close]))
  const changes: SessionChange[] = []
  for (let day = from; day <= last; day++) {
    const close = closes.get(day)
    if (close === undefined) {
      if (nyse.isSession(day)) changes.push({ day, closeMinute: undefined })
    } else if (!nyse.isSession(day) || nyse.closeOf(day) !== close) {
      changes.push({ day, closeMinute: minuteOfDay(day, close) })
    }
  }
  return changes.length === 0 ? nyse : nyseCalendar(changes)
}

function minuteOfDay(day: EpochDay, instant: number): number {
  const { from, to } = daylightSavingDays(civilDate(day).year)
  const midnight = newYorkInstant(day, 0, day >= from && day < to)
  const minute = (instant - midnight) / MINUTE
  if (minute <= 0 || minute > DAY / MINUTE)
    throw new RangeError(`a session cannot close at minute ${minute} of its day`)
  return minute
}
