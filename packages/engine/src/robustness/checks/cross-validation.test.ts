import { dateOf } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { modelLearner } from '../../backtest/model-learner.ts'
import { planBacktest } from '../../backtest/plan.ts'
import { runBacktest } from '../../backtest/run-backtest.ts'
import { mlRequest } from '../../backtest/test-support/requests.ts'
import { madeUpMarket, TO } from '../../optimizer/test-support/made-up-search.ts'
import { type BoardMaterial, FULL_EFFORT, shareMaterial } from '../material.ts'
import { prepareBoard } from '../prepare.ts'
import { learnedTiming, pathsOf } from '../test-support/learned-timing.ts'
import { crossValidationCheck as check } from './cross-validation.ts'

const request = mlRequest(
  {
    features: [{ id: 1, params: { ticker: 'SIG', window: 1 } }],
    target: { id: 1, params: { ticker: 'TGT' } },
    buy: [{ ticker: 'TGT', allocationPct: 100 }],
    sell: [],
  },
  { from: dateOf('2022-01-03'), to: TO, referenceTicker: undefined },
)
const model = { kind: 'linear' } as const

async function materialOf(seed: number, strength: number): Promise<BoardMaterial> {
  const market = madeUpMarket(seed, strength)
  const result = await runBacktest(planBacktest(request), market, modelLearner(model))
  const stored = { ...result.ml!, timestamps: result.curve.timestamps }
  return shareMaterial(prepareBoard(request, market, stored, seed, undefined, model).material)
}

it('a planted edge is there on all 7 paths, whichever part is computed first', async () => {
  const material = await materialOf(1, 0.8)
  const found = pathsOf(material, 1, FULL_EFFORT)
  expect(found.judgement).toMatchObject({ verdict: 'good', value: 0, words: 'Paths beat holding by more than chance' })
  expect(found.details).toMatchObject({ kind: 'bars', bars: { length: 7 } })
  expect(found.summary).toMatch(/^28 models/)
  expect(pathsOf(material, 1, FULL_EFFORT, true)).toEqual(found)
})

it('noise does not beat holding on most paths', async () => {
  const shares = await Promise.all(
    [2, 3, 4, 5, 6, 7].map(async (seed) => pathsOf(await materialOf(seed, 0), seed, FULL_EFFORT).judgement!.value!),
  )
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  expect(mean).toBeGreaterThan(0.3)
})

it('does not take a falling asset, which any time in cash beats, for timing', async () => {
  const found = pathsOf(await learnedTiming({ seed: 1, edge: 0, drift: -0.5 }), 1, FULL_EFFORT)
  // Most paths do beat holding.
  expect(found.judgement!.value).toBeLessThanOrEqual(0.2)
  expect(found.judgement).toMatchObject({ verdict: 'caution', words: 'Paths do not prove the timing' })
  expect(found.judgement!.sentence).toMatch(/The confidence that their timing is more than chance is \d/)
})

it('says why there are no paths', async () => {
  const material = await materialOf(1, 0)
  expect(check.whyNot!({ ...material, learning: undefined })).toBe('the settings of its model are not known')
  expect(check.whyNot!({ ...material, kind: 'rules' })).toBe('there is no model to train again')
  const { learning } = material
  const short = { ...learning!, usableRows: learning!.usableRows.subarray(0, 50) }
  expect(check.whyNot!({ ...material, learning: short })).toBe('it needs at least 160 bars with all features')
})
