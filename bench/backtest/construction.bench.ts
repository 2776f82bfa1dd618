import { constructionMethodIds } from '@tradewright/core/construction-catalogue'
import { dateOf } from '@tradewright/core/time'
import { defaultSettings } from '@tradewright/engine/backtest/request'
import { reportConstruction } from '@tradewright/engine/construction/report'
import { type ConstructionRequest, planConstruction } from '@tradewright/engine/construction/request'
import { frontierOf, prepareConstruction, walkMethod } from '@tradewright/engine/construction/walk-forward'
import { convexSolver } from '../../apps/server/src/construction/convex-solver.ts'
import { type Bench, benchRow, median } from '../bench.ts'
import { cpuTime } from './cpu-time.ts'
import { sampleData } from './sample-data.ts'

const TICKERS = ['SPY', 'TLT', 'GLD', 'QQQ', 'AAPL', 'XLE', 'XLF', 'XLK', 'XLU', 'XLV']
const RANGE = { from: dateOf('2004-12-31'), to: dateOf('2024-12-31') }
const RUNS = 3

const request: ConstructionRequest = {
  backtest: {
    ...defaultSettings,
    ...RANGE,
    strategy: { kind: 'allocation', allocation: TICKERS.map((ticker) => ({ ticker, allocationPct: 10 })) },
  },
  methods: constructionMethodIds.filter((id) => id !== 'equal').map((id) => ({ id, parameters: {} })),
  covariance: 'ledoit_wolf',
  windowMonths: 36,
  rebalance: 'monthly',
  minPct: 0,
  maxPct: 40,
  bounds: [],
  groups: [],
  turnoverPct: 30,
  views: [],
}

const data = sampleData([...TICKERS, 'TB3MS'], RANGE, '1d')

const bench: Bench = {
  name: 'construction',
  async run(report) {
    const solver = await convexSolver()
    const all = () => {
      const material = prepareConstruction(request, data, solver)
      const walks = planConstruction(request).methods.map((method) => ({
        id: method.id,
        walk: walkMethod(material, method, solver),
      }))
      reportConstruction(material, walks, frontierOf(material, solver))
    }
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) times.push(await cpuTime(all))
    report(
      benchRow({
        bench: 'construction/8 methods, 10 tickers, 20 years of days, monthly, processor time',
        ours: median(times),
        unit: 'ms',
        goal: { on: 'ours', under: 60_000 },
      }),
    )
  },
}

export default bench
