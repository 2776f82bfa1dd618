import type { Column } from '@tradewright/core/column'
import { civilDate, type EpochDay } from '@tradewright/core/time'
import type { Numbers } from './statistics.ts'
import { type Figure, finiteOr, notAvailable, mapFigure } from './figure.ts'

/** One return per step: a curve of n values has n - 1 of them. */
export function simpleReturns(values: Numbers): Column {
  const returns = new Float64Array(Math.max(0, values.length - 1))
  for (let i = 1; i < values.length; i++) {
    const before = values[i - 1]!
    // Nothing is earned on nothing: a wiped-out account stays at zero. A price below zero has no return either.
    returns[i - 1] = before <= 0 ? 0 : values[i]! / before - 1
  }
  return returns
}

/** The curve of one unit invested before the first return: n returns give n + 1 values. */
export function growthOf(returns: Numbers): Column {
  const values = new Float64Array(returns.length + 1)
  values[0] = 1
  for (let i = 0; i < returns.length; i++) values[i + 1] = values[i]! * (1 + returns[i]!)
  return values
}

/** Returns over a risk-free return of the same periods: one rate for all of them, or one each. */
export function excessReturns(returns: Numbers, riskFree: Numbers | number): Column {
  const excess = new Float64Array(returns.length)
  for (let i = 0; i < returns.length; i++) {
    excess[i] = returns[i]! - (typeof riskFree === 'number' ? riskFree : riskFree[i]!)
  }
  return excess
}

const DAYS_PER_YEAR = 365.25

/** Compound growth a year over calendar days: growth^(365.25 / days) - 1, where growth is end value / start value. */
export function cagr(growth: number, days: number): Figure {
  if (!(days > 0)) return notAvailable('the period has no length')
  if (!(growth >= 0)) return notAvailable('there was no value at the start')
  return finiteOr(growth ** (DAYS_PER_YEAR / days) - 1, 'the period is too short for a yearly rate')
}

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

export interface CashFlow {
  readonly day: EpochDay
  /** From the investor's pocket negative, into it positive. */
  readonly amount: number
}

const XIRR_DAYS_PER_YEAR = 365
/** In logarithms of 1 + rate: from losing all but e^-40 to gaining e^40 a year. */
const FARTHEST = 40
const STEP = 0.02
/** Spreadsheets start from 10 %, so of several rates that fit, the one nearest to it is meant. */
const EXPECTED = Math.log(1.1)

/** The money-weighted yearly rate at which all flows together are worth nothing: sum of amount / (1 + r)^(days / 365). */
export function xirr(flows: readonly CashFlow[]): Figure {
  const paid = flows.some(({ amount }) => amount < 0)
  const received = flows.some(({ amount }) => amount > 0)
  if (!paid || !received) return notAvailable('money must go in and come out')
  const first = Math.min(...flows.map(({ day }) => day))
  const worth = (logRate: number) =>
    flows.reduce((sum, { day, amount }) => sum + amount * Math.exp((-logRate * (day - first)) / XIRR_DAYS_PER_YEAR), 0)
  const bracket = nearestSignChange(worth)
  if (!bracket) return notAvailable('no rate makes the flows balance')
  return Math.expm1(bisect(worth, bracket))
}

/**
 * The rate at which the flows balance: a year, or of the whole time where that is shorter than a year, since a rate of some
 * months carried on for a year was never earned (GIPS, 2.A.13).
 */
export function moneyWeightedReturn(flows: readonly CashFlow[]): Figure {
  const days = flows.map(({ day }) => day)
  const years = (Math.max(...days) - Math.min(...days)) / XIRR_DAYS_PER_YEAR
  const rate = xirr(flows)
  return years >= 1 ? rate : mapFigure(rate, (yearly) => finiteOr((1 + yearly) ** years - 1, 'the period is too short'))
}

/** Walks outward from the expected rate on both sides at once. */
function nearestSignChange(worth: (logRate: number) => number): [number, number] | undefined {
  let [upper, lower] = [EXPECTED, EXPECTED]
  let [aboveUpper, belowLower] = [worth(upper), worth(lower)]
  while (upper < FARTHEST) {
    const [up, down] = [upper + STEP, lower - STEP]
    const [above, below] = [worth(up), worth(down)]
    if (changesSign(aboveUpper, above)) return [upper, up]
    if (changesSign(belowLower, below)) return [down, lower]
    ;[upper, lower, aboveUpper, belowLower] = [up, down, above, below]
  }
  return undefined
}

const changesSign = (a: number, b: number): boolean => a === 0 || Math.sign(a) !== Math.sign(b)

function bisect(worth: (logRate: number) => number, [from, to]: [number, number]): number {
  const rising = worth(from) < 0
  let [low, high] = [from, to]
  for (let i = 0; i < 100 && low < high; i++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (worth(middle) < 0 === rising) low = middle
    else high = middle
  }
  return (low + high) / 2
}
