import { civilDate, type EpochDay } from '@tradewright/core/time'
import type { Numbers } from './moments.ts'

export interface MonthReturn {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly return: number
}

export interface YearReturn {
  readonly year: number
  readonly return: number
}

/**
 * Return of each calendar month, from the last value of the month before to its own last one. The first and the last
 * month may be partial: they are what was earned in them.
 */
export function monthlyReturns(days: readonly EpochDay[] | Int32Array, values: Numbers): MonthReturn[] {
  return returnsBy(days, values, (day) => {
    const { year, month } = civilDate(day)
    return year * 12 + month - 1
  }).map(({ period, earned }) => ({ year: Math.floor(period / 12), month: (period % 12) + 1, return: earned }))
}

/** As `monthlyReturns`, for calendar years. */
export function yearlyReturns(days: readonly EpochDay[] | Int32Array, values: Numbers): YearReturn[] {
  return returnsBy(days, values, (day) => civilDate(day).year).map(({ period, earned }) => ({
    year: period,
    return: earned,
  }))
}

function returnsBy(days: readonly EpochDay[] | Int32Array, values: Numbers, periodOf: (day: EpochDay) => number) {
  const returns: { period: number; earned: number }[] = []
  if (days.length < 2) return returns
  let base = values[0]!
  let period = periodOf(days[1]!)
  for (let i = 1; i < days.length; i++) {
    // Bars within a day cannot end a period, and there may be hundreds of them.
    if (days[i] === days[i + 1]) continue
    const next = i + 1 < days.length ? periodOf(days[i + 1]!) : undefined
    if (next === period) continue
    returns.push({ period, earned: base === 0 ? 0 : values[i]! / base - 1 })
    base = values[i]!
    if (next !== undefined) period = next
  }
  return returns
}

export interface DayReturn {
  readonly day: EpochDay
  readonly return: number
}

/** As `monthlyReturns`, for days: from close to close, whatever bars a day has. */
export function dailyReturns(days: readonly EpochDay[] | Int32Array, values: Numbers): DayReturn[] {
  return returnsBy(days, values, (day) => day).map(({ period, earned }) => ({ day: period, return: earned }))
}

/** The best and the worst of a list of days, months or years; undefined of an empty list. */
export function extremes<Period extends { readonly return: number }>(
  periods: readonly Period[],
): { best: Period; worst: Period } | undefined {
  const [first] = periods
  if (!first) return undefined
  return periods.reduce(
    ({ best, worst }, period) => ({
      best: period.return > best.return ? period : best,
      worst: period.return < worst.return ? period : worst,
    }),
    { best: first, worst: first },
  )
}
