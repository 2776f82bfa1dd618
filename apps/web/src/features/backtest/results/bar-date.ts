import { formatBarMoment, formatDate, formatDateRange, marketDay } from '../../../lib/format-time.ts'

/** A session date, or the instant of a bar within the day. */
export const formatBarDate = (date: string): string =>
  date.includes('T') ? formatBarMoment(new Date(date)) : formatDate(date)

const dayOf = (date: string | undefined): string | undefined => (date?.includes('T') ? marketDay(new Date(date)) : date)

/** The day of a bar at the exchange: hours of a session are of one day in every time zone. */
export const formatBarDay = (date: string | undefined): string => formatDate(dayOf(date))

export const formatBarDays = (from: string | undefined, to: string | undefined): string =>
  formatDateRange(dayOf(from), dayOf(to))
