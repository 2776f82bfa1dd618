import type { EpochDay } from '@tradewright/core/time'
import { type Figure, finiteOr, mapFigure, notAvailable } from './figure.ts'

export interface CashFlow {
  readonly day: EpochDay
  /** From the investor's pocket negative, into it positive. */
  readonly amount: number
}

const DAYS_PER_YEAR = 365
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
    flows.reduce((sum, { day, amount }) => sum + amount * Math.exp((-logRate * (day - first)) / DAYS_PER_YEAR), 0)
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
  const years = (Math.max(...days) - Math.min(...days)) / DAYS_PER_YEAR
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
