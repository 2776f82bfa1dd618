import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { standardNormal } from '../backtest/test-support/random-walks.ts'
import { mean, sampleDeviation, quantileOfSorted, normalCdf, normalQuantile } from '../performance/statistics.ts'
import { drawRows, drawPaths, followPaths, outlookOf, type PathPlan } from './paths.ts'

const MONTHS = 2_000
const PATHS = 4_000

/** One asset whose months are independent, with normal logarithms. */
function normalMonths(): { plan: PathPlan; logs: Float64Array } {
  const random = new Random(7)
  const logs = Float64Array.from({ length: MONTHS }, () => 0.005 + 0.04 * standardNormal(random))
  const plan: PathPlan = {
    months: MONTHS,
    assets: 1,
    gross: logs.map(Math.exp),
    prices: new Float64Array(MONTHS).fill(1),
    isReal: true,
    isShort: false,
    weights: Float64Array.of(1),
    isTraded: Uint8Array.of(1),
    rebalanceMonths: 12,
    costRate: 0,
    startValue: 1_000,
    flow: 0,
    flowMonths: 12,
    flowKind: 'dollars',
  }
  return { plan, logs }
}

/** The months as they were. */
const CERTAIN = { ownMean: 0, volatility: 0, mean: 0, meanError: 0, startError: 0 }

describe('paths of independent normal months', () => {
  const { plan, logs } = normalMonths()
  const { values, withdrawals } = drawPaths(plan, PATHS, 3, CERTAIN)
  const [center, spread] = [120 * mean(logs), Math.sqrt(120) * sampleDeviation(logs)]
  const atTenYears = values.slice(40 * PATHS, 41 * PATHS).sort()

  it.each([0.05, 0.25, 0.5, 0.75, 0.95])('have the %d quantile of the closed form after ten years', (share) => {
    const expected = center + spread * normalQuantile(share)
    // Four standard errors of a quantile of so many paths, and the months of a block are neighbours of a finite sample.
    expect(Math.abs(Math.log(quantileOfSorted(atTenYears, share) / 1_000) - expected)).toBeLessThan(0.06)
  })

  it('lose money as often as the closed form says', () => {
    const lost = atTenYears.filter((value) => value < 1_000).length / PATHS
    expect(Math.abs(lost - normalCdf(-center / spread))).toBeLessThan(0.03)
  })

  it('allow a withdrawal that is used up exactly at the end', () => {
    const drawn = new Int32Array(360)
    drawRows(new Random(5), MONTHS, 12, drawn)
    const [most] = followPaths(plan, 1, () => drawn).withdrawals
    const taking = (share: number) =>
      followPaths({ ...plan, flow: -share * 1_000, flowMonths: 1 }, 1, () => drawn).values.at(-1)!
    expect(taking(most! * 0.999)).toBeGreaterThan(0)
    expect(taking(most! * 1.001)).toBe(0)
    expect(withdrawals.every((one) => one > 0)).toBe(true)
  })
})

it('takes the same withdrawal at all times where nothing moves', () => {
  const { plan } = normalMonths()
  const flat = { ...plan, gross: new Float64Array(MONTHS).fill(1) }
  const { withdrawals, ruinMonths } = drawPaths({ ...flat, flow: -100, flowMonths: 12 }, 2, 1, CERTAIN)
  expect(withdrawals[0]).toBeCloseTo(1 / 360, 12)
  // A tenth is left after nine of ten yearly withdrawals.
  expect(ruinMonths[0]).toBe(108)
})

describe('the outlook', () => {
  const monthsOf = (years: number, yearly: number, change: Partial<PathPlan> = {}): PathPlan => {
    const random = new Random(11)
    const draws = Float64Array.from({ length: 12 * years }, () => standardNormal(random))
    const [center, spread] = [mean(draws), sampleDeviation(draws)]
    const gross = draws.map((draw) => Math.exp(yearly / 12 + (0.16 / Math.sqrt(12)) * ((draw - center) / spread)))
    return { ...normalMonths().plan, months: gross.length, gross, prices: gross.map(() => 1), ...change }
  }
  const safe = (plan: PathPlan) => 12 * quantileOfSorted(drawPaths(plan, 1_000, 3).withdrawals.sort(), 0.05)

  it('takes a good decade of stocks for mostly luck, and a century for what it was', () => {
    const decade = outlookOf(monthsOf(10, 0.17))
    expect(decade.ownMean).toBeCloseTo(0.17, 10)
    expect(decade.mean).toBeGreaterThan(0.05)
    expect(decade.mean).toBeLessThan(0.075)
    expect(decade.meanError).toBeCloseTo(0.021, 2)
    expect(outlookOf(monthsOf(120, 0.17)).mean).toBeGreaterThan(0.12)
  })

  it('allows nobody to take 12% a year out of stocks after one good decade', () => {
    expect(safe(monthsOf(10, 0.17))).toBeGreaterThan(0.02)
    expect(safe(monthsOf(10, 0.17))).toBeLessThan(0.045)
  })

  it('does not take a bad decade for all that is to come', () => {
    expect(safe(monthsOf(10, -0.03))).toBeGreaterThan(0.01)
  })

  it('expects no premium for short positions, and inflation where no prices are known', () => {
    const plan = monthsOf(10, 0.05)
    expect(outlookOf({ ...plan, isShort: true }).mean).toBeLessThan(outlookOf(plan).mean - 0.04)
    expect(outlookOf({ ...plan, isReal: false }).mean).toBeGreaterThan(outlookOf(plan).mean + 0.02)
  })
})

it('draws every row as often as any other, in blocks of the mean length', () => {
  const drawn = new Int32Array(200_000)
  drawRows(new Random(1), 50, 12, drawn)
  const counts = new Float64Array(50)
  let breaks = 0
  drawn.forEach((row, i) => {
    counts[row]!++
    if (i > 0 && row !== (drawn[i - 1]! + 1) % 50) breaks++
  })
  expect(Math.max(...counts) / Math.min(...counts)).toBeLessThan(1.2)
  expect(drawn.length / breaks).toBeGreaterThan(11.5)
  expect(drawn.length / breaks).toBeLessThan(12.8)
})
