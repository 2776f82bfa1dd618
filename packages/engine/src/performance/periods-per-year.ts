import type { Granularity } from '@tradewright/core/granularity'
import type { TradingCalendar } from '../market/calendar/trading-calendar.ts'

/** 252 on an exchange calendar, 365 around the clock, times the bars of a session. */
export const periodsPerYear = (calendar: TradingCalendar, granularity: Granularity): number =>
  calendar.sessionsPerYear * calendar.barsPerSession(granularity)
