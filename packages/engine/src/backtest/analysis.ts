import type { Column } from '@tradewright/core/column'
import type { EpochDay } from '@tradewright/core/time'
import { type YearReturn, yearlyReturns } from '../performance/returns.ts'
import { drawdownEpisodes } from '../performance/drawdown.ts'
import type { AccountRun } from './account-run.ts'
import { type AssetCorrelations, assetCorrelations } from './asset-correlations.ts'
import { type Contributions, contributions } from './contributions.ts'
import { type DrawdownDates, withStart } from './metrics.ts'

/** Returns of calendar years, in dollars of their day and in those of the first day. */
export interface AnnualReturns {
  readonly nominal: readonly YearReturn[]
  /** Undefined where the run did not adjust for inflation. */
  readonly real: readonly YearReturn[] | undefined
}

interface DatedEpisode extends DrawdownDates {
  /** Calendar days from the high until it was reached again, or until the end of the run. */
  readonly days: number
}

/** What a reader of a result asks beyond its figures. */
export interface Analysis {
  readonly barsPerYear: number
  /** The deepest falls, deepest first. */
  readonly drawdowns: readonly DatedEpisode[]
  readonly correlations: AssetCorrelations | undefined
  readonly contributions: Contributions
  readonly annual: AnnualReturns
}

const MAX_DRAWDOWNS = 10

interface Analysed {
  readonly account: AccountRun
  readonly startValue: number
  readonly lived: number
  readonly barsPerYear: number
  readonly isReal: boolean
}

export function analyse({ account, startValue, lived, barsPerYear, isReal }: Analysed): Analysis {
  const { prices, result } = account
  const days = prices.days.subarray(0, lived)
  const growth = account.growth.subarray(0, lived)
  return {
    barsPerYear,
    drawdowns: deepestDrawdowns(days, growth),
    correlations: assetCorrelations(prices, new Set(result.trades.map(({ ticker }) => ticker)), lived),
    contributions: contributions({ prices, result, startValue, lived, barsPerYear }),
    annual: annualReturns(days, { nominal: result.growth.subarray(0, lived), real: isReal ? growth : undefined }),
  }
}

export const annualReturns = (
  days: Int32Array,
  { nominal, real }: { nominal: Column; real: Column | undefined },
): AnnualReturns => ({
  nominal: yearlyReturns(days, nominal),
  real: real && yearlyReturns(days, real),
})

export function deepestDrawdowns(days: Int32Array, growth: Column): DatedEpisode[] {
  const path = withStart(growth)
  const dayOf = (position: number): EpochDay => days[Math.max(0, position - 1)]!
  return drawdownEpisodes(path)
    .toSorted((a, b) => a.depth - b.depth)
    .slice(0, MAX_DRAWDOWNS)
    .map(({ depth, peak, trough, recovery }) => ({
      depth,
      peak: dayOf(peak),
      trough: dayOf(trough),
      recovery: recovery === undefined ? undefined : dayOf(recovery),
      days: dayOf(recovery ?? path.length - 1) - dayOf(peak),
    }))
}
