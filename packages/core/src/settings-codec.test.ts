import { describe, expect, it } from 'vitest'
import { defaultSettings, settingEntries } from './backtest-settings.ts'
import {
  callFields,
  deployed,
  readSavedStrategy,
  settingsOfCall,
  settingsToResult,
  settingsToSaved,
} from './settings-codec.ts'

const PERIOD = { startDate: '2020-01-02', endDate: '2024-12-31' }
const refusal = (config: unknown): string => {
  try {
    return JSON.stringify(readSavedStrategy(config))
  } catch (error) {
    return (error as Error).message
  }
}

describe('a saved strategy', () => {
  it('says what is held on Sell in any of its names and forms [BT-079]', () => {
    const rows = [{ ticker: 'BIL', allocation: 100 }]
    for (const config of [
      { signal0Allocations: rows },
      { signal0_allocations: rows },
      { signal0_allocations: { bil: '100' } },
      { signal0_allocation: { BIL: 100 } },
    ]) {
      expect(readSavedStrategy(config), JSON.stringify(config)).toEqual({ signal0Allocations: rows })
    }
  })

  it('may name its settings in snake_case', () => {
    expect(readSavedStrategy({ start_date: '2020-01-02', startValue: '5000', adjust_inflation: 'on' })).toEqual({
      startDate: '2020-01-02',
      startValue: 5000,
      adjustInflation: true,
    })
  })

  it('may have its sizes as fractions, and one of the two alone', () => {
    expect(readSavedStrategy({ trainSize: 0.8, testSize: 0.2 })).toEqual({ trainSize: 80, testSize: 20 })
    expect(readSavedStrategy({ testSize: 40 })).toEqual({ trainSize: 60, testSize: 40 })
    expect(readSavedStrategy({ trainSize: 0.8, testSize: 99.2 })).toEqual({ trainSize: 0.8, testSize: 99.2 })
    expect(refusal({ trainSize: 70, testSize: 40 })).toMatch('must add up to 100%')
  })

  it('may have its target as an object, JSON text or an id with parameters beside it [BT-077, BT-078]', () => {
    const target = { id: 3, params: { ticker: 'SPY' } }
    for (const config of [
      { target },
      { selectedTarget: JSON.stringify({ ...target, id: '3' }) },
      { selectedTarget: '3', targetParams: { ticker: 'SPY' } },
    ]) {
      expect(readSavedStrategy(config)).toEqual({ target })
    }
    const features = [{ id: 'x-1', originalId: 5, name: 'RSI', params: { window: 14 } }]
    expect(readSavedStrategy({ selectedFeatures: features })).toEqual({
      features: [{ id: 5, name: 'RSI', params: { window: 14 } }],
    })
  })

  it('leaves out what is empty, and what stands beside its settings', () => {
    const beside = { id: 7, name: 'One', strategy_type: 'ML', optimization_results: {}, created_at: 'then' }
    expect(readSavedStrategy({ ...beside, rebalanceBandPct: null, riskFreeTicker: ' ', commission: '' })).toEqual({})
  })

  it.each([
    [{ tradingCostsBps: 5 }, 'A backtest has no setting “tradingCostsBps”. Did you mean “tradingCostBps”?'],
    [{ asOf: '2020-01-02' }, 'A backtest has no setting “asOf”.'],
    [{ tradingCostBps: 'low' }, 'The trading cost must be a number, was "low".'],
    [{ tradingCostBps: 20_000 }, 'The trading cost must be from 0 to below 10000 basis points, was 20000.'],
    [{ seed: 1.5 }, 'The seed must be a whole number, was 1.5.'],
    [{ fillTiming: 'soon' }, 'The fill timing must be one of next_open, next_close, same_close, was "soon".'],
    [{ maintenanceMargin: 'half' }, 'The maintenance margin must be us, off or a percentage.'],
    [{ maintenanceMargin: 'constructor' }, 'The maintenance margin must be us, off or a percentage.'],
    [{ constructor: 1 }, 'A backtest has no setting “constructor”.'],
    [{ startDate: '2020-13-02' }, 'The start date must be a date like 2024-12-31, was "2020-13-02".'],
    [{ investDividends: 'perhaps' }, 'Reinvest dividends must be true or false, was "perhaps".'],
    [{ commission: [1] }, 'The commission must be a text, a number or true or false.'],
    [{ signal1Allocations: [{ ticker: 'SPY' }] }, 'The Buy allocation of SPY is missing.'],
    [{ allocations: [60] }, 'The allocation must be a list of {"ticker", "allocation"}.'],
    [{ features: [{ params: {} }] }, 'Feature 1 has no id.'],
    [{ rules: 'if' }, 'The rules cannot be read: this is not valid JSON.'],
    [{ n_estimators: 0 }, 'n_estimators must be from 1 to 5000, was 0.'],
    [
      { target: 1, selectedTarget: 2 },
      'The strategy says two things about target: as “target” and as “selectedTarget”.',
    ],
    [[], 'The settings of a strategy must be an object.'],
  ])('%j is refused by name', (config, sentence) => {
    expect(refusal(config)).toBe(sentence)
  })

  it('gives a deployment what is not of the tested period alone', () => {
    const saved = readSavedStrategy({ ...PERIOD, cashflow: 100, rebalanceFrequency: 'daily', tradingCostBps: 3 })
    expect(deployed(saved)).toEqual({ ...PERIOD, tradingCostBps: 3 })
  })
})

describe('the settings of a call', () => {
  it('are the defaults where it says nothing', () => {
    const { from, to, ...settings } = settingsOfCall({ ...PERIOD, commission: ' ' })
    expect(to).toBeGreaterThan(from)
    expect(settings).toEqual(defaultSettings)
    expect(() => settingsOfCall({ endDate: '2024-12-31' })).toThrow('The start date is missing.')
  })

  it('are the same after they were saved and read again', () => {
    const call = { ...PERIOD, dataGranularity: '5minute', cashflowFreq: 'Quarterly', maintenanceMargin: '40' }
    const settings = settingsOfCall({ ...call, rebalanceBandPct: '5', referenceTicker: 'qqq' })
    const saved = readSavedStrategy(JSON.parse(JSON.stringify(settingsToSaved(settings))))
    expect(settingsOfCall(callFields(saved))).toEqual(settings)
  })

  it('are told by a result under their names on the wire', () => {
    const { maintenanceMargin: _, ...settings } = settingsOfCall({ ...PERIOD, cashflowFreq: 'monthly' })
    expect(settingsToResult(settings)).toMatchObject({
      cashflow_freq: 'Monthly',
      invest_dividends: true,
      rebalance_band_pct: null,
      // Without one, an earlier request asked for nothing.
      maintenance_margin: 'off',
    })
  })
})

it('every setting has a key and a name of its own', () => {
  const keys = settingEntries.map(([, { key }]) => key)
  expect(new Set(keys).size).toBe(keys.length)
})
