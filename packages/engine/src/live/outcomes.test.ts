import { expect, it } from 'vitest'
import { learnableRows } from '../backtest/learnable-rows.ts'
import { planBacktest } from '../backtest/plan.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { uncontrolled } from '../backtest/progress.ts'
import { simulationTable } from '../backtest/simulation-table.ts'
import { sampleData } from '../backtest/test-support/market-files.ts'
import { FROM, mlRequest, TO } from '../backtest/test-support/requests.ts'
import { outcomesAt } from './outcomes.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
const plan = planBacktest(mlRequest({ target: { id: 2, params: { ticker: 'SPY', horizon: 5 } } }))

it('answers the labels that the backtest learns from, and nothing where the horizon is not over', () => {
  if (plan.strategy.kind !== 'ml') throw new Error('an ML plan')
  const seriesSet = new SeriesSet(data, plan.settings)
  const { prices, decisionAt } = simulationTable(seriesSet, plan.tradedTickers, plan.settings)
  const { labels } = learnableRows(plan.strategy, seriesSet, decisionAt, uncontrolled).target
  const outcomes = outcomesAt(plan, data, [...prices.timestamps, prices.timestamps.at(-1)! + 1])
  expect(outcomes).toEqual([...labels.map((label) => (label === null ? null : label === 1)), null])
  expect(outcomes.slice(-6)).toEqual([null, null, null, null, null, null])
  expect(new Set(outcomes.slice(0, -6))).toEqual(new Set([true, false]))
})
