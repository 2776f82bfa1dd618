import { type Figure, notAvailable } from './figure.ts'
import { type Numbers, sampleDeviation } from './moments.ts'

/** Sample standard deviation (ddof 1) of the returns, told per year. */
export const volatility = (returns: Numbers, periodsPerYear: number): Figure =>
  returns.length < 2
    ? notAvailable('it needs at least two returns')
    : sampleDeviation(returns) * Math.sqrt(periodsPerYear)
