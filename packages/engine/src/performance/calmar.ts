import { type Figure, mapFigure, notAvailable } from './figure.ts'

/** Yearly growth over the depth of the deepest fall (a negative number). */
export const calmar = (yearlyGrowth: Figure, maxDrawdownDepth: number): Figure =>
  maxDrawdownDepth === 0
    ? notAvailable('the value never fell')
    : mapFigure(yearlyGrowth, (growth) => growth / -maxDrawdownDepth)
