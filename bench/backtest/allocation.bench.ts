import type { Granularity } from '@tradewright/core/granularity'
import { dateOf } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { defaultSettings } from '@tradewright/engine/backtest/request'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import { type Bench, benchRow, median } from '../bench.ts'
import { cpuTime } from './cpu-time.ts'
import { sampleData } from './sample-data.ts'

const TICKERS = ['SPY', 'TLT', 'GLD', 'QQQ', 'AAPL']

/** Engine time of an Asset Allocation with five tickers, data at hand, in milliseconds. */
async function engineTime(from: string, to: string, granularity: Granularity, runs: number): Promise<number> {
  const range = { from: dateOf(from), to: dateOf(to) }
  const data = sampleData([...TICKERS, 'TB3MS'], range, granularity)
  const allocation = TICKERS.map((ticker) => ({ ticker, allocationPct: 20 }))
  const plan = planBacktest({ ...defaultSettings, ...range, granularity, strategy: { kind: 'allocation', allocation } })
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    times.push(await cpuTime(() => runBacktest(plan, data)))
  }
  return median(times)
}

const bench: Bench = {
  name: 'backtest/allocation',
  async run(report) {
    report(
      benchRow({
        bench: 'backtest/allocation/20 years of days, 5 tickers',
        ours: await engineTime('2004-12-31', '2024-12-31', '1d', 60),
        unit: 'ms',
        goal: { on: 'ours', under: 30 },
      }),
    )
    report(
      benchRow({
        bench: 'backtest/allocation/1 year of minutes, 5 tickers',
        ours: await engineTime('2023-01-03', '2023-12-29', '1m', 9),
        unit: 'ms',
        goal: { on: 'ours', under: 500 },
      }),
    )
  },
}

export default bench
