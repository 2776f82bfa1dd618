import { expect, it } from 'vitest'
import { FULL_EFFORT } from '../material.ts'
import { learnedTiming, pathsOf, type TimedMarket } from '../test-support/learned-timing.ts'

const SEEDS = Number(process.env['SEEDS'] ?? 100)

/** The share of models, for seeds 1 on, whose paths are judged good. */
async function passingShare(market: Omit<TimedMarket, 'seed'>): Promise<number> {
  let passed = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    const found = pathsOf(await learnedTiming({ ...market, seed }), seed, FULL_EFFORT)
    if (found.judgement!.verdict === 'good') passed++
  }
  // oxlint-disable-next-line no-console -- the figures of docs/method.md
  console.log(`edge ${market.edge}, drift ${market.drift}: ${passed} of ${SEEDS} pass`)
  return passed / SEEDS
}

it.each([
  ['drifts upwards', { edge: 0, drift: 0.3 }],
  ['goes nowhere', { edge: 0, drift: 0 }],
  ['falls', { edge: 0, drift: -0.5 }],
])('passes at most 5 in 100 models of noise on an asset that %s', async (_, market) => {
  expect(await passingShare(market)).toBeLessThanOrEqual(0.05)
})

it('passes at least 80 in 100 models of an edge that is worth a Sharpe ratio of 2 of its asset', async () => {
  expect(await passingShare({ edge: 2, drift: 0.3 })).toBeGreaterThanOrEqual(0.8)
})
