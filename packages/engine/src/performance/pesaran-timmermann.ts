import { type Figure, notAvailable } from './figure.ts'
import type { Numbers } from './moments.ts'
import { normalCdf } from './normal.ts'

export interface DirectionTest {
  /** Share of right calls. */
  readonly accuracy: number
  /** Share of right calls that guessing with the same frequencies would give. */
  readonly expectedAccuracy: number
  /** Share of the more frequent outcome: what always saying the same would give. */
  readonly baseRate: number
  /** The statistic, and the probability of one as high by luck. */
  readonly statistic: Figure
  readonly pValue: Figure
}

/**
 * Does a forecast of direction know more than its own and the outcome's frequencies? Pesaran and Timmermann, "A simple
 * nonparametric test of predictive performance", 1992, with the term in 1/n² that some implementations drop. Positive
 * values are "up", all others "down".
 */
export function testDirections(outcomes: Numbers, forecasts: Numbers): DirectionTest | undefined {
  const n = outcomes.length
  if (n === 0) return undefined
  const accuracy = share(n, (i) => outcomes[i]! > 0 === forecasts[i]! > 0)
  const up = share(n, (i) => outcomes[i]! > 0)
  const forecastUp = share(n, (i) => forecasts[i]! > 0)
  const expectedAccuracy = up * forecastUp + (1 - up) * (1 - forecastUp)
  const statistic = statisticOf({ n, accuracy, expectedAccuracy, up, forecastUp })
  return {
    accuracy,
    expectedAccuracy,
    baseRate: Math.max(up, 1 - up),
    statistic,
    pValue: typeof statistic === 'number' ? 1 - normalCdf(statistic) : statistic,
  }
}

interface Shares {
  readonly n: number
  readonly accuracy: number
  readonly expectedAccuracy: number
  readonly up: number
  readonly forecastUp: number
}

function statisticOf({ n, accuracy, expectedAccuracy, up, forecastUp }: Shares): Figure {
  if (forecastUp === 0 || forecastUp === 1) return notAvailable('the forecast is always the same')
  if (up === 0 || up === 1) return notAvailable('the outcome is always the same')
  const accuracyVariance = (expectedAccuracy * (1 - expectedAccuracy)) / n
  const expectedVariance =
    ((2 * up - 1) ** 2 * forecastUp * (1 - forecastUp)) / n +
    ((2 * forecastUp - 1) ** 2 * up * (1 - up)) / n +
    (4 * up * forecastUp * (1 - up) * (1 - forecastUp)) / n ** 2
  const variance = accuracyVariance - expectedVariance
  return variance > 0
    ? (accuracy - expectedAccuracy) / Math.sqrt(variance)
    : notAvailable('there are too few forecasts')
}

function share(n: number, holds: (i: number) => boolean): number {
  let count = 0
  for (let i = 0; i < n; i++) if (holds(i)) count++
  return count / n
}
