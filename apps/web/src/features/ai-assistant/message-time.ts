import { formatDate, formatMarketTime } from '../../lib/format-time.ts'

/** `3:30 PM ET`, with the date before it on any other day than today. */
export function messageTime(when: string, now: number): string {
  const time = formatMarketTime(when)
  const day = newYorkDay(Date.parse(when))
  return day === newYorkDay(now) ? time : `${formatDate(day)}, ${time}`
}

/** `YYYY-MM-DD` on the exchange's calendar. */
const newYorkDay = (instant: number): string =>
  new Date(instant).toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
