import {
  DEFAULT_WINDOW_SIZES,
  EVALUATION_METRICS,
  FITNESS_MODES,
  MAX_FEATURES_RF,
  OPTIMIZER_DEFAULTS,
} from '@tradewright/contract/optimizer-form'
import { recommendedSettings } from '@tradewright/core/model-catalogue'
import { choiceOf } from '@tradewright/engine/models/catalogue'
import { fitnessMetrics, fitnessModes } from '@tradewright/engine/optimizer/score'
import { expect, it } from 'vitest'
import { toDomain } from './form.ts'
import { treeSettings } from './wire.ts'

const none = { targets: [], related: [] }
const least = {
  target_asset: ' btc-usd ',
  target_id: '1',
  feature_types: ['RSI'],
  start_date: '2022-01-03',
  end_date: '2023-12-29',
}

it('gives an absent field the default of the form [OPT-130..134, OPT-136..137]', () => {
  const { request, provider } = toDomain(least, none)
  expect(request).toMatchObject({
    granularity: '1d',
    breeding: { populationSize: 50, generations: 20, mutationRate: 0.1, maxFeatures: 10 },
    fitness: { metric: 'accuracy', mode: 'mean_only', variancePenalty: 0.5, varianceExponent: 1 },
    model: { kind: 'forest', settings: { trees: 100, minSamplesLeaf: 1, minSamplesSplit: 2, maxFeatures: 'sqrt' } },
    trainPct: 70,
    holdOutPct: 15,
    seed: 42,
  })
  expect(request.earlyStopping).toBeUndefined()
  expect(request.walkForward).toBeUndefined()
  expect(provider).toBe('auto')
  const early = toDomain({ ...least, early_stopping: true }, none).request.earlyStopping
  expect(early).toEqual({ patience: 3, minImprovement: 0.001 })
})

it('offers the choices of the specification, the default first [OPT-131, OPT-134..136, OPT-138]', () => {
  expect(EVALUATION_METRICS).toEqual(fitnessMetrics)
  expect(FITNESS_MODES).toEqual(fitnessModes)
  expect(MAX_FEATURES_RF).toEqual(['sqrt', 'log2', 'auto'])
  expect(DEFAULT_WINDOW_SIZES).toEqual([5, 10, 14, 20, 30])
  expect(OPTIMIZER_DEFAULTS.target_asset).toBe('BTC-USD')
})

it('reads ranges as comma-separated text: numbers where they are, words where they are not [OPT-081]', () => {
  const { featureConfigs } = toDomain({ ...least, feature_configs: { '7': { window: '5, 10 ,x,5' } } }, none)
  expect(featureConfigs).toEqual({ '7': { window: [5, 10, 'x'] } })
})

it('understands names, one value, maps of allocations and empty text', () => {
  const { request, featureIds } = toDomain(
    {
      ...least,
      target_id: 'Next-bar direction',
      feature_types: ['rsi', 7, 'RSI', '1'],
      feature_configs: { rsi: { window: 14 } },
      population_size: '',
      related_assets: 'spy, tlt,SPY',
      signal1_allocations: { spy: 60, tlt: 40 },
      signal0_allocations: [{ ticker: ' ', allocation: 100 }],
    },
    none,
  )
  expect(featureIds).toEqual([7, 1])
  expect(request.features[0]).toEqual({ feature: 7, choices: { window: [14] } })
  expect(request.targets[0]).toEqual({
    asset: 'BTC-USD',
    selection: { id: 1, params: { ticker: 'BTC-USD' } },
    relatedAssets: ['SPY', 'TLT'],
  })
  expect(request.breeding.populationSize).toBe(50)
  expect(request.buy).toEqual([
    { ticker: 'SPY', allocationPct: 60 },
    { ticker: 'TLT', allocationPct: 40 },
  ])
  expect(request.sell).toEqual([])
})

it('makes a target of each ticker, and of none of its own related assets', () => {
  const { request } = toDomain({ ...least, target_asset: 'SPY, QQQ', related_assets: ['SPY', 'TLT'] }, none)
  expect(request.targets.map(({ asset, relatedAssets }) => [asset, relatedAssets])).toEqual([
    ['SPY', ['TLT']],
    ['QQQ', ['SPY', 'TLT']],
  ])
})

it('takes the recommended settings of trees as a share of the rows, and those of XGBoost', () => {
  const trees = toDomain({ ...least, n_estimators: 500, min_samples_leaf: 0.05 }, none).request.model
  expect(trees).toMatchObject({ kind: 'forest', settings: { trees: 500, minSamplesLeaf: 0.05 } })
  const boosting = { ...least, ml_model: 'XGBoost' }
  const fields = { boosting_rounds: 200, max_depth: '2', learning_rate: 0.05, min_leaf_share: 0.02, find_rounds: true }
  const { model } = toDomain({ ...boosting, ...fields }, none).request
  expect(model).toMatchObject({ kind: 'boosting', settings: recommendedSettings.rounds })
  expect(treeSettings(model)).toMatchObject({ ...fields, max_depth: 2 })
  // The fields of trees that every request has are not XGBoost's, and it keeps its defaults.
  const usual = toDomain({ ...boosting, n_estimators: 500, min_samples_leaf: 0.05 }, none).request.model
  expect(usual).toEqual(choiceOf('boosting'))
  expect(Object.keys(treeSettings(usual))).not.toContain('boosting_rounds')
  expect(() => toDomain({ ...boosting, max_depth: 17 }, none)).toThrow('max_depth must be from 1 to 16, was 17.')
  expect(() => toDomain({ ...least, min_samples_leaf: 0.7 }, none)).toThrow('As a share, min_samples_leaf must be')
})
