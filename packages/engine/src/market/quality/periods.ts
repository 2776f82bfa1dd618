import { civilDate, dayStamp, epochDayOf, toEpochDay, type UtcMillis } from '@tradewright/core/time'
import type { Frequency } from '../known-at.ts'

const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const

/** The stamp of the next period of an economic series: a month is not a number of days. */
export function nextPeriod(stamp: UtcMillis, frequency: Frequency): UtcMillis {
  const day = epochDayOf(stamp)
  if (frequency === 'daily' || frequency === 'weekly') return dayStamp(day + (frequency === 'daily' ? 1 : 7))
  const { year, month, day: dayOfMonth } = civilDate(day)
  const months = year * 12 + (month - 1) + MONTHS[frequency]
  return dayStamp(toEpochDay(Math.floor(months / 12), (months % 12) + 1, dayOfMonth))
}
