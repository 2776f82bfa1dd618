import { expect, it } from 'vitest'
import { planBacktest } from '../backtest/plan.ts'
import { sampleData } from '../backtest/test-support/market-files.ts'
import { allocationRequest, FROM, mlRequest, TO } from '../backtest/test-support/requests.ts'
import { nyse } from '../market/trading-calendar.ts'
import { defaultForestSettings } from '../models/settings.ts'
import { replayMonth } from './replay-month.ts'
import { onlyVersion } from './test-support/only-version.ts'
import { replay } from './test-support/replay.ts'
import { trainModel } from './train-model.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
const choice = { kind: 'forest', settings: { ...defaultForestSettings, trees: 20 } } as const
const from = nyse.nextSession(TO - 60)
const schedule = {
  frequency: { type: 'continuous' as const, everyMinutes: 60 },
  weekdays: new Set([1, 2, 3, 4, 5]),
  aroundTheClock: false,
}

it('an allocation is invested on the first day, with the capital, and is worth what its backtest is, to the cent', () => {
  const plan = planBacktest(allocationRequest({ SPY: 60, TLT: 40 }, { startValue: 2500, tradingCostBps: 0 }))
  const month = replayMonth(plan, data, { model: undefined, schedule, from })!
  const curve = replay(plan, data, { models: [], schedule, from })
  expect(month.points.map(({ at }) => at)).toEqual(curve.map(({ at }) => at))
  for (const [i, { value }] of month.points.entries())
    expect(Math.abs(value - 2500 * curve[i]!.growth)).toBeLessThan(0.005)
  const first = month.orders.slice(0, 2)
  expect(first.map(({ ticker, quantity, price }) => [ticker, Math.round(quantity * price)])).toEqual([
    ['SPY', 1500],
    ['TLT', 1000],
  ])
  // A second before the close.
  expect(first.map(({ at }) => month.points[0]!.at - at)).toEqual([1000, 1000])
  expect(month.decisionCount).toBe(month.points.length)
})

it('a model decides by its signals, which are told where they change, and is worth what its backtest is, to the cent', () => {
  const plan = planBacktest(mlRequest({}, { startValue: 2500 }))
  const { model } = trainModel(plan, data, choice, { mode: 'holdout', trainPct: 70 })
  const month = replayMonth(plan, data, { model, schedule, from })!
  const curve = replay(plan, data, { models: onlyVersion(model), schedule, from })
  const base = month.points[0]!.value
  for (const [i, { value }] of month.points.entries()) {
    expect(Math.abs(value - base * curve[i]!.growth)).toBeLessThan(0.005)
  }
  expect(month.decisions.length).toBeGreaterThan(0)
  for (const [i, { signal, probability }] of month.decisions.entries()) {
    expect(signal).not.toBe(month.decisions[i - 1]?.signal)
    expect(probability).toBeGreaterThanOrEqual(0.5)
  }
})

it('there is nothing to replay of days without a bar', () => {
  const plan = planBacktest(allocationRequest({ SPY: 100 }))
  expect(replayMonth(plan, data, { model: undefined, schedule, from: TO + 10 })).toBeUndefined()
})
