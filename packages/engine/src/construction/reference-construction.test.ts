import { beforeAll, describe, expect, it } from 'vitest'
import { expectNear } from '../../../../reference/expect-near.ts'
import { referencePrices, referenceValues } from '../../../../reference/read.ts'
import { simpleReturns } from '../performance/returns.ts'
import {
  blackLitterman,
  hierarchicalRiskParity,
  leafOrder,
  type ConstructionInput,
  SOLVE,
  estimate,
  type Estimates,
} from './methods.ts'
import { efficientFrontier } from './walk-forward.ts'
import { type Limits, noLimits, type ConvexSolver } from './limits.ts'
import { convexSolver } from './test-support/solver.ts'

/** Values that reference/construction.py computed by numpy, scipy, scikit-learn and cvxopt. */
interface Reference {
  estimates: { n: number; mean: number[]; shrinkage: number; covariance: number[][]; sample: number[][] }
  hrp: { order: number[]; weights: number[] }
  black_litterman: { prior: number[]; mean: number[]; covariance: number[][]; weights: number[]; limited: number[] }
  frontier: Record<'safest_mean' | 'boldest_mean' | 'mean' | 'volatility', number>
  published_hrp: { covariance: number[][]; weights: number[] }
}
interface Cvar {
  weights: number[]
  cvar: number
}

const reference = referenceValues<
  Reference &
    Record<`${'min' | 'mean'}_variance${'' | '_limited' | '_turnover'}`, number[]> &
    Record<'max_diversification' | 'max_diversification_limited' | 'risk_parity' | 'risk_parity_limited', number[]> &
    Record<'min_cvar' | 'min_cvar_limited' | 'min_cvar_90', Cvar>
>('construction')

const TICKERS = ['AGG', 'DBC', 'EEM', 'GLD', 'QQQ', 'SPY', 'TLT', 'VNQ']
const STOCKS = ['EEM', 'QQQ', 'SPY', 'VNQ'].map((ticker) => TICKERS.indexOf(ticker))
const HELD = Float64Array.of(0.05, 0.1, 0.1, 0.2, 0.1, 0.25, 0.15, 0.05)
const matrix = (rows: number[][]) => rows.map((row) => Float64Array.from(row))

/** Closes of the days that all tickers have. */
function returnsOfAll(): Float64Array[] {
  const priced = TICKERS.map((ticker) => referencePrices(ticker))
  const known = priced.map(({ days }) => new Set(days))
  return priced.map(({ days, columns }) => {
    const shared = [...days.keys()].filter((row) => known.every((one) => one.has(days[row]!)))
    return simpleReturns(Float64Array.from(shared, (row) => columns['close']![row]!)).slice(-756)
  })
}

let solver: ConvexSolver
let estimates: Estimates
beforeAll(async () => {
  solver = await convexSolver()
  estimates = estimate(returnsOfAll(), 'ledoit_wolf', 252)
})

const limited = (): Limits => ({
  lower: Float64Array.from(TICKERS, (ticker) => (ticker === 'AGG' ? 0.05 : 0)),
  upper: new Float64Array(8).fill(0.22),
  groups: [{ name: 'stocks', members: STOCKS, min: 0.2, max: 0.5 }],
})

const input = (limits: Limits, more: Partial<ConstructionInput> = {}): ConstructionInput => ({
  estimates,
  limits,
  parameters: { risk_aversion: 4, confidence_pct: 95, tau: 0.05 },
  prior: HELD,
  views: [],
  solver,
  ...more,
})

const expectWeights = (ours: Float64Array | undefined, theirs: readonly number[], tolerance = 1e-8) =>
  theirs.forEach((weight, i) =>
    expect(Math.abs(ours![i]! - weight), `${TICKERS[i]}: ${ours![i]} for ${weight}`).toBeLessThan(tolerance),
  )

describe('estimates', () => {
  it('are those of numpy and scikit-learn', () => {
    const { mean, shrinkage, covariance, sample } = reference.estimates
    expect(estimates.returns[0]).toHaveLength(reference.estimates.n)
    expectNear(estimates.shrinkage, shrinkage, 'shrinkage')
    const plain = estimate(estimates.returns, 'sample', 252)
    mean.forEach((value, i) => {
      expectNear(estimates.mean[i]!, value, TICKERS[i]!)
      covariance[i]!.forEach((one, j) => expectNear(estimates.covariance[i]![j]!, one, `${i} ${j}`))
      sample[i]!.forEach((one, j) => expectNear(plain.covariance[i]![j]!, one, `${i} ${j}`))
    })
  })
})

describe('weights are those of cvxopt and scipy', () => {
  it.each(['min_variance', 'mean_variance'] as const)('%s, without limits, with limits and with a turnover', (id) => {
    expectWeights(SOLVE[id](input(noLimits(8))), reference[id])
    expectWeights(SOLVE[id](input(limited())), reference[`${id}_limited`])
    const turnover = { held: HELD, max: 0.1 }
    expectWeights(SOLVE[id](input(limited(), { turnover })), reference[`${id}_turnover`], 1e-7)
  })

  it.each(['max_diversification', 'risk_parity'] as const)('%s, without and with limits', (id) => {
    expectWeights(SOLVE[id](input(noLimits(8))), reference[id])
    expectWeights(SOLVE[id](input(limited())), reference[`${id}_limited`])
  })

  it.each([
    ['min_cvar', noLimits(8), 95],
    ['min_cvar_limited', undefined, 95],
    ['min_cvar_90', undefined, 90],
  ] as const)('%s', (name, limits, confidence) => {
    const weights = SOLVE.min_cvar(input(limits ?? limited(), { parameters: { confidence_pct: confidence } }))!
    expectNear(cvarOf(weights, 1 - confidence / 100), reference[name].cvar, 'CVaR')
    expectWeights(weights, reference[name].weights, 1e-6)
  })

  it('hierarchical risk parity', () => {
    expect(leafOrder(estimates.covariance)).toEqual(reference.hrp.order)
    expectWeights(hierarchicalRiskParity(estimates.covariance), reference.hrp.weights)
  })

  it('Black-Litterman with an absolute view and one against another', () => {
    const at = (ticker: string, weight: number) => TICKERS.map((one) => (one === ticker ? weight : 0))
    const views = [
      { weights: Float64Array.from(at('GLD', 1)), expected: 0.08, confidence: 0.5 },
      {
        weights: Float64Array.from(at('QQQ', 1), (one, i) => one + at('SPY', -1)[i]!),
        expected: 0.02,
        confidence: 0.8,
      },
    ]
    const theirs = reference.black_litterman
    const { covariance } = estimates
    const ours = blackLitterman({ covariance, weights: HELD, riskAversion: 2.5, tau: 0.05 }, views)
    theirs.prior.forEach((value, i) => expectNear(ours.prior[i]!, value, TICKERS[i]!))
    theirs.mean.forEach((value, i) => expectNear(ours.mean[i]!, value, TICKERS[i]!))
    theirs.covariance.forEach((row, i) =>
      row.forEach((one, j) => expectNear(ours.covariance[i]![j]!, one, `${i} ${j}`)),
    )
    const parameters = { risk_aversion: 2.5, tau: 0.05 }
    expectWeights(SOLVE.black_litterman(input(noLimits(8), { parameters, views })), theirs.weights)
    expectWeights(SOLVE.black_litterman(input(limited(), { parameters, views })), theirs.limited)
  })

  it('the frontier, halfway between the least variance and the largest mean', () => {
    const points = efficientFrontier(solver, limited(), estimates, 3)
    expectNear(points[0]!.mean, reference.frontier.safest_mean, 'safest')
    expectNear(points[2]!.mean, reference.frontier.boldest_mean, 'boldest')
    expectNear(points[1]!.mean, reference.frontier.mean, 'between')
    expectNear(points[1]!.volatility, reference.frontier.volatility, 'volatility')
  })
})

/** Mean of the worst part of the losses, the bar at its edge counted in part. */
function cvarOf(weights: Float64Array, share: number): number {
  const losses = estimates.returns[0]!.map(
    (_, bar) => -weights.reduce((sum, weight, i) => sum + weight * estimates.returns[i]![bar]!, 0),
  )
    .sort()
    .toReversed()
  const tail = share * losses.length
  const whole = Math.floor(tail)
  const sum = losses.slice(0, whole).reduce((total, loss) => total + loss, 0)
  return (sum + (tail - whole) * losses[whole]!) / tail
}

describe('published examples', () => {
  it('hierarchical risk parity and minimum variance of ten series, as López de Prado prints them', () => {
    const covariance = matrix(reference.published_hrp.covariance)
    const percentages = (weights: Float64Array) => Array.from(weights, (weight) => Math.round(weight * 10_000) / 100)
    expect(percentages(hierarchicalRiskParity(covariance))).toEqual([
      7.0, 7.59, 10.84, 19.03, 9.72, 10.19, 6.62, 9.1, 7.12, 12.79,
    ])
    const least = SOLVE.min_variance(input(noLimits(10), { estimates: { ...estimates, covariance } }))!
    expect(percentages(least)).toEqual([14.44, 19.93, 19.73, 19.87, 18.68, 0, 5.86, 1.49, 0, 0])
  })

  it('Black-Litterman of seven markets with a view on Germany, as Goldman Sachs prints it (1999)', () => {
    const deviations = [16.0, 20.3, 24.8, 27.1, 21.0, 20.0, 18.7]
    const correlations = [
      [1, 0.488, 0.478, 0.515, 0.439, 0.512, 0.491],
      [0.488, 1, 0.664, 0.655, 0.31, 0.608, 0.779],
      [0.478, 0.664, 1, 0.861, 0.355, 0.783, 0.668],
      [0.515, 0.655, 0.861, 1, 0.354, 0.777, 0.653],
      [0.439, 0.31, 0.355, 0.354, 1, 0.405, 0.306],
      [0.512, 0.608, 0.783, 0.777, 0.405, 1, 0.652],
      [0.491, 0.779, 0.668, 0.653, 0.306, 0.652, 1],
    ]
    const covariance = correlations.map((row, i) =>
      Float64Array.from(row, (one, j) => (one * deviations[i]! * deviations[j]!) / 10_000),
    )
    const weights = Float64Array.of(0.016, 0.022, 0.052, 0.055, 0.116, 0.124, 0.615)
    // Germany earns 5% more than France and the United Kingdom by their size.
    const view = { weights: Float64Array.of(0, 0, -0.295, 1, 0, -0.705, 0), expected: 0.05, confidence: 0.5 }
    const { prior, mean } = blackLitterman({ covariance, weights, riskAversion: 2.5, tau: 0.05 }, [view])
    const percentages = (values: Float64Array) => Array.from(values, (value) => Math.round(value * 1000) / 10)
    expect(percentages(prior)).toEqual([3.9, 6.9, 8.4, 9.0, 4.3, 6.8, 7.6])
    expect(percentages(mean)).toEqual([4.3, 7.6, 9.3, 11.0, 4.5, 7.0, 8.1])
  })

  it('least variance for a return, and CVaR, of the three instruments of Rockafellar and Uryasev', () => {
    const mean = Float64Array.of(0.010111, 0.0043532, 0.0137058)
    const covariance = matrix([
      [0.00324625, 0.00022983, 0.00420395],
      [0.00022983, 0.00049937, 0.00019247],
      [0.00420395, 0.00019247, 0.00764097],
    ])
    const row = { indices: [0, 1, 2], values: mean, lower: 0.011, upper: 0.011 }
    const hessian = covariance.map((line) => line.map((value) => value / 0.00764097))
    const weights = solver.solve({
      cost: new Float64Array(3),
      hessian,
      lower: new Float64Array(3),
      upper: new Float64Array(3).fill(1),
      rows: [{ indices: [0, 1, 2], values: [1, 1, 1], lower: 1, upper: 1 }, row],
    })!
    expect(Array.from(weights, (weight) => Number(weight.toFixed(4)))).toEqual([0.452, 0.1156, 0.4324])
    // The expected shortfall of normal returns: deviation times density over tail, less the mean.
    const deviation = Math.sqrt(
      weights.reduce((sum, a, i) => sum + weights.reduce((one, b, j) => one + a * b * covariance[i]![j]!, 0), 0),
    )
    const density = Math.exp(-(1.6448536269514722 ** 2) / 2) / Math.sqrt(2 * Math.PI)
    expect((deviation * density) / 0.05 - 0.011).toBeCloseTo(0.115908, 4)
  })
})
