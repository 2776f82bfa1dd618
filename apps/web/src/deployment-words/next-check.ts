import { formatTime, ownDay, ownWeekday } from '../lib/format-time.ts'

/** `3:30 PM ET` today, `Mon, 3:30 PM ET` on another day: on the clock of other moments, such as orders and runs. */
export function nextCheckText(when: string, now = new Date()): string {
  const instant = new Date(when)
  const time = formatTime(when)
  return ownDay(instant) === ownDay(now) ? time : `${ownWeekday(instant)}, ${time}`
}
