import { dateOf, dayStamp } from '@tradewright/core/time'
import {
  type StampRule,
  stampAsNewYorkDay,
  stampAsUtcDay,
  stampAtOffset,
} from '@tradewright/engine/market/layers/stamps'
import type { YahooResult } from './schema.ts'

/**
 * Daily rows are stamped with the opening in exchange time. Currencies open at midnight, where today's UTC offset would
 * put the days of the other half of the year on the wrong date, so the zone's own history is asked.
 */
export function sessionDayStamp({ exchangeTimezoneName, gmtoffset }: YahooResult['meta']): StampRule {
  if (exchangeTimezoneName === 'America/New_York') return stampAsNewYorkDay
  if (!exchangeTimezoneName || exchangeTimezoneName === 'UTC')
    return gmtoffset === 0 ? stampAsUtcDay : stampAtOffset(gmtoffset)
  let format: Intl.DateTimeFormat
  try {
    // Swedish dates are written as ISO dates.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: exchangeTimezoneName, dateStyle: 'short' })
  } catch {
    return stampAtOffset(gmtoffset)
  }
  return (instant) => dayStamp(dateOf(format.format(instant)))
}
