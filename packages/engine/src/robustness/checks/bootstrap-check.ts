import { Random } from '@tradewright/core/random'
import { graded, LUCK_WORDS, percent } from '../../optimizer/verdicts.ts'
import { quantileOfSorted } from '../../performance/quantile.ts'
import { excessReturns, simpleReturns } from '../../performance/returns.ts'
import { drawRows, resampledFigures } from '../bootstrap.ts'
import { type Check, signedPercent, skip } from '../check.ts'
import { histogramOf } from '../histogram.ts'

const RESAMPLES_PER_PART = 250
/** A month, so that days of one storm mostly stay together. */
const BLOCKS_PER_YEAR = 12
const MIN_BARS = 60

interface Part {
  readonly sharpes: Float64Array
  readonly growths: Float64Array
}

/** Whether the return over the risk-free one can be told from nothing. */
export const bootstrapCheck: Check<Part | undefined> = {
  key: 'bootstrap',
  label: 'Luck of the period',
  explain:
    'Reassembles the history from blocks of about a month, many times, and asks how often nothing is earned over ' +
    'the risk-free return. A good record of a few years is often luck.',
  parts: ({ resamples }) => Math.ceil(resamples / RESAMPLES_PER_PART),
  run({ material, base, effort, seed }, part) {
    const returns = simpleReturns(base.growth)
    if (returns.length < MIN_BARS) return undefined
    const { barsPerYear } = material.conditions.table
    const excess = excessReturns(returns, material.riskFree ?? 0)
    // An account that lost everything has no logarithm; it lost very much.
    const logs = returns.map((earned) => Math.log(Math.max(1e-9, 1 + earned)))
    const count = Math.min(RESAMPLES_PER_PART, effort.resamples - part * RESAMPLES_PER_PART)
    const [sharpes, growths] = [new Float64Array(count), new Float64Array(count)]
    const random = new Random(seed)
    const drawn = new Int32Array(returns.length)
    for (let i = 0; i < count; i++) {
      drawRows(random, returns.length, Math.max(1, barsPerYear / BLOCKS_PER_YEAR), drawn)
      const { sharpe, logGrowth } = resampledFigures(drawn, excess, logs)
      sharpes[i] = sharpe * Math.sqrt(barsPerYear)
      growths[i] = Math.exp(logGrowth * barsPerYear) - 1
    }
    return { sharpes, growths }
  },
  join({ figures }, parts) {
    const known = parts.filter((part) => part !== undefined)
    if (known.length < parts.length) return skip(`the run has fewer than ${MIN_BARS} bars`)
    if (figures.sharpe === null) return skip('the strategy has no Sharpe ratio')
    const sharpes = joinedColumn(known.map((part) => part.sharpes)).sort()
    const growths = joinedColumn(known.map((part) => part.growths)).sort()
    const nothing = (1 + sharpes.filter((one) => one <= 0).length) / (1 + sharpes.length)
    const [low, high] = [0.05, 0.95].map((share) => quantileOfSorted(growths, share)) as [number, number]
    return {
      judgement: {
        ...graded(nothing, nothing <= 0.05, nothing <= 0.2, LUCK_WORDS),
        sentence: `In ${percent(nothing)} of the resampled histories nothing is earned over the risk-free return; 5% is the usual mark.`,
      },
      summary:
        `Sharpe ratio of ${sharpes.length.toLocaleString('en-US')} histories reassembled from blocks of a month. Nine in ten earn between ` +
        `${signedPercent(low)} and ${signedPercent(high)} a year.`,
      figures: [
        { label: 'Sharpe ratio, 5% to 95%, low end', unit: 'ratio', value: quantileOfSorted(sharpes, 0.05) },
        { label: 'Sharpe ratio, 5% to 95%, high end', unit: 'ratio', value: quantileOfSorted(sharpes, 0.95) },
      ],
      details: histogramOf(sharpes, figures.sharpe, 'ratio', { to: 0 }),
    }
  },
}

export function joinedColumn(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const column of columns) {
    all.set(column, at)
    at += column.length
  }
  return all
}
