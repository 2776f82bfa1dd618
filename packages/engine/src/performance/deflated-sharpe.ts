import { type Figure, notAvailable } from './figure.ts'
import { normalQuantile } from './normal.ts'
import { probabilisticSharpe, type TrackRecord } from './probabilistic-sharpe.ts'

const EULER_MASCHERONI = 0.5772156649015329

/** The expected best of n independent standard normal draws (n at least 2). */
export const expectedMaximum = (draws: number): number =>
  (1 - EULER_MASCHERONI) * normalQuantile(1 - 1 / draws) + EULER_MASCHERONI * normalQuantile(1 - 1 / (draws * Math.E))

export interface Trials {
  readonly count: number
  /** Standard deviation of the trials' Sharpe ratios, per period. */
  readonly sharpeDeviation: number
}

/** The Sharpe ratio that the best of that many worthless trials would show by luck. */
export const luckySharpe = ({ count, sharpeDeviation }: Trials): number =>
  count < 2 ? 0 : sharpeDeviation * expectedMaximum(count)

/**
 * Probability that the winner of many trials is better than luck (Bailey and López de Prado, "The deflated Sharpe
 * ratio", 2014).
 */
export const deflatedSharpe = (record: TrackRecord, trials: Trials): Figure =>
  trials.count < 1 ? notAvailable('nothing was tried') : probabilisticSharpe(record, luckySharpe(trials))
