import { MINUTE } from '@tradewright/core/time'

/** From a time of day to another one, by the clock of a time zone; over midnight where the end comes first. */
export interface QuietHours {
  /** `22:00`. */
  readonly from: string
  readonly to: string
  /** An IANA name: `Europe/Berlin`. */
  readonly timeZone: string
}

const DAY_MINUTES = 24 * 60

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** How long quiet hours go on; undefined outside of them. By the wall clock, so an hour off on a day that changes it. */
export function quietForMs({ from, to, timeZone }: QuietHours, now: Date): number | undefined {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const time = minutesOf(clock.format(now))
  const length = cyclic(minutesOf(to) - minutesOf(from))
  const passed = cyclic(time - minutesOf(from))
  const secondsPassed = now.getTime() % MINUTE
  return passed < length ? (length - passed) * MINUTE - secondsPassed : undefined
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const cyclic = (minutes: number): number => (minutes + DAY_MINUTES) % DAY_MINUTES
