import { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import { describe, expect, it } from 'vitest'
import { newForm, type OptimizerForm } from './form.ts'
import { toRequest } from './form-request.ts'

const form: OptimizerForm = {
  ...newForm('2026-11-14'),
  targetTickers: 'btc-usd, eth-usd',
  relatedTickers: 'spy',
  target: { id: 2, params: { ticker: 'SPY', horizon: '5' } },
  featureTypes: [{ id: 5, name: 'RSI', ranges: { window: '7, 14', field: 'close' } }],
}
const lists = [{ id: 3, tickers: ['BTC-USD', 'ETH-USD'] }]
const sent = (changes: Partial<OptimizerForm> = {}) => toRequest({ ...form, ...changes }, 'run-1', lists)

it('is a body that the contract knows', () => {
  const body = sent()
  expect(OptimizationRequest.parse(body)).toEqual(body)
})

it('names assets, features, period and target [OPT-107]', () => {
  expect(sent()).toMatchObject({
    target_asset: 'BTC-USD',
    related_assets: ['SPY'],
    feature_types: [5],
    feature_configs: { 5: { window: [7, 14], field: ['close'] } },
    target_id: 2,
    start_date: '2024-11-14',
    end_date: '2026-11-14',
    data_granularity: 'daily',
  })
})

it('has the settings of the search and of the model [OPT-108..110]', () => {
  const signal1Allocations = [
    { key: 0, ticker: ' qqq', leverage: 2, allocation: '60' },
    { key: 1, ticker: '', allocation: 40 },
  ]
  expect(sent({ signal1Allocations })).toMatchObject({
    population_size: 50,
    generations: 20,
    mutation_rate: 0.1,
    max_features: 10,
    evaluation_metric: 'accuracy',
    ml_model: 'Random Forest',
    train_size: 70,
    test_size: 30,
    signal1_allocations: [{ ticker: 'QQQ?L=2', allocation: 60 }],
    signal0_allocations: [],
    n_estimators: 100,
    min_samples_leaf: 1,
    min_samples_split: 2,
    max_features_rf: 'sqrt',
  })
})

it('has early stopping and seeds [OPT-111]', () => {
  const seeds = [{ id: 5, name: 'RSI', params: { ticker: 'SPY', window: 14 } }]
  expect(sent({ earlyStopping: true, seeds })).toMatchObject({
    early_stopping: true,
    es_patience: 3,
    es_min_improvement: 0.001,
    seed_features: seeds,
  })
})

describe('walk-forward', () => {
  it('has its windows, fitness mode and penalties [OPT-112]', () => {
    expect(sent({ walkForwardEnabled: true, wfStepSizePct: 5 })).toMatchObject({
      walk_forward_enabled: true,
      wf_train_window_pct: 50,
      wf_test_window_pct: 10,
      wf_step_size_pct: 5,
      wf_fitness_mode: 'mean_only',
      variance_penalty: 0.5,
      variance_exponent: 1,
    })
  })

  it('leaves out a step that is automatic', () => {
    expect(sent()).not.toHaveProperty('wf_step_size_pct')
  })
})

it('has one target per ticker, with its parameters but without a ticker of its own [OPT-113]', () => {
  const { targets, target_list_ids, feature_list_ids } = sent({ targetListId: '3', relatedListId: '' })
  expect(targets).toEqual([
    { target_asset: 'BTC-USD', target_id: 2, related_assets: ['SPY'], params: { horizon: 5 } },
    { target_asset: 'ETH-USD', target_id: 2, related_assets: ['SPY'], params: { horizon: 5 } },
  ])
  expect(target_list_ids).toEqual([3])
  expect(feature_list_ids).toEqual([])
})

it('sends window sizes only with window-based features [OPT-114, OPT-138]', () => {
  expect(sent().window_sizes).toEqual([5, 10, 14, 20, 30])
  expect(sent({ featureTypes: [{ id: 1, name: 'Month', ranges: {} }] })).not.toHaveProperty('window_sizes')
})

it('sends a range that parses to nothing as it is, for the server to name it', () => {
  const featureTypes = [{ id: 5, name: 'RSI', ranges: { window: ' , ' } }]
  expect(sent({ featureTypes }).feature_configs).toEqual({ 5: { window: [] } })
})
