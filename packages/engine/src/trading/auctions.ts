import { civilDate, type EpochDay, epochDayOf, MINUTE, type UtcMillis } from '@tradewright/core/time'
import { daylightSavingDays, newYorkInstant, type TradingCalendar } from '../market/trading-calendar.ts'

/** Orders for an auction are taken from 19:00 in New York on, until so long before it. */
const EVENING_MINUTE = 19 * 60
const LAST_CALL = { opg: 2 * MINUTE, cls: 10 * MINUTE } as const

function eveningOf(day: EpochDay): UtcMillis {
  const { from, to } = daylightSavingDays(civilDate(day).year)
  return newYorkInstant(day, EVENING_MINUTE, day >= from && day < to)
}

/** When the last order for the auction of a session is taken. */
export const lastCallOf = (auction: 'opg' | 'cls', day: EpochDay, calendar: TradingCalendar): UtcMillis =>
  (auction === 'opg' ? calendar.openOf(day) : calendar.closeOf(day)) - LAST_CALL[auction]

/** Whether a broker takes an order for an auction now, as Alpaca describes it. */
export function isAuctionOrderTaken(auction: 'opg' | 'cls', now: UtcMillis, calendar: TradingCalendar): boolean {
  const day = epochDayOf(now)
  return !calendar.isSession(day) || now < lastCallOf(auction, day, calendar) || now >= eveningOf(day)
}

/** From when to when an order for the opening after a session can be sent; some minutes after the evening has begun. */
export const openingWindow = (day: EpochDay, calendar: TradingCalendar): { from: UtcMillis; until: UtcMillis } => ({
  from: eveningOf(day) + 5 * MINUTE,
  until: lastCallOf('opg', calendar.nextSession(day), calendar),
})

/** The session in whose auction an order is executed that was taken at this instant. */
export function auctionDay(auction: 'opg' | 'cls', takenAt: UtcMillis, calendar: TradingCalendar): EpochDay {
  const today = epochDayOf(takenAt)
  const isToday =
    calendar.isSession(today) && takenAt < (auction === 'opg' ? calendar.openOf(today) : calendar.closeOf(today))
  return isToday ? today : calendar.nextSession(today)
}
