import { formatBarMoment, formatDate } from '../../../lib/format-time.ts'

/** A session date, or the instant of a bar within the day. */
export const formatBarDate = (date: string): string =>
  date.includes('T') ? formatBarMoment(new Date(date)) : formatDate(date)
