import { expect, it } from 'vitest'
import { runnableOf } from './form.ts'

it('a deployment keeps what the form says about mixed prices and about tickers that end', () => {
  const at = new Date(0)
  const config = {
    allocations: [{ ticker: 'SPY', allocation: 100 }],
    allowMixedPrices: true,
    endedTicker: 'replace',
    replacementTicker: 'QQQ',
    delistingReturnPct: -30,
    maintenanceMargin: '40',
    halfSpreadBps: 2,
    impactFactor: 1,
  }
  const strategy = { id: 1, name: 'One', description: null, type: 'Asset Allocation' as const, config }
  const { request } = runnableOf({ ...strategy, createdAt: at, updatedAt: at })
  expect(request).toMatchObject({ allowMixedPrices: true, endedTicker: 'replace', replacementTicker: 'QQQ' })
  expect(request).toMatchObject({ delistingReturnPct: -30, maintenanceMargin: 40, halfSpreadBps: 2, impactFactor: 1 })
})

it('a deployment keeps the walk-forward windows by which its model is retrained', () => {
  const at = new Date(0)
  const windows = { walkForwardEnabled: true, wfTrainWindowPct: 40, wfTestWindowPct: 20, wfStepSizePct: null }
  const config = {
    ...windows,
    startDate: '2020-01-02',
    endDate: '2025-12-31',
    features: [{ id: 1, params: { ticker: 'SPY', window: 5 } }],
    target: { id: 1, params: { ticker: 'SPY' } },
    signal1Allocations: [{ ticker: 'SPY', allocation: 100 }],
    signal0Allocations: [{ ticker: 'TLT', allocation: 100 }],
  }
  const strategy = { id: 1, name: 'One', description: null, type: 'ML' as const, config }
  const { request } = runnableOf({ ...strategy, createdAt: at, updatedAt: at })
  expect(request.strategy).toMatchObject({ walkForward: { trainPct: 40, testPct: 20, stepPct: undefined } })
})
