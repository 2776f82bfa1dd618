import type { Column } from '@tradewright/core/column'
import { monthlyReturns } from './calendar-returns.ts'
import { maxDrawdown } from './drawdown.ts'
import type { Figure } from './figure.ts'
import { growthOf } from './returns.ts'
import { sharpe } from './sharpe.ts'
import { sortino } from './sortino.ts'
import { volatility } from './volatility.ts'

const MONTHS_PER_YEAR = 12

/** Figures as tables of portfolios print them, from one value a month. */
export interface MonthEndFigures {
  readonly volatility: Figure
  readonly sharpe: Figure
  readonly sortino: Figure
  /** From month-end values, the start included: a fall within a month does not count. */
  readonly maxDrawdown: number
}

/** `riskFree` has one return per step of the curve; undefined counts as none. */
export function monthEndFigures(days: Int32Array, growth: Column, riskFree: Column | undefined): MonthEndFigures {
  const returns = monthlyReturns(days, growth).map((month) => month.return)
  const free = riskFree && monthlyReturns(days, growthOf(riskFree)).map((month) => month.return)
  const options = { periodsPerYear: MONTHS_PER_YEAR, ...(free ? { riskFree: free } : {}) }
  return {
    volatility: volatility(returns, MONTHS_PER_YEAR),
    sharpe: sharpe(returns, options),
    sortino: sortino(returns, options),
    maxDrawdown: maxDrawdown(growthOf(returns)).depth,
  }
}
