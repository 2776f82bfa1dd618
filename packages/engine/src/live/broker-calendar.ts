import { civilDate, DAY, type EpochDay, MINUTE } from '@tradewright/core/time'
import {
  daylightSavingDays,
  newYorkInstant,
  nyse,
  nyseCalendar,
  type SessionChange,
  type TradingCalendar,
} from '../market/trading-calendar.ts'
import type { MarketSession } from '../trading/broker.ts'

/** Our calendar, overruled by what the broker says about the days that it was asked for, both included. */
export function brokerCalendar(sessions: readonly MarketSession[], from: EpochDay, last: EpochDay): TradingCalendar {
  const known = new Map(sessions.map((session) => [session.day, session]))
  const changes: SessionChange[] = []
  for (let day = from; day <= last; day++) {
    const session = known.get(day)
    const isSession = nyse.isSession(day)
    if (session === undefined) {
      if (isSession) changes.push({ day, closeMinute: undefined })
    } else if (!isSession || nyse.closeOf(day) !== session.close || nyse.openOf(day) !== session.open) {
      const { open, close } = session
      changes.push({ day, openMinute: minuteOfDay(day, open), closeMinute: minuteOfDay(day, close) })
    }
  }
  return changes.length === 0 ? nyse : nyseCalendar(changes)
}

function minuteOfDay(day: EpochDay, instant: number): number {
  const { from, to } = daylightSavingDays(civilDate(day).year)
  const midnight = newYorkInstant(day, 0, day >= from && day < to)
  const minute = (instant - midnight) / MINUTE
  if (minute <= 0 || minute > DAY / MINUTE)
    throw new RangeError(`a session cannot begin or end at minute ${minute} of its day`)
  return minute
}
