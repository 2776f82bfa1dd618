import { describe, expect, it } from 'vitest'
import { expectNear } from '../../../../reference/expect-near.ts'
import { referencePrices, referenceValues } from '../../../../reference/read.ts'
import { rollingVolatility, simpleMovingAverage } from '../features/formulas.ts'
import { adjustPValues, mean, normalCdf, normalQuantile, twoSidedPValue, upperTailPValue } from './statistics.ts'
import { type Figure, valueOf } from './figure.ts'
import { laggedCorrelation } from './regression.ts'
import { blockSums, CSCV_BLOCKS, overfittingOfBlocks } from './overfitting-probability.ts'
import { testDirections } from './forecast-skill.ts'
import { simpleReturns } from './returns.ts'

type Test = Record<'statistic' | 'p_value', number>

/** Distributions and tests by scipy and statsmodels: reference/significance.py. */
interface Reference {
  normal_cdf: [x: number, share: number][]
  normal_quantile: [share: number, x: number][]
  student_t: [statistic: number, degreesOfFreedom: number, twoSided: number, upperTail: number][]
  lagged_correlations: (Record<
    'lag' | 'pairs' | 'correlation' | 'p_value' | 'adjusted_p_value' | 'directional_accuracy' | 'sharpe',
    number
  > & { ticker: string })[]
  directions: Record<
    string,
    {
      independent: Test & Record<'accuracy' | 'expected_accuracy' | 'base_rate', number>
      overlapping: Test
      beyond_volatility: Test
    }
  >
  overfitting: { rows: number; windows: number[]; probability: number }
}

const reference = referenceValues<Reference>('significance')
const near = (ours: Figure, theirs: number, name: string) => expectNear(valueOf(ours), theirs, name)
const closesOf = (ticker: string) => referencePrices(ticker).columns['close']!

describe('distributions', () => {
  it("are scipy's, far out as well", () => {
    for (const [x, share] of reference.normal_cdf) {
      expectNear(normalCdf(x), share, `cdf(${x})`, 1e-12)
      expectNear(normalCdf(x) / share, 1, `cdf(${x}) beside itself`, 1e-8)
    }
    for (const [share, x] of reference.normal_quantile) near(normalQuantile(share), x, `quantile(${share})`)
    for (const [statistic, freedom, twoSided, upperTail] of reference.student_t) {
      near(twoSidedPValue(statistic, freedom), twoSided, `t ${statistic}, ${freedom}`)
      near(upperTailPValue(statistic, freedom), upperTail, `upper tail of t ${statistic}, ${freedom}`)
    }
  })
})

describe('lagged correlations', () => {
  const returns = simpleReturns(closesOf('SPY'))
  const found = reference.lagged_correlations

  it("are Pearson's by scipy", () => {
    for (const { ticker, lag, ...theirs } of found) {
      const metric = simpleReturns(closesOf(ticker))
      const ours = laggedCorrelation(metric, returns, lag, { from: 0, to: returns.length }, 252)!
      expect(ours.pairs).toBe(theirs.pairs)
      near(ours.correlation, theirs.correlation, `${ticker} ${lag}`)
      near(ours.pValue, theirs.p_value, `p of ${ticker} ${lag}`)
      near(ours.directionalAccuracy!, theirs.directional_accuracy, `accuracy of ${ticker} ${lag}`)
      near(ours.sharpe!, theirs.sharpe, `Sharpe ratio of ${ticker} ${lag}`)
    }
  })

  it('are adjusted for having looked at many as statsmodels does', () => {
    adjustPValues(found.map((one) => one.p_value)).forEach((ours, i) => {
      near(ours, found[i]!.adjusted_p_value, `adjusted ${i}`)
    })
  })
})

describe.each(Object.entries(reference.directions))('a direction %s bars ahead', (horizonText, theirs) => {
  const horizon = Number(horizonText)
  const closes = closesOf('SPY')
  const [from, to] = [60, closes.length - horizon]
  const average = simpleMovingAverage.compute([closes], { window: 20 })
  const outcomes = closes.map((now, row) => (closes[row + horizon]! > now ? 1 : 0)).subarray(from, to)
  const forecasts = closes.map((now, row) => (now > average[row]! ? 1 : 0)).subarray(from, to)
  const known = rollingVolatility.compute([closes], { window: 60 }).map(Math.log).subarray(from, to)

  it('is tested as the chi-squared of scipy has it, rows taken as independent', () => {
    const ours = testDirections(outcomes, forecasts)!
    near(ours.accuracy, theirs.independent.accuracy, 'accuracy')
    near(ours.expectedAccuracy, theirs.independent.expected_accuracy, 'expected accuracy')
    near(ours.baseRate, theirs.independent.base_rate, 'base rate')
    near(ours.statistic, theirs.independent.statistic, 'statistic')
    near(ours.pValue, theirs.independent.p_value, 'p')
  })

  it('is tested as the regressions of statsmodels have it, overlaps taken into account', () => {
    const without = testDirections(outcomes, forecasts, { overlap: horizon })!
    if (horizon > 1) {
      near(without.statistic, theirs.overlapping.statistic, 'statistic')
      near(without.pValue, theirs.overlapping.p_value, 'p')
    }
    const beyond = testDirections(outcomes, forecasts, { overlap: horizon, known })!
    near(beyond.statistic, theirs.beyond_volatility.statistic, 'statistic beyond volatility')
    near(beyond.pValue, theirs.beyond_volatility.p_value, 'p beyond volatility')
  })
})

it('the probability of overfitting is that of a search through all halves with numpy', () => {
  const { rows, windows, probability } = reference.overfitting
  const [spy, tlt, gld] = ['SPY', 'TLT', 'GLD'].map((ticker) => simpleReturns(closesOf(ticker)))
  const timed = windows.map((window) =>
    spy!.map((earned, row) => (row >= window && mean(spy!.subarray(row - window, row)) > 0 ? earned : tlt![row]!)),
  )
  const sums = [spy!, tlt!, gld!, ...timed].map((trial) => blockSums(trial.subarray(-rows), CSCV_BLOCKS)!)
  near(overfittingOfBlocks(sums), probability, 'probability')
})
