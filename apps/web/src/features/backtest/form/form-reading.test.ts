import { describe, expect, it } from 'vitest'
import { newForm } from './form.ts'
import { fromOptimized, fromSavedBacktest, fromSavedStrategy } from './form-reading.ts'

const TODAY = '2026-11-14'
const strategy = (config: unknown, strategy_type = 'ML') =>
  fromSavedStrategy({ name: 'Regime', strategy_type, config }, TODAY)

describe('a saved strategy', () => {
  it('of rules brings its tree', () => {
    const rules = { version: 1, check: 'daily', cash: 'CASHX', root: { kind: 'cash', id: 'out' } }
    expect(strategy({ rules }, 'Rules')).toMatchObject({ strategyType: 'Rules', rules })
  })

  it('fills the form and resets what it does not say [BT-008, BT-076, BT-081]', () => {
    const form = strategy(
      {
        allocations: [{ ticker: 'VTI', allocation: 60 }],
        startValue: '5000',
        investDividends: false,
        includeFirstReturn: true,
      },
      'Asset Allocation',
    )
    expect(form).toMatchObject({
      strategyName: 'Regime',
      strategyType: 'Asset Allocation',
      allocations: [{ key: 0, ticker: 'VTI', allocation: 60 }],
      startValue: 5000,
      investDividends: false,
      includeFirstReturn: true,
      endDate: TODAY,
    })
    expect(strategy({})).toEqual({ ...newForm(TODAY), strategyName: 'Regime', strategyType: 'ML' })
  })

  it.each([
    ['an object', { target: { id: 3, params: { ticker: 'SPY' } } }],
    ['a JSON text', { selectedTarget: '{"id": "3", "params": {"ticker": "SPY"}}' }],
    ['an id with parameters beside it', { selectedTarget: '3', targetParams: { ticker: 'SPY' } }],
  ])('may have its target as %s [BT-078]', (_, config) => {
    expect(strategy(config).target).toEqual({ id: 3, params: { ticker: 'SPY' } })
  })

  it('may have its signals in snake_case and as maps [BT-079]', () => {
    const form = strategy({
      signal1_allocations: { SPY: 100 },
      signal0Allocations: [{ ticker: 'TLT', allocation: '50' }],
    })
    expect(form.signal1Allocations).toEqual([{ key: 0, ticker: 'SPY', allocation: 100 }])
    expect(form.signal0Allocations).toEqual([{ key: 0, ticker: 'TLT', allocation: 50 }])
  })

  it('may name its features in several ways [BT-077, BT-103]', () => {
    const form = strategy({ selectedFeatures: [{ id: 'x-1', originalId: 5, name: 'RSI', params: { window: 14 } }] })
    expect(form.features).toEqual([{ key: 0, id: 5, name: 'RSI', params: { window: 14 } }])
  })

  it('gives the leverage of a row back to its own field', () => {
    const { allocations } = strategy({ allocations: [{ ticker: 'SPY?L=2', allocation: 60 }] })
    expect(allocations).toEqual([{ key: 0, ticker: 'SPY', leverage: 2, allocation: 60 }])
  })

  it('gives the leverage of the reference back to its own field', () => {
    expect(strategy({ referenceTicker: 'SPY?L=2' })).toMatchObject({ referenceTicker: 'SPY', referenceLeverage: 2 })
    expect(strategy({ referenceTicker: null })).toMatchObject({ referenceTicker: '', referenceLeverage: 1 })
  })

  it('keeps an automatic step automatic', () => {
    expect(strategy({ wfStepSizePct: null }).wfStepSizePct).toBe('')
  })
})

describe('a saved backtest', () => {
  it('fills the form from its config, else from its result [BT-011, BT-083, BT-084]', () => {
    const form = fromSavedBacktest(
      {
        name: 'Walk-forward',
        strategy_config: { startValue: 2000, features: undefined },
        result_data: {
          strategy_name: 'Regime',
          strategy_type: 'ML',
          start_date: '2020-01-02',
          end_date: '2024-12-31',
          ml_model_type: 'XGBoost',
          test_size: 40,
          feature_results: [{ original_name: 'RSI', params: { window: 7 } }],
          target: 2,
          signal1_allocation: { QQQ: 100 },
          signal0_allocation: { CASHX: 100 },
          ml_params: { n_estimators: 200, max_features: 'log2' },
        },
      },
      TODAY,
    )
    expect(form).toMatchObject({
      strategyName: 'Regime',
      backtestName: 'Walk-forward',
      startDate: '2020-01-02',
      startValue: 2000,
      mlModelType: 'XGBoost',
      trainSize: 60,
      testSize: 40,
      target: { id: 2, params: {} },
      signal1Allocations: [{ key: 0, ticker: 'QQQ', allocation: 100 }],
      nEstimators: 200,
      maxFeatures: 'log2',
    })
  })
})

describe('an optimized strategy', () => {
  const payload = {
    name: 'Optimized Strategy - BTC-USD',
    type: 'ML',
    features: [{ id: 5, name: 'RSI', params: { window: 9 } }],
    target_id: 2,
    target_config: { ticker: 'BTC-USD' },
    start_date: '2019-01-01',
    end_date: '2024-01-01',
    data_granularity: 'hourly',
    ml_model: 'XGBoost',
    train_size: 0.8,
    test_size: 0.2,
    ml_parameters: { n_estimators: 150, min_samples_leaf: 5, min_samples_split: 6, max_features: 'log2' },
    signal1_allocations: [{ ticker: 'BTC-USD', allocation: 100 }],
    signal0_allocations: { CASHX: 100 },
  }

  it('fills every field it speaks of, as ML [BT-014, BT-015]', () => {
    expect(fromOptimized({ optimizedStrategy: payload }, TODAY)).toMatchObject({
      strategyName: 'Optimized Strategy - BTC-USD',
      strategyType: 'ML',
      features: [{ key: 0, id: 5, name: 'RSI', params: { window: 9 } }],
      target: { id: 2, params: { ticker: 'BTC-USD' } },
      startDate: '2019-01-01',
      endDate: '2024-01-01',
      dataGranularity: 'hourly',
      mlModelType: 'XGBoost',
      trainSize: 80,
      testSize: 20,
      nEstimators: 150,
      minSamplesLeaf: 5,
      minSamplesSplit: 6,
      maxFeatures: 'log2',
      signal1Allocations: [{ key: 0, ticker: 'BTC-USD', allocation: 100 }],
      signal0Allocations: [{ key: 0, ticker: 'CASHX', allocation: 100 }],
    })
  })

  it('may be the state itself; any other state is none', () => {
    expect(fromOptimized(payload, TODAY)?.strategyType).toBe('ML')
    for (const state of [null, undefined, 'x', {}, { from: '/' }]) expect(fromOptimized(state, TODAY)).toBeNull()
  })
})
