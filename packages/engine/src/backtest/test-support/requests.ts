import { dateOf } from '@tradewright/core/time'
import { type BacktestRequest, defaultSettings, type MlStrategy } from '../request.ts'

export const FROM = dateOf('2015-01-02')
export const TO = dateOf('2019-12-31')

/** A request of the form as it opens, with these percentages. */
export const allocationRequest = (
  percentages: Readonly<Record<string, number>>,
  more: Partial<BacktestRequest> = {},
): BacktestRequest => ({
  ...defaultSettings,
  from: FROM,
  to: TO,
  strategy: {
    kind: 'allocation',
    allocation: Object.entries(percentages).map(([ticker, allocationPct]) => ({ ticker, allocationPct })),
  },
  ...more,
})

export const mlStrategy: MlStrategy = {
  kind: 'ml',
  trainPct: 70,
  walkForward: undefined,
  features: [
    { id: 7, params: { ticker: 'SPY', window: 14 } },
    { id: 1, params: { ticker: 'SPY', window: 5 } },
    { id: 11, params: { ticker: 'SPY', window: 20 } },
    { id: 25, params: { ticker: 'SPY', other_ticker: 'TLT', window: 60 } },
    { id: 29, params: { ticker: 'UNRATE' } },
  ],
  target: { id: 2, params: { ticker: 'SPY', horizon: 5 } },
  buy: [{ ticker: 'SPY', allocationPct: 100 }],
  sell: [{ ticker: 'TLT', allocationPct: 100 }],
}

export const mlRequest = (
  more: Partial<MlStrategy> = {},
  settings: Partial<BacktestRequest> = {},
): BacktestRequest => ({
  ...defaultSettings,
  from: FROM,
  to: TO,
  ...settings,
  strategy: { ...mlStrategy, ...more },
})
