import { type EpochDay, formatDate } from '@tradewright/core/time'

/** No exchange has stayed closed longer than a week since 1933. */
const MAX_CLOSURE_DAYS = 30

export function sessionsFrom(isSession: (day: EpochDay) => boolean) {
  const walk = (day: EpochDay, step: 1 | -1): EpochDay => {
    for (let i = 1; i <= MAX_CLOSURE_DAYS; i++) if (isSession(day + i * step)) return day + i * step
    throw new Error(`no session within ${MAX_CLOSURE_DAYS} days of ${formatDate(day)}`)
  }
  return {
    nextSession: (day: EpochDay) => walk(day, 1),
    previousSession: (day: EpochDay) => walk(day, -1),
    sessionsBetween(from: EpochDay, to: EpochDay): Int32Array {
      const days = new Int32Array(Math.max(0, to - from))
      let count = 0
      for (let day = from; day < to; day++) if (isSession(day)) days[count++] = day
      return days.slice(0, count)
    },
  }
}

export const closedDay = (market: string, day: EpochDay): RangeError =>
  new RangeError(`${formatDate(day)} is not a session of the ${market}`)
