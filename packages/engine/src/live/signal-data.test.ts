import { dateOf, dayStamp, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { planBacktest } from '../backtest/plan.ts'
import { type BacktestRequest, defaultMl, defaultSettings } from '../backtest/request.ts'
import { signalRequest, signalSeries } from './signal-data.ts'

const at = dayStamp(dateOf('2026-03-04')) + 15 * HOUR
const range = { from: dateOf('2010-01-04'), to: dateOf('2026-03-04') }
const allocation = (...tickers: string[]): BacktestRequest => ({
  ...defaultSettings,
  ...range,
  referenceTicker: 'QQQ',
  strategy: { kind: 'allocation', allocation: tickers.map((ticker) => ({ ticker, allocationPct: 50 })) },
})
const ml: BacktestRequest = {
  ...allocation(),
  strategy: {
    kind: 'ml',
    trainPct: defaultMl.trainPct,
    walkForward: undefined,
    features: [{ id: 7, params: { ticker: 'SPY', window: 14 } }],
    target: { id: 1, params: { ticker: 'SPY' } },
    buy: [{ ticker: 'SPY', allocationPct: 100 }],
    sell: [],
  },
}
const symbolsOf = (request: BacktestRequest) =>
  new Set(signalSeries(planBacktest(signalRequest(request, at))).map(({ symbol }) => symbol))

describe('what a signal reads', () => {
  it('of fixed percentages is the newest prices of what they hold, and nothing else', () => {
    const request = allocation('SPY', 'AGG')
    expect(signalRequest(request, at).from).toBe(dateOf('2026-01-18'))
    expect(signalRequest({ ...request, granularity: '1h' }, at).from).toBe(dateOf('2026-02-22'))
    expect(symbolsOf(request)).toEqual(new Set(['SPY', 'AGG']))
  })

  it('never begins before the strategy does', () => {
    const from = dateOf('2026-02-20')
    expect(signalRequest({ ...allocation('SPY'), from }, at).from).toBe(from)
  })

  it('keeps rates where a price is made of them', () => {
    expect(symbolsOf(allocation('SPY?L=2', 'AGG')).size).toBeGreaterThan(2)
    expect(symbolsOf(allocation('TBILLX', 'AGG')).size).toBeGreaterThan(1)
  })

  it('of a model goes back to the start of its features, which never moves', () => {
    expect(signalRequest(ml, at).from).toBe(range.from)
    expect(symbolsOf(ml).has('SPY')).toBe(true)
    expect(symbolsOf(ml).has('QQQ')).toBe(false)
  })
})
