import { type Bench, benchRow, median } from '../bench.ts'
import { newTrader, startLiveProgram } from './live-program.ts'

const DECISIONS = 15

const config = {
  startDate: '2016-01-04',
  endDate: '2025-12-31',
  dataProvider: 'sample',
  dataGranularity: 'daily',
  mlModelType: 'Random Forest',
  n_estimators: 1000,
  features: [
    { id: 7, params: { ticker: 'SPY', window: 14 } },
    { id: 1, params: { ticker: 'SPY', window: 5 } },
    { id: 1, params: { ticker: 'QQQ', window: 20 } },
    { id: 11, params: { ticker: 'SPY', window: 20 } },
    { id: 25, params: { ticker: 'SPY', other_ticker: 'TLT', window: 60 } },
  ],
  target: { id: 1, params: { ticker: 'SPY' } },
  signal1Allocations: [{ ticker: 'SPY', allocation: 100 }],
  signal0Allocations: [{ ticker: 'TLT', allocation: 100 }],
}

/** A whole decision of a deployment with a stored model of 1,000 trees, asked for as a preview: everything but the order. */
const decision: Bench = {
  name: 'live-decision',
  async run(report) {
    const program = await startLiveProgram()
    try {
      const trader = await newTrader(program.url, 'decisions@example.com')
      const id = await trader.deploy('Forest', { type: 'ML', config }, { capital_policy_value: 10_000 })
      const decide = async () => {
        const began = performance.now()
        await trader.post(`/api/deployment/${id}/preview`, {})
        return performance.now() - began
      }
      report(
        benchRow({ bench: 'live-decision/first, data fetched and model trained', ours: await decide(), unit: 'ms' }),
      )
      const times: number[] = []
      for (let i = 0; i < DECISIONS; i++) times.push(await decide())
      const goal = { on: 'ours', under: 1_000 } as const
      report(benchRow({ bench: 'live-decision/stored model', ours: median(times), unit: 'ms', goal }))
      report(benchRow({ bench: 'live-decision/stored model, worst', ours: Math.max(...times), unit: 'ms', goal }))
    } finally {
      await program.stop()
    }
  },
}
export default decision
