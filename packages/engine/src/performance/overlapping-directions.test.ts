import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { standardNormal } from '../backtest/test-support/random-walks.ts'
import { isAvailable, notAvailable, valueOf } from './figure.ts'
import { testDirections } from './forecast-skill.ts'

const HORIZON = 20
const ROWS = 500

/** Whether a walk is higher 20 rows later, and a forecast that changes every 30 rows or so; `edge` is what it knows. */
function walk(seed: number, edge: number) {
  const random = new Random(seed)
  const forecasts: number[] = []
  const prices = [0]
  let state = 1
  for (let row = 0; row < ROWS + HORIZON; row++) {
    if (random.below(30) === 0) state = 1 - state
    forecasts.push(state)
    prices.push(prices[row]! + standardNormal(random) + edge * (state - 0.5))
  }
  const outcomes = Array.from({ length: ROWS }, (_, row) => (prices[row + HORIZON]! > prices[row]! ? 1 : 0))
  return { outcomes, forecasts: forecasts.slice(0, ROWS) }
}

function shareSignificant(edge: number, overlap: number): number {
  const pValues = Array.from({ length: 400 }, (_, seed) => {
    const { outcomes, forecasts } = walk(seed + 1, edge)
    return testDirections(outcomes, forecasts, { overlap })!.pValue
  }).filter(isAvailable)
  return pValues.filter((pValue) => pValue < 0.05).length / pValues.length
}

describe('outcomes that overlap', () => {
  it('are called significant at 5 % in about 5 % of random walks', () => {
    expect(shareSignificant(0, HORIZON)).toBeGreaterThan(0.02)
    expect(shareSignificant(0, HORIZON)).toBeLessThan(0.08)
  })

  it('would be in far more if rows counted as independent', () => {
    expect(shareSignificant(0, 1)).toBeGreaterThan(0.25)
  })

  it('do not hide a forecast that knows something', () => {
    expect(shareSignificant(1, HORIZON)).toBeGreaterThan(0.9)
  })

  it('cannot be judged on fewer rows than two overlaps', () => {
    const { outcomes, forecasts } = walk(1, 0)
    expect(testDirections(outcomes, forecasts, { overlap: 251 })?.pValue).toEqual(
      notAvailable('the labels overlap too much for so few test rows'),
    )
  })
})

describe('what is known without a forecast', () => {
  const random = new Random(1)
  const known = Array.from({ length: ROWS }, () => standardNormal(random))
  const outcomes = known.map((level) => (level + standardNormal(random) > 0 ? 1 : 0))

  it('is no merit of the forecast', () => {
    const copied = known.map((level) => (level > 0 ? 1 : 0))
    expect(valueOf(testDirections(outcomes, copied)!.pValue)).toBeLessThan(1e-6)
    expect(valueOf(testDirections(outcomes, copied, { overlap: 1, known })!.pValue)).toBeGreaterThan(0.05)
  })

  it('leaves the merit of what the forecast adds', () => {
    const better = outcomes.map((outcome) => (random.below(4) === 0 ? 1 - outcome : outcome))
    expect(valueOf(testDirections(outcomes, better, { overlap: 1, known })!.pValue)).toBeLessThan(0.001)
  })
})
