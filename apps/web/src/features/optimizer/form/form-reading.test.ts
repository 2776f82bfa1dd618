import { OptimizationRun } from '@tradewright/contract/optimization-run'
import { expect, it } from 'vitest'
import { fromRun } from '../use-optimizer.ts'
import { toRequest, refusalOf, warningsOf } from './form-request.ts'
import { offeredSeeds } from '../seeds.ts'
import { sampleFeature, sampleRun } from '../test-support/sample-run.ts'

const run = sampleRun()
const catalogue = [sampleFeature(5, 'window', 'lag'), sampleFeature(7, 'window', 'field')]

it('is tried on a run that the contract knows', () => {
  expect(OptimizationRun.parse(run)).toEqual(run)
})

it('fills every field from a run [OPT-070]', () => {
  expect(fromRun(run, catalogue)).toMatchObject({
    targetTickers: 'BTC-USD',
    targetListId: '3',
    relatedTickers: 'SPY, TLT, GLD, ETH-USD, QQQ',
    relatedListId: '',
    featureTypes: [
      { id: 5, ranges: { window: '7, 14', lag: '0' } },
      { id: 7, ranges: { window: '20', field: '1' } },
    ],
    startDate: '2024-11-14',
    endDate: '2026-11-14',
    populationSize: 4,
    generations: 2,
    mlModel: 'Random Forest',
    trainSize: 60,
    testSize: 40,
    nEstimators: 30,
    maxFeaturesRf: 'log2',
    walkForwardEnabled: true,
    wfStepSizePct: '',
    wfFitnessMode: 'mean_minus_variance',
    varianceExponent: 2,
    earlyStopping: true,
    esPatience: 5,
    holdOutPct: 20,
    seed: 7,
  })
})

it('takes what a run does not say of its features from the catalogue, and does without one', () => {
  const bare = sampleRun({
    optimization_config: { ...run.optimization_config, feature_configs: {}, window_sizes: [3] },
  })
  expect(fromRun(bare, catalogue).featureTypes[0]?.ranges).toEqual({ window: '3', lag: '1' })
  expect(fromRun(bare, []).featureTypes[0]).toEqual({ id: 5, name: 'Feature 5', ranges: {} })
})

it('keeps the parameters of the target until the list of targets is there [OPT-073]', () => {
  expect(fromRun(run, catalogue).target).toEqual({ id: 2, params: { horizon: 5 } })
})

it('can be run again as it is, with its own best features as seeds [OPT-067]', () => {
  const form = fromRun(run, catalogue)
  expect(warningsOf(form)).toEqual([])
  expect(refusalOf(form)).toBeNull()
  expect(offeredSeeds(run.results?.best_features ?? [], form)).toMatchObject({
    skipped: 0,
    seeds: [{ id: 5 }, { id: 7 }],
  })
  expect(toRequest(form, 'x', [{ id: 3, tickers: ['BTC-USD'] }])).toMatchObject({
    target_asset: 'BTC-USD',
    feature_configs: { 5: { window: [7, 14], lag: [0] } },
    target_list_ids: [3],
    seed: 7,
  })
})

it('can be run again when its list is gone: it keeps its tickers', () => {
  expect(toRequest(fromRun(run, catalogue), 'x', [])).toMatchObject({ target_asset: 'BTC-USD', target_list_ids: [] })
})
