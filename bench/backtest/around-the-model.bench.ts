import { dateOf } from '@tradewright/core/time'
import type { Learner } from '@tradewright/engine/backtest/learner'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { defaultSettings, type MlStrategy } from '@tradewright/engine/backtest/request'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import { type Bench, benchRow, median } from '../bench.ts'
import { cpuTime } from './cpu-time.ts'
import { sampleData } from './sample-data.ts'

/** A model that costs nothing, so that only what surrounds it is measured. */
const free: Learner = async ({ predictRows }) => ({
  probabilities: Float64Array.from(predictRows, (row) => (row % 7) / 6),
  importances: undefined,
})

const strategy: MlStrategy = {
  kind: 'ml',
  trainPct: 70,
  walkForward: undefined,
  features: [
    'percent_change',
    'rsi',
    'macd',
    'bollinger',
    'atr',
    'volatility',
    'z_score',
    'stochastic',
    'adx',
    'cci',
  ].map((id) => ({ id, params: { ticker: 'SPY' } })),
  target: { id: 'next_bar_direction', params: { ticker: 'SPY' } },
  buy: [{ ticker: 'SPY', allocationPct: 100 }],
  sell: [{ ticker: 'TLT', allocationPct: 100 }],
}

async function medianTime(walkForward: MlStrategy['walkForward']): Promise<number> {
  const range = { from: dateOf('2019-12-31'), to: dateOf('2024-12-31') }
  const data = sampleData(['SPY', 'TLT', 'TB3MS'], range, '1d')
  const plan = planBacktest({ ...defaultSettings, ...range, strategy: { ...strategy, walkForward } })
  const times: number[] = []
  for (let run = 0; run < 15; run++) times.push(await cpuTime(() => runBacktest(plan, data, free)))
  return median(times)
}

const bench: Bench = {
  name: 'backtest/around-the-model',
  async run(report) {
    const cases = [
      ['one split', undefined],
      ['walk-forward', { trainPct: 50, testPct: 10, stepPct: undefined }],
    ] as const
    for (const [name, walkForward] of cases) {
      report(
        benchRow({
          bench: `backtest/around-the-model/5 years of days, 10 features, ${name}`,
          ours: await medianTime(walkForward),
          unit: 'ms',
          goal: { on: 'ours', under: 300 },
        }),
      )
    }
  },
}

export default bench
