import { type EpochDay, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import type { TradingCalendar } from '../market/trading-calendar.ts'
import type { MarketClock, MarketSession } from './broker.ts'

export function isMarketOpen(calendar: TradingCalendar, now: UtcMillis): boolean {
  const today = epochDayOf(now)
  return calendar.isSession(today) && now >= calendar.openOf(today) && now < calendar.closeOf(today)
}

export function clockOf(calendar: TradingCalendar, now: UtcMillis): MarketClock {
  const today = epochDayOf(now)
  const next = (instantOf: (day: EpochDay) => UtcMillis) =>
    calendar.isSession(today) && now < instantOf(today) ? instantOf(today) : instantOf(calendar.nextSession(today))
  return {
    now,
    isOpen: isMarketOpen(calendar, now),
    nextOpen: next((day) => calendar.openOf(day)),
    nextClose: next((day) => calendar.closeOf(day)),
  }
}

/** Both days included. */
export const sessionsOf = (calendar: TradingCalendar, from: EpochDay, last: EpochDay): MarketSession[] =>
  Array.from(calendar.sessionsBetween(from, last + 1), (day) => ({
    day,
    open: calendar.openOf(day),
    close: calendar.closeOf(day),
  }))
