import { Problem } from '@tradewright/core/problem'
import { civilDate, type EpochDay, parseDate, toEpochDay } from '@tradewright/core/time'

export const periodFilters = ['all', 'ytd', '1y', '2y', '3y', 'custom'] as const
type PeriodFilter = (typeof periodFilters)[number]

export interface PeriodRequest {
  readonly filter: PeriodFilter
  /** For `custom` only. */
  readonly startDate: string | undefined
  readonly endDate: string | undefined
}

export interface Period {
  readonly from: EpochDay
  readonly to: EpochDay
}

/** Both days are inside; the value at the end of the first one is what the period begins with. */
export function periodOf({ filter, startDate, endDate }: PeriodRequest, today: EpochDay): Period {
  if (filter === 'custom') return customPeriod(startDate, endDate)
  return { from: FIRST_DAYS[filter](today), to: today }
}

const FIRST_DAYS: Record<Exclude<PeriodFilter, 'custom'>, (today: EpochDay) => EpochDay> = {
  all: () => 0,
  ytd: (today) => toEpochDay(civilDate(today).year, 1, 1) - 1,
  '1y': (today) => yearsBefore(today, 1),
  '2y': (today) => yearsBefore(today, 2),
  '3y': (today) => yearsBefore(today, 3),
}

function customPeriod(startDate: string | undefined, endDate: string | undefined): Period {
  const from = startDate === undefined ? undefined : parseDate(startDate)
  const to = endDate === undefined ? undefined : parseDate(endDate)
  if (from === undefined || to === undefined) {
    throw new Problem('invalid', 'portfolio.dates', 'A custom period needs a start date and an end date.')
  }
  if (from > to) {
    throw new Problem('invalid', 'portfolio.dates', 'The start date must not be after the end date.')
  }
  return { from, to }
}

/** The 29th of February has the 28th as its anniversary. */
function yearsBefore(day: EpochDay, years: number): EpochDay {
  const { year, month, day: date } = civilDate(day)
  return toEpochDay(year - years, month, month === 2 && date === 29 ? 28 : date)
}
