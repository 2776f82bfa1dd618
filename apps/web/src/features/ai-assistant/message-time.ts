import { formatDate, formatTime, ownDay } from '../../lib/format-time.ts'

/** `3:30 PM ET`, with the date before it on any other day than today; by the chosen zone, where there is one. */
export function messageTime(when: string, now: number): string {
  const time = formatTime(when)
  const day = ownDay(new Date(when))
  return day === ownDay(new Date(now)) ? time : `${formatDate(day)}, ${time}`
}
