import { granularityMillis } from '@tradewright/core/granularity'
import { DAY } from '@tradewright/core/time'
import { sessionsFrom } from './session-walk.ts'
import type { TradingCalendar } from './trading-calendar.ts'

/** Never closes; a session is a UTC day and ends when the next one begins. */
export const crypto: TradingCalendar = {
  id: 'crypto',
  sessionsPerYear: 365,
  isSession: () => true,
  openOf: (day) => day * DAY,
  closeOf: (day) => (day + 1) * DAY,
  ...sessionsFrom(() => true),
  barsPerSession: (granularity) => DAY / granularityMillis(granularity),
}
