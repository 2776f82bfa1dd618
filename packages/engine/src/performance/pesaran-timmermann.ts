import { type Figure, mapFigure, notAvailable } from './figure.ts'
import type { Numbers } from './moments.ts'
import { normalCdf } from './normal.ts'
import { type OutcomeDependence, testOverlapping } from './overlapping-directions.ts'

interface DirectionTest {
  /** Share of right calls. */
  readonly accuracy: number
  /** Share of right calls that guessing with the same frequencies would give. */
  readonly expectedAccuracy: number
  /** Share of the more frequent outcome: what always saying the same would give. */
  readonly baseRate: number
  /** The statistic, and how often a forecast that knows nothing would show one as high. */
  readonly statistic: Figure
  readonly pValue: Figure
}

/**
 * Does a forecast of direction know more than its own and the outcome's frequencies? Pesaran and Timmermann, "A simple
 * nonparametric test of predictive performance", 1992, with the term in 1/n² that some implementations drop. It is for
 * outcomes that are independent of each other; those that overlap are tested by `testOverlapping`. Positive values are
 * "up", all others "down".
 */
export function testDirections(
  outcomes: Numbers,
  forecasts: Numbers,
  dependence: OutcomeDependence = { overlap: 1 },
): DirectionTest | undefined {
  const n = outcomes.length
  if (n === 0) return undefined
  const accuracy = share(n, (i) => outcomes[i]! > 0 === forecasts[i]! > 0)
  const up = share(n, (i) => outcomes[i]! > 0)
  const forecastUp = share(n, (i) => forecasts[i]! > 0)
  const expectedAccuracy = up * forecastUp + (1 - up) * (1 - forecastUp)
  const shares = { n, accuracy, expectedAccuracy, up, forecastUp }
  return {
    accuracy,
    expectedAccuracy,
    baseRate: Math.max(up, 1 - up),
    ...(unanimous(shares) ??
      (dependence.overlap === 1 && !dependence.known
        ? testIndependent(shares)
        : testOverlapping(outcomes, forecasts, dependence))),
  }
}

interface Shares {
  readonly n: number
  readonly accuracy: number
  readonly expectedAccuracy: number
  readonly up: number
  readonly forecastUp: number
}

type Significance = Pick<DirectionTest, 'statistic' | 'pValue'>

/** A forecast or an outcome that never changes cannot be tested. */
function unanimous({ up, forecastUp }: Shares): Significance | undefined {
  const always = (share: number) => share === 0 || share === 1
  if (!always(forecastUp) && !always(up)) return undefined
  const reason = notAvailable(`the ${always(forecastUp) ? 'forecast' : 'outcome'} is always the same`)
  return { statistic: reason, pValue: reason }
}

function testIndependent(shares: Shares): Significance {
  const statistic = statisticOf(shares)
  return { statistic, pValue: mapFigure(statistic, (value) => 1 - normalCdf(value)) }
}

function statisticOf({ n, accuracy, expectedAccuracy, up, forecastUp }: Shares): Figure {
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
