import { mean, type Numbers, sampleDeviation } from './moments.ts'

/** Below a tenth of what is earned without risk, the movement of an account is that of interest and not a risk taken. */
const SHARE_OF_RISK_FREE = 0.1

/** Deviation and mean are per period; both are told per year before they are compared. */
export const isRiskless = (deviation: number, meanRiskFree: number, periodsPerYear: number): boolean =>
  deviation * Math.sqrt(periodsPerYear) <= SHARE_OF_RISK_FREE * Math.abs(meanRiskFree) * periodsPerYear

/**
 * Whether an account holds next to nothing but cash and bills. Its ratios would divide what the risk-free rate earned
 * more by how that rate moved: a Sharpe ratio of -24 for an account that cannot lose.
 */
export function areRiskless(returns: Numbers, riskFree: Numbers | number, periodsPerYear: number): boolean {
  const free = typeof riskFree === 'number' ? riskFree : mean(riskFree)
  return free !== 0 && isRiskless(sampleDeviation(returns), free, periodsPerYear)
}

export const NO_RISK = 'the returns vary by less than a tenth of the risk-free rate: there is no risk to be rewarded'
