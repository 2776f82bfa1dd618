import type { CheckFrequency, RulesTree } from '@tradewright/core/rules/tree'
import { dateOf } from '@tradewright/core/time'
import { type BacktestSettings, defaultSettings } from '@tradewright/engine/backtest/request'
import type { StudyRequest } from '@tradewright/engine/study/plan'
import { sampleData } from './sample-data.ts'

const TICKERS = ['SPY', 'TLT', 'GLD', 'QQQ', 'AAPL', 'EFA', 'EEM', 'IWM', 'LQD', 'VNQ']
const RANGE = { from: dateOf('2004-12-31'), to: dateOf('2024-12-31') }

export const sweepSettings: BacktestSettings = { ...defaultSettings, ...RANGE }

export const sweepData = () => sampleData([...TICKERS, 'TB3MS'], RANGE, '1d')

/** A parameter study of the rotation; its variants are made here, without ranges. */
export const studyOf = (check: CheckFrequency): StudyRequest => ({
  backtest: { ...sweepSettings, strategy: { kind: 'rules', tree: rotation(check, 21, 20, 1) } },
  numbers: [],
  method: 'grid',
  count: 0,
  seed: 1,
  holdOutPct: 0,
  measure: 'sharpe',
})

/** Variants [from, to) of a thread. */
export interface SweepPart {
  readonly check: CheckFrequency
  readonly from: number
  readonly to: number
}

/** Above its average, a ticker may be held; those that grew most are. 10 x 20 x 5 variants. */
export function variantsOf(check: CheckFrequency): RulesTree[] {
  const variants: RulesTree[] = []
  for (let growthBars = 21; growthBars <= 210; growthBars += 21) {
    for (let averageBars = 20; averageBars <= 400; averageBars += 20) {
      for (let count = 1; count <= 5; count++) variants.push(rotation(check, growthBars, averageBars, count))
    }
  }
  return variants
}

const rotation = (check: CheckFrequency, growthBars: number, averageBars: number, count: number): RulesTree => ({
  version: 1,
  check,
  cash: 'CASHX',
  root: {
    kind: 'pick',
    id: 'rotation',
    tickers: TICKERS,
    eligible: {
      kind: 'compare',
      id: 'rises',
      left: { kind: 'feature', feature: 'sma', params: { window: 1 } },
      is: 'above',
      right: { kind: 'feature', feature: 'sma', params: { window: averageBars } },
    },
    rank: { order: 'top', count, by: { kind: 'feature', feature: 'percent_change', params: { window: growthBars } } },
    weights: { kind: 'equal' },
    unfilled: 'rest',
    rebalance: { on: 'change' },
  },
})
