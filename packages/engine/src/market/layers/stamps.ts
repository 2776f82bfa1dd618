import { civilDate, dayStamp, epochDayOf, HOUR, SECOND, type UtcMillis } from '@tradewright/core/time'
import { daylightSavingDays } from '../calendar/new-york-time.ts'

/** Turns a provider's instant into our stamp of the row. */
export type StampRule = (instant: UtcMillis) => UtcMillis

/** Intraday rows: the opening instant is our stamp already. */
export const stampAsInstant: StampRule = (instant) => instant

/** Daily rows of coins, and observations that come with a plain date. */
export const stampAsUtcDay: StampRule = (instant) => dayStamp(epochDayOf(instant))

/** Daily rows whose provider tells the exchange's offset from UTC, as Yahoo's gmtoffset does. */
export const stampAtOffset =
  (offsetSeconds: number): StampRule =>
  (instant) =>
    dayStamp(epochDayOf(instant + offsetSeconds * SECOND))

/** Daily rows stamped with some instant of the New York day, such as its midnight or the opening. */
export const stampAsNewYorkDay: StampRule = (instant) => {
  const standardDay = epochDayOf(instant - 5 * HOUR)
  const { from, to } = daylightSavingDays(civilDate(standardDay).year)
  const isDaylightSaving = standardDay >= from && standardDay < to
  return dayStamp(epochDayOf(instant - (isDaylightSaving ? 4 : 5) * HOUR))
}
