import { constructionMethodIds, constructionMethods } from '@tradewright/core/construction-catalogue'
import { beforeAll, describe, expect, it } from 'vitest'
import { minimumVarianceWeights } from '../rules/risk-weights.ts'
import { estimate, type ConstructionInput, SOLVE } from './methods.ts'
import { efficientFrontier } from './walk-forward.ts'
import { checkLimits, exchanged, leastTurnover, type Limits, meets, noLimits, type ConvexSolver } from './limits.ts'
import { randomReturns } from './test-support/random-returns.ts'
import { convexSolver } from './test-support/solver.ts'

let solver: ConvexSolver
beforeAll(async () => (solver = await convexSolver()))

const parameters = Object.fromEntries(
  constructionMethods.flatMap((method) => method.parameters.map(({ key, default: value }) => [key, value])),
)
const sum = (weights: Float64Array) => weights.reduce((total, weight) => total + weight, 0)

function inputOf(returns: Float64Array[], limits: Limits, more: Partial<ConstructionInput> = {}): ConstructionInput {
  const size = returns.length
  return {
    estimates: estimate(returns, 'ledoit_wolf', 252),
    limits,
    parameters,
    prior: new Float64Array(size).fill(1 / size),
    views: [],
    solver,
    ...more,
  }
}

/** At most twice an equal share, at least a tenth of one of the first, the second half at most 60%. */
function someLimits(size: number): Limits {
  const lower = new Float64Array(size)
  if (size > 2) lower[0] = 0.1 / size
  const half = Array.from({ length: size - (size >> 1) }, (_, i) => (size >> 1) + i)
  return {
    lower,
    upper: new Float64Array(size).fill(Math.min(1, 2 / size)),
    groups: size > 2 ? [{ name: 'half', members: half, min: 0.1, max: 0.6 }] : [],
  }
}

describe.each(constructionMethodIds)('%s', (id) => {
  it.each([1, 2, 5, 50])('has weights of %i assets that add up to 1 and meet the limits', (size) => {
    const returns = randomReturns(size, size === 50 ? 120 : 300, size)
    for (const limits of [noLimits(size), someLimits(size)]) {
      const weights = SOLVE[id](inputOf(returns, limits))!
      expect(sum(weights)).toBeCloseTo(1, 9)
      expect(meets(weights, id === 'equal' ? noLimits(size) : limits)).toBe(true)
    }
  })

  it('exchanges no more than the turnover allows', () => {
    const held = Float64Array.of(0.4, 0.15, 0.15, 0.15, 0.15)
    const turnover = { held, max: 0.07 }
    const limits = { ...someLimits(5), groups: [] }
    const weights = SOLVE[id](inputOf(randomReturns(5, 250, 9), limits, { turnover }))!
    if (id !== 'equal') expect(exchanged(weights, held)).toBeLessThanOrEqual(0.07 + 1e-8)
    expect(sum(weights)).toBeCloseTo(1, 9)
  })

  // Its tree reads the assets from left to right, so that the walk-forward puts them in alphabetical order first.
  it.skipIf(id === 'hierarchical_risk_parity')('does not depend on the order of the assets', () => {
    const returns = randomReturns(6, 260, 4)
    const order = [3, 0, 5, 1, 4, 2]
    const limits = someLimits(6)
    const moved = {
      lower: Float64Array.from(order, (i) => limits.lower[i]!),
      upper: limits.upper,
      groups: limits.groups.map((group) => ({ ...group, members: group.members.map((i) => order.indexOf(i)) })),
    }
    const straight = SOLVE[id](inputOf(returns, limits))!
    const other = SOLVE[id](
      inputOf(
        order.map((i) => returns[i]!),
        moved,
      ),
    )!
    order.forEach((i, at) => expect(other[at]).toBeCloseTo(straight[i]!, 7))
  })

  it('copes with two assets that move as one, and with more assets than bars', () => {
    const [first, ...others] = randomReturns(4, 200, 2)
    const twins = [first!, first!.slice(), ...others]
    const few = randomReturns(30, 20, 8)
    for (const returns of [twins, few]) {
      const estimates = estimate(returns, 'sample', 252)
      const weights = SOLVE[id](inputOf(returns, noLimits(returns.length), { estimates }))!
      expect(sum(weights)).toBeCloseTo(1, 8)
      expect(weights.every((weight) => weight >= 0)).toBe(true)
    }
  })
})

describe('minimum variance', () => {
  it('is the one that rule strategies weigh by, where there are no limits', () => {
    const returns = randomReturns(7, 300, 3)
    const input = inputOf(returns, noLimits(7))
    const theirs = minimumVarianceWeights(input.estimates.covariance)
    SOLVE.min_variance(input)!.forEach((weight, i) => expect(weight).toBeCloseTo(theirs[i]!, 8))
  })

  it('of two assets is the closed form', () => {
    const covariance = [Float64Array.of(0.04, 0.006), Float64Array.of(0.006, 0.01)]
    const estimates = { ...inputOf(randomReturns(2, 30, 1), noLimits(2)).estimates, covariance }
    const weights = SOLVE.min_variance(inputOf(randomReturns(2, 30, 1), noLimits(2), { estimates }))!
    expect(weights[0]).toBeCloseTo((0.01 - 0.006) / (0.04 + 0.01 - 0.012), 8)
  })
})

describe('Black-Litterman without views', () => {
  it('keeps the weights of the prior, but for the uncertainty that tau adds', () => {
    const prior = Float64Array.of(0.5, 0.3, 0.2)
    const weights = SOLVE.black_litterman(
      inputOf(randomReturns(3, 400, 6), noLimits(3), { prior, parameters: { risk_aversion: 2.5, tau: 0.001 } }),
    )!
    weights.forEach((weight, i) => expect(weight).toBeCloseTo(prior[i]!, 2))
  })
})

describe('the frontier', () => {
  it('rises in mean and in volatility, and is one point where there is one asset', () => {
    const { estimates } = inputOf(randomReturns(6, 400, 5), noLimits(6))
    const points = efficientFrontier(solver, noLimits(6), estimates, 12)
    expect(points).toHaveLength(12)
    points.slice(1).forEach((point, i) => {
      expect(point.mean).toBeGreaterThan(points[i]!.mean)
      expect(point.volatility).toBeGreaterThanOrEqual(points[i]!.volatility - 1e-9)
    })
    const one = inputOf(randomReturns(1, 400, 5), noLimits(1)).estimates
    expect(efficientFrontier(solver, noLimits(1), one, 12)).toHaveLength(1)
  })
})

describe('limits that cannot be met', () => {
  const three = (more: Partial<Limits>): Limits => ({ ...noLimits(3), ...more })
  it.each([
    [three({ upper: Float64Array.of(0.2, 0.2, 0.2) }), 'The maximum weights add up to 60%: they must allow 100%.'],
    [three({ lower: Float64Array.of(0.5, 0.4, 0.2) }), 'The minimum weights add up to 110%: at most 100% is allowed.'],
    [
      three({ upper: Float64Array.of(0.2, 0.2, 1), groups: [{ name: 'Bonds', members: [0, 1], min: 0.5, max: 1 }] }),
      'The group Bonds must have at least 50%, and its members may have 40% together.',
    ],
    [
      three({ lower: Float64Array.of(0.2, 0.2, 0), groups: [{ name: 'Bonds', members: [0, 1], min: 0, max: 0.3 }] }),
      'The group Bonds may have at most 30%, and its members must have 40% together.',
    ],
    [
      three({
        groups: [
          { name: 'A', members: [0, 1], min: 0.7, max: 1 },
          { name: 'B', members: [1, 2], min: 0.7, max: 1 },
          { name: 'C', members: [0, 2], min: 0.7, max: 1 },
        ],
      }),
      'No weights meet all bounds and group limits together. Widen one of them.',
    ],
  ])('are refused with a sentence', (limits, sentence) => {
    expect(() => checkLimits(limits, solver)).toThrow(sentence)
  })
})

it('a turnover limit that the best weights keep changes nothing', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const returns = randomReturns(8, 200, seed)
    const free = SOLVE.min_variance(inputOf(returns, someLimits(8)))!
    const held = free.map((weight, i) => (i < 2 ? weight : 0) + (i === 0 ? 1 - free[0]! - free[1]! : 0))
    const max = exchanged(free, held) + 0.01
    expect(SOLVE.min_variance(inputOf(returns, someLimits(8), { turnover: { held, max } }))).toEqual(free)
  }
})

it('has an answer under tight bounds and a small turnover, whatever is held', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const size = 3 + (seed % 6)
    const returns = randomReturns(size, 250, seed)
    const limits = { ...noLimits(size), upper: new Float64Array(size).fill((seed % 2 === 0 ? 1.1 : 2) / size) }
    for (const id of ['min_variance', 'mean_variance', 'max_diversification', 'risk_parity'] as const) {
      const start = SOLVE[id](inputOf(returns, limits))!
      const grown = start.map((weight, i) => weight * (1 + 0.2 * returns[i]![0]! + 0.01 * i))
      const held = grown.map((weight) => weight / sum(grown))
      const weights = SOLVE[id](
        inputOf(randomReturns(size, 250, seed + 100), limits, { turnover: { held, max: 0.01 } }),
      )
      const least = exchanged(leastTurnover(solver, limits, held), held)
      if (!weights) expect(least, `${id} of seed ${seed}`).toBeGreaterThan(0.01 - 1e-8)
      else expect(exchanged(weights, held), `${id} of seed ${seed}`).toBeLessThanOrEqual(0.01 + 1e-8)
    }
  }
})
