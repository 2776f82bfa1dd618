import { mean, sampleDeviation } from '../performance/moments.ts'

export const fitnessMetrics = ['accuracy', 'sharpe', 'cagr'] as const
export type FitnessMetric = (typeof fitnessMetrics)[number]

export const fitnessModes = ['mean_only', 'mean_minus_variance', 'consistency_ratio'] as const
type FitnessMode = (typeof fitnessModes)[number]

export interface FitnessRules {
  readonly metric: FitnessMetric
  readonly mode: FitnessMode
  readonly variancePenalty: number
  readonly varianceExponent: number
}

/** Below this the windows count as equally good, so that a ratio cannot explode. */
const MIN_DEVIATION = 0.001

/** One number out of the metric's values over the test windows; without a single value there is nothing to praise. */
export function fitnessOf(values: readonly number[], rules: FitnessRules): number {
  if (values.length === 0) return 0
  const average = mean(values)
  const deviation = values.length < 2 ? 0 : sampleDeviation(values)
  if (rules.mode === 'mean_minus_variance') return average - rules.variancePenalty * deviation ** rules.varianceExponent
  if (rules.mode === 'consistency_ratio') return average / Math.max(deviation, MIN_DEVIATION)
  return average
}
