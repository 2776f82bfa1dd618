import { type Figure, finiteOr, notAvailable } from './figure.ts'
import { isConstant, mean, type Numbers, sampleDeviation, shape } from './moments.ts'
import { normalCdf } from './normal.ts'

/** Statistics of one track record. The Sharpe ratio is per period, the kurtosis raw (3 for a normal). */
export interface TrackRecord {
  readonly sharpePerPeriod: number
  readonly periods: number
  readonly skewness: number
  readonly kurtosis: number
}

/** Undefined for returns that do not vary, which have no Sharpe ratio. */
export const sharpePerPeriodOf = (returns: Numbers): number | undefined =>
  isConstant(returns) ? undefined : mean(returns) / sampleDeviation(returns)

export function trackRecordOf(returns: Numbers): TrackRecord | undefined {
  const sharpePerPeriod = sharpePerPeriodOf(returns)
  if (sharpePerPeriod === undefined) return undefined
  return { sharpePerPeriod, periods: returns.length, ...shape(returns) }
}

/** How much the estimate of a Sharpe ratio scatters, apart from the number of periods (Mertens 2002). */
const estimateVariance = ({ sharpePerPeriod, skewness, kurtosis }: TrackRecord): number =>
  1 - skewness * sharpePerPeriod + ((kurtosis - 1) / 4) * sharpePerPeriod ** 2

/**
 * Probability that the true Sharpe ratio is above a benchmark (Bailey and López de Prado, "The Sharpe ratio efficient
 * frontier", 2012).
 */
export function probabilisticSharpe(record: TrackRecord, benchmarkPerPeriod = 0): Figure {
  if (record.periods < 2) return notAvailable('it needs at least two returns')
  const variance = estimateVariance(record)
  if (!(variance > 0)) return notAvailable('the returns are too skewed for the estimate')
  const distance = (record.sharpePerPeriod - benchmarkPerPeriod) * Math.sqrt(record.periods - 1)
  return finiteOr(normalCdf(distance / Math.sqrt(variance)), 'the skewness or kurtosis of the returns is not defined')
}
