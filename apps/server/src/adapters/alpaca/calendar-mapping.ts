import { civilDate, dateOf, type EpochDay, type UtcMillis } from '@tradewright/core/time'
import { daylightSavingDays, newYorkInstant } from '@tradewright/engine/market/trading-calendar'
import type { MarketSession } from '@tradewright/engine/trading/broker'
import type { z } from 'zod'
import type { AlpacaCalendarDay } from './schema.ts'

export function toSession({ date, open, close }: z.output<typeof AlpacaCalendarDay>): MarketSession {
  const day = dateOf(date)
  return { day, open: newYorkTime(day, open), close: newYorkTime(day, close) }
}

/** "09:30" in New York on that day. */
function newYorkTime(day: EpochDay, time: string): UtcMillis {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const { from, to } = daylightSavingDays(civilDate(day).year)
  return newYorkInstant(day, hours * 60 + minutes, day >= from && day < to)
}
