import { formatDate, formatMarketTime } from '../../../lib/format-time.ts'

/** A session date, or the instant of a bar within the day. */
export function formatBarDate(date: string): string {
  return date.includes('T') ? `${formatDate(date)}, ${formatMarketTime(date)}` : formatDate(date)
}
