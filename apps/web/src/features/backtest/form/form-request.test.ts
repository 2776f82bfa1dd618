import { describe, expect, it } from 'vitest'
import { toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { recommendedFor } from '../../../strategy-form/model-settings.ts'
import { type BacktestForm, newForm } from './form.ts'
import { toRequest } from './form-request.ts'

const form = newForm('2026-11-14')
const sent = (changes: Partial<BacktestForm>) => toRequest({ ...form, ...changes }, 'run-1')

const jsonOf = (fields: FormData, name: string): unknown => {
  const text = fields.get(name)
  return typeof text === 'string' ? JSON.parse(text) : undefined
}

describe('every request', () => {
  it('has the fields of the backtest [BT-130..BT-133]', () => {
    const fields = sent({ strategyName: ' Core ', saveBacktest: true, backtestName: 'First' })
    expect(Object.fromEntries(fields)).toMatchObject({
      strategyName: 'Core',
      strategyType: 'Asset Allocation',
      saveStrategy: 'false',
      saveBacktest: 'true',
      backtestName: 'First',
      startDate: '2021-11-14',
      endDate: '2026-11-14',
      startValue: '10000',
      cashflow: '0',
      cashflowFreq: 'Yearly',
      adjustInflation: 'false',
      investDividends: 'true',
      dataProvider: 'auto',
      dataGranularity: 'daily',
      rebalanceFrequency: 'yearly',
      tradingCostBps: '1',
      runId: 'run-1',
    })
    expect(sent({}).has('backtestName')).toBe(false)
  })

  it('leaves out what is automatic', () => {
    const automatic = ['rebalanceBandPct', 'riskFreeTicker', 'referenceTicker', 'referenceBacktestId']
    for (const name of [...automatic, 'replacementTicker', 'delistingReturnPct', 'retryData']) {
      expect(sent({}).has(name), name).toBe(false)
    }
  })

  it('says what becomes of a ticker that ends, and what was confirmed about its data', () => {
    const fields = sent({ endedTicker: 'replace', replacementTicker: ' qqq ', allowMixedPrices: true })
    expect(Object.fromEntries(fields)).toMatchObject({
      endedTicker: 'replace',
      replacementTicker: 'QQQ',
      allowMixedPrices: 'true',
    })
    expect(sent({ endedTicker: 'cash', replacementTicker: 'QQQ' }).has('replacementTicker')).toBe(false)
    expect(toRequest(form, 'run-1', true).get('retryData')).toBe('true')
  })
})

describe('the start of an allocation', () => {
  it('is sent with its rows, and not with an ML strategy', () => {
    expect(sent({}).get('includeFirstReturn')).toBe('false')
    expect(sent({ includeFirstReturn: true }).get('includeFirstReturn')).toBe('true')
    expect(sent({ includeFirstReturn: true, strategyType: 'ML' }).has('includeFirstReturn')).toBe(false)
  })
})

describe('the reference', () => {
  it('is trimmed, upper-cased and leveraged [BT-114, BT-116, BT-134]', () => {
    expect(sent({ referenceTicker: ' spy ', referenceLeverage: 2 }).get('referenceTicker')).toBe('SPY?L=2')
    expect(sent({ referenceTicker: 'qqq?l=3', referenceLeverage: 2 }).get('referenceTicker')).toBe('QQQ?L=3')
    expect(sent({ referenceTicker: ' ', referenceLeverage: 2 }).has('referenceTicker')).toBe(false)
  })

  it('as a ticker goes before the comparison backtest [BT-115]', () => {
    const both = sent({ referenceTicker: 'SPY', referenceBacktestId: '7' })
    expect(both.has('referenceBacktestId')).toBe(false)
    expect(sent({ referenceBacktestId: '7' }).get('referenceBacktestId')).toBe('7')
  })
})

describe('Asset Allocation', () => {
  it('sends each row that has a ticker, whatever its percent [BT-113, BT-117, BT-135]', () => {
    const fields = sent({
      allocations: toRows([
        { ticker: ' spy', allocation: 160 },
        { ticker: '', allocation: 40 },
        { ticker: 'TLT', allocation: -10 },
      ]),
    })
    expect(fields.getAll('ticker[]')).toEqual(['SPY', 'TLT'])
    expect(fields.getAll('allocation[]')).toEqual(['160', '-10'])
    expect(fields.has('mlModelType')).toBe(false)
  })
})

describe('Rules', () => {
  it('sends the tree as JSON and when orders fill, and no allocation', () => {
    const fields = sent({ strategyType: 'Rules' })
    expect(jsonOf(fields, 'rules')).toMatchObject({ version: 1, check: 'monthly', root: { kind: 'if' } })
    expect(fields.get('fillTiming')).toBe('next_open')
    expect(fields.has('ticker[]')).toBe(false)
  })
})

describe('ML', () => {
  const ml: Partial<BacktestForm> = {
    strategyType: 'ML',
    features: [{ key: 0, id: 5, name: 'RSI', params: { ticker: 'SPY', window: '14' } }],
    target: { id: 1, params: { ticker: 'SPY' } },
  }

  it('sends model, sizes, windows and parameters [BT-136, BT-137, BT-139]', () => {
    expect(Object.fromEntries(sent({ ...ml, walkForwardEnabled: true }))).toMatchObject({
      mlModelType: 'Random Forest',
      trainSize: '70',
      testSize: '30',
      walkForwardEnabled: 'true',
      wfTrainWindowPct: '50',
      wfTestWindowPct: '10',
      max_features: 'sqrt',
      min_samples_leaf: '3',
      min_samples_split: '3',
      n_estimators: '3000',
    })
  })

  it('sends the settings of XGBoost only for it', () => {
    const names = new Set(['boosting_rounds', 'max_depth', 'learning_rate', 'min_leaf_share', 'find_rounds'])
    const sentOf = (change: Partial<BacktestForm>) =>
      Object.fromEntries([...sent({ ...ml, ...change })].filter(([name]) => names.has(name)))
    const changed = recommendedFor('XGBoost')
    expect(sentOf({ mlModelType: 'XGBoost' })).toMatchObject({ boosting_rounds: '100', find_rounds: 'false' })
    expect(sentOf({ ...changed })).toEqual({})
    expect(sentOf({ mlModelType: 'XGBoost', ...changed })).toEqual({
      boosting_rounds: '200',
      max_depth: '2',
      learning_rate: '0.05',
      min_leaf_share: '0.02',
      find_rounds: 'true',
    })
    expect(sent({ ...ml, ...recommendedFor('Extra Trees') }).get('min_samples_leaf')).toBe('0.05')
  })

  it('sends a step only when one is set [BT-138]', () => {
    expect(sent(ml).has('wfStepSizePct')).toBe(false)
    expect(sent({ ...ml, wfStepSizePct: 5 }).get('wfStepSizePct')).toBe('5')
  })

  it('sends features and target as JSON [BT-140]', () => {
    const fields = sent(ml)
    expect(jsonOf(fields, 'features')).toEqual([{ id: 5, name: 'RSI', params: { ticker: 'SPY', window: 14 } }])
    expect(jsonOf(fields, 'target')).toEqual({ id: 1, params: { ticker: 'SPY' } })
    expect(sent({ ...ml, target: null }).has('target')).toBe(false)
  })

  it('sends the leverage of a row as part of its ticker [BT-116]', () => {
    const signal1Allocations = [{ key: 0, ticker: 'spy', leverage: 1.5, allocation: 100 }]
    expect(sent({ ...ml, signal1Allocations }).getAll('signal1_ticker[]')).toEqual(['SPY?L=1.5'])
    const allocations = [
      { key: 0, ticker: 'spy', leverage: 2, allocation: 60 },
      { key: 1, ticker: 'tlt?L=3', allocation: 40 },
    ]
    expect(sent({ allocations }).getAll('ticker[]')).toEqual(['SPY?L=2', 'TLT?L=3'])
  })

  it('sends the rows of both signals, and none of Asset Allocation [BT-141]', () => {
    const fields = sent(ml)
    expect(fields.getAll('signal1_ticker[]')).toEqual(['SPY'])
    expect(fields.getAll('signal1_allocation[]')).toEqual(['100'])
    expect(fields.getAll('signal0_ticker[]')).toEqual(['CASHX'])
    expect(fields.getAll('signal0_allocation[]')).toEqual(['100'])
    expect(fields.has('ticker[]')).toBe(false)
  })
})
