import type { AccountRun } from '../backtest/account-run.ts'
import { deflatedSharpe } from '../performance/deflated-sharpe.ts'
import { type Figure, notAvailable } from '../performance/figure.ts'
import { sampleDeviation } from '../performance/moments.ts'
import type { StudyMarket } from './study-market.ts'
import { activeRecord, type VariantResult } from './evaluate.ts'

export interface DeflatedVariant {
  /** The probability that the best has a better Sharpe ratio than holding, the number of trials taken into account. */
  readonly probability: Figure
  readonly trials: number
}

/** Everything that was tried counts: the best variant is the best of all of them. */
export function deflatedVariant(
  market: StudyMarket,
  best: AccountRun,
  results: readonly VariantResult[],
): DeflatedVariant {
  const record = activeRecord(market, best)
  const sharpes = results.flatMap((result) => ('problem' in result ? [] : [result.activeSharpe ?? 0]))
  const count = sharpes.length
  return {
    probability: record
      ? deflatedSharpe(record, { count, sharpeDeviation: count < 2 ? 0 : sampleDeviation(sharpes) })
      : notAvailable('the best variant never differed from holding, or held cash only'),
    trials: count,
  }
}
