import { type Granularity, isIntraday } from '@tradewright/core/granularity'
import { epochDayOf, formatDate, type UtcMillis } from '@tradewright/core/time'

export interface Bars {
  readonly granularity: Granularity
  readonly timestamps: ArrayLike<number | null>
}

/** A day for daily bars, an instant for bars within the day. */
export const barDate = (granularity: Granularity, stamp: UtcMillis): string =>
  isIntraday(granularity) ? new Date(stamp).toISOString().replace('.000Z', 'Z') : formatDate(epochDayOf(stamp))

const DAY_MS = 86_400_000

/** Days and times of day repeat, and a hundred thousand dates are put together from few texts. */
export function barDates({ granularity, timestamps }: Bars): string[] {
  const wholeDays = !isIntraday(granularity)
  const days = new Map<number, string>()
  const times = new Map<number, string>()
  return Array.from(timestamps, (known) => {
    const stamp = known!
    const day = Math.floor(stamp / DAY_MS)
    const date = kept(days, day, () => formatDate(day))
    if (wholeDays) return date
    return date + kept(times, stamp - day * DAY_MS, () => barDate(granularity, stamp).slice(date.length))
  })
}

function kept(texts: Map<number, string>, key: number, write: () => string): string {
  const found = texts.get(key)
  if (found !== undefined) return found
  const text = write()
  texts.set(key, text)
  return text
}
