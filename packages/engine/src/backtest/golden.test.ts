import { dateOf } from '@tradewright/core/time'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claim, hasShared } from '../../../../scripts/shared-data.ts'
import type { MarketData } from './market-data.ts'
import { planBacktest } from './plan.ts'
import type { BacktestRequest } from './request.ts'
import { runBacktest } from './run-backtest.ts'
import { figuresOf } from './test-support/figures.ts'
import { realData, sampleData } from './test-support/market-files.ts'
import { nearestMean } from './test-support/nearest-mean.ts'
import { allocationRequest, FROM, mlRequest, TO } from './test-support/requests.ts'

const walkForward = { trainPct: 50, testPct: 10, stepPct: undefined }

const requests: Readonly<Record<string, BacktestRequest>> = {
  'all in one': allocationRequest({ SPY: 100 }),
  'sixty-forty with a reference': allocationRequest({ SPY: 60, TLT: 40 }, { referenceTicker: 'SPY?L=2' }),
  'monthly savings in real dollars': allocationRequest(
    { SPY: 50, TLT: 30, GLD: 20 },
    { cashflow: 250, cashflowFrequency: 'monthly', adjustInflation: true, rebalanceFrequency: 'quarterly' },
  ),
  'dividends in cash, a band and commissions': allocationRequest(
    { SPY: 45, TLT: 45 },
    { reinvestDividends: false, rebalanceFrequency: 'none', rebalanceBandPct: 5, commission: 2, tradingCostBps: 10 },
  ),
  'borrowed half': allocationRequest({ SPY: 90, TLT: 60 }, { rebalanceFrequency: 'monthly' }),
  'living off it': allocationRequest({ SPY: 60, TBILLX: 40 }, { cashflow: -1500 }),
  'one split': mlRequest({}, { referenceTicker: 'SPY' }),
  'walk-forward': mlRequest({ walkForward }, { rebalanceFrequency: 'none' }),
  'filled at the close': mlRequest({}, { fillTiming: 'same_close' }),
}

const goldenFile = (name: string) => resolve(`fixtures/backtests/${name}.json`)

async function allFigures(data: MarketData, settings: Partial<BacktestRequest> = {}) {
  const figures: Record<string, unknown> = {}
  for (const [name, request] of Object.entries(requests)) {
    figures[name] = figuresOf(await runBacktest(planBacktest({ ...request, ...settings }), data, nearestMean))
  }
  return `${JSON.stringify(figures, undefined, 2)}\n`
}

const economic = ['TB3MS', 'FEDFUNDS', 'CPIAUCNS', 'UNRATE']

describe('golden figures', () => {
  it('of the sample market are the ones in the fixtures', async () => {
    const data = sampleData(['SPY', 'TLT', 'GLD', ...economic], FROM, TO)
    await expect(await allFigures(data)).toMatchFileSnapshot(goldenFile('sample-market'))
  })

  const real = 'data/equities/daily/SPY.csv'
  it.skipIf(!hasShared(real))(claim('of real prices are the ones in the fixtures', real), async () => {
    const data = realData(['SPY', 'TLT', 'GLD'], economic)
    const settings = { from: dateOf('2005-01-03'), to: dateOf('2024-12-31') }
    await expect(await allFigures(data, settings)).toMatchFileSnapshot(goldenFile('real-prices'))
  })
})
