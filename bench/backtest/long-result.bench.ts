import { BacktestForm } from '@tradewright/contract/backtest-form'
import { BacktestResult } from '@tradewright/contract/backtest-result'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { readReport } from '../../apps/server/src/backtests/report.ts'
import { stored } from '../../apps/server/src/backtests/stored.ts'
import { toDomain } from '../../apps/server/src/http/backtests/form.ts'
import { toWire } from '../../apps/server/src/http/backtests/wire.ts'
import { jsonSlices } from '../../apps/server/src/http/answer/json-slices.ts'
import { type Bench, benchRow, median } from '../bench.ts'
import { sampleData } from './sample-data.ts'

const form = BacktestForm.parse({
  strategyType: 'Asset Allocation',
  startDate: '2024-01-02',
  endDate: '2024-12-31',
  dataGranularity: 'minute',
  'ticker[]': ['SPY'],
  'allocation[]': ['100'],
})

/** The longest processor time in milliseconds that this thread spends before other callers have their turn. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const done = new AbortController()
  let longest = 0
  const watch = async () => {
    while (!done.signal.aborted) {
      const before = process.threadCpuUsage()
      await nextTurn()
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1000)
    }
  }
  const watching = watch()
  await work()
  done.abort()
  await watching
  return longest
}

const compressed = (text: string) =>
  promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

const bench: Bench = {
  name: 'backtest/long-result',
  async run(report) {
    const { run } = toDomain(form)
    const plan = planBacktest(run.request)
    const { from, to } = plan.settings
    const result = stored(await runBacktest(plan, sampleData(['SPY', 'TB3MS'], { from, to }, '1m')))
    const kept = { run, result, features: [], target: null, comparison: null }
    let text = ''
    const answer = async () => {
      const wire = BacktestResult.parse(await toWire(await readReport(kept)))
      text = (await Array.fromAsync(jsonSlices(wire))).join('')
    }
    const turns: number[] = []
    for (let run = 0; run < 7; run++) turns.push(await longestTurn(answer))
    report(
      benchRow({
        bench: 'backtest/long-result/longest turn of the answering thread, 1 year of minutes',
        ours: median(turns),
        unit: 'ms',
        goal: { on: 'ours', under: 50 },
      }),
    )
    report(benchRow({ bench: 'backtest/long-result/answer', ours: text.length / 1e6, unit: 'MB' }))
    report(
      benchRow({
        bench: 'backtest/long-result/answer, compressed',
        ours: (await compressed(text)).length / 1e6,
        unit: 'MB',
      }),
    )
  },
}

export default bench
