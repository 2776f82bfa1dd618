import { epochDayOf } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { modelLearner } from '../backtest/model-learner.ts'
import { planBacktest } from '../backtest/plan.ts'
import { runBacktest } from '../backtest/run-backtest.ts'
import { sampleData } from '../backtest/test-support/market-files.ts'
import { allocationRequest, FROM, mlRequest, TO } from '../backtest/test-support/requests.ts'
import { nyse } from '../market/trading-calendar.ts'
import { defaultForestSettings } from '../models/settings.ts'
import { replay } from './test-support/replay.ts'
import { onlyVersion } from './test-support/only-version.ts'
import { trainModel } from './train-model.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
const choice = { kind: 'forest', settings: { ...defaultForestSettings, trees: 20 } } as const
const day = nyse.nextSession(TO - 200)
const schedule = {
  frequency: { type: 'continuous' as const, everyMinutes: 60 },
  weekdays: new Set([1, 2, 3, 4, 5]),
  aroundTheClock: false,
}
const endOfDay = { ...schedule, frequency: { type: 'end_of_day' as const, minutesBeforeClose: 30 } }

it('an allocation is replayed as a backtest that begins on its day, with its weights and not with drifted ones', async () => {
  const settings = { rebalanceFrequency: 'none' } as const
  const replayed = replay(planBacktest(allocationRequest({ SPY: 60, TLT: 40 }, settings)), data, {
    models: [],
    schedule,
    from: day,
  })
  const fresh = planBacktest(allocationRequest({ SPY: 60, TLT: 40 }, { ...settings, from: day }))
  const { curve } = await runBacktest(fresh, data)
  for (const [i, { growth }] of replayed.entries()) {
    expect(growth).toBeCloseTo(curve.values[i]! / curve.values[0]!, 12)
  }
  expect(replayed.map(({ at }) => at)).toEqual(Array.from(curve.days, (one) => nyse.closeOf(one)))
})

it.each([
  ['checked through the day', 'next_open', schedule],
  ['at the end of the day', 'next_close', endOfDay],
] as const)('an ML strategy %s is replayed as the backtest with fill timing %s', async (_, fillTiming, own) => {
  const tested = planBacktest(mlRequest({}, { rebalanceFrequency: 'none', fillTiming }))
  const { curve } = await runBacktest(tested, data, modelLearner(choice))
  // Whatever timing the strategy was saved with: what counts is when the deployment trades.
  const plan = planBacktest(mlRequest({}, { rebalanceFrequency: 'none', fillTiming: 'same_close' }))
  const { model } = trainModel(plan, data, choice, { mode: 'holdout', trainPct: 70 })
  const replayed = replay(plan, data, { models: onlyVersion(model), schedule: own, from: curve.days[1]! })
  expect(replayed.map(({ at }) => epochDayOf(at))).toEqual([...curve.days.subarray(1)])
  for (const [i, { growth }] of replayed.entries()) {
    expect(growth).toBeCloseTo(curve.values[i + 1]! / curve.values[1]!, 12)
  }
})

it('nothing is replayed of days that have no bar yet', () => {
  expect(replay(planBacktest(allocationRequest({ SPY: 100 })), data, { models: [], schedule, from: TO + 10 })).toEqual(
    [],
  )
})
