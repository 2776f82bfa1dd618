import { type Figure, finiteOr, notAvailable } from './figure.ts'

const DAYS_PER_YEAR = 365.25

/** Compound growth a year over calendar days: growth^(365.25 / days) - 1, where growth is end value / start value. */
export function cagr(growth: number, days: number): Figure {
  if (!(days > 0)) return notAvailable('the period has no length')
  if (!(growth >= 0)) return notAvailable('there was no value at the start')
  return finiteOr(growth ** (DAYS_PER_YEAR / days) - 1, 'the period is too short for a yearly rate')
}
