import { describe, expect, it } from 'vitest'
import { modelLearner } from '../backtest/model-learner.ts'
import { planBacktest } from '../backtest/plan.ts'
import { runBacktest } from '../backtest/run-backtest.ts'
import { sampleData } from '../backtest/test-support/market-files.ts'
import { allocationRequest, FROM, mlRequest, TO } from '../backtest/test-support/requests.ts'
import { nyse } from '../market/trading-calendar.ts'
import { choiceOf, loadModel } from '../models/catalogue.ts'
import { type ModelChoice, defaultForestSettings } from '../models/settings.ts'
import { targetWeights } from '../trading/allocation.ts'
import { signalNow } from './signal-now.ts'
import { onlyVersion } from './test-support/only-version.ts'
import { tradeOrHold, type LastTrade } from './trade-or-hold.ts'
import { trainModel } from './train-model.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
const choice = { kind: 'forest', settings: { ...defaultForestSettings, trees: 30 } } as const

describe('replayed live decisions', () => {
  it.each<ModelChoice>([choice, choiceOf('extra-trees', { trees: 30 })])(
    'equal those of the backtest, with the $kind model it trained, at every tenth bar and the last ones',
    async (chosen) => {
      const plan = planBacktest(mlRequest({}, { rebalanceFrequency: 'none' }))
      const { ml, curve } = await runBacktest(plan, data, modelLearner(chosen))
      const trained = trainModel(plan, data, chosen, { mode: 'holdout', trainPct: 70 })
      // Kept and read again, as a deployment does.
      const model = loadModel(trained.model.save())
      const bars = [...curve.days.keys()].filter((bar) => bar % 10 === 0 || bar > curve.days.length - 4)
      for (const bar of bars) {
        const at = nyse.closeOf(curve.days[bar]!)
        const { prediction, dataAsOf, allocation } = signalNow(plan, data, onlyVersion(model), at)
        expect(dataAsOf).toBe(curve.timestamps[bar])
        expect(prediction?.signal).toBe(ml!.signals[bar])
        expect(prediction?.probability).toBe(ml!.probabilities[bar])
        expect([...allocation.keys()]).toEqual(prediction?.signal === 1 ? ['SPY'] : ['TLT'])
      }
      expect(new Set(ml!.signals).size).toBe(2)
    },
  )

  it('before the close know only the bar before, whatever is stored', () => {
    const plan = planBacktest(mlRequest())
    const trained = trainModel(plan, data, choice, { mode: 'full_range' })
    const day = nyse.previousSession(TO)
    const before = signalNow(plan, data, onlyVersion(trained.model), nyse.closeOf(day) - 30 * 60_000)
    expect(before.dataAsOf).toBe(nyse.previousSession(day) * 86_400_000)
    const atClose = signalNow(plan, data, onlyVersion(trained.model), nyse.closeOf(nyse.previousSession(day)))
    expect(before.prediction).toEqual(atClose.prediction)
  })

  it('refuse data that has stopped', () => {
    const plan = planBacktest(mlRequest())
    const { model } = trainModel(plan, data, choice, { mode: 'full_range' })
    const later = nyse.closeOf(nyse.nextSession(nyse.nextSession(TO)))
    expect(() => signalNow(plan, data, onlyVersion(model), later)).toThrow(
      /newest data for SPY is from 2019-12-31, 2 sessions behind/,
    )
  })

  it('explain themselves: the base and all influences are the prediction', () => {
    const plan = planBacktest(mlRequest())
    const { model } = trainModel(plan, data, choice, { mode: 'full_range' })
    const { prediction } = signalNow(plan, data, onlyVersion(model), nyse.closeOf(TO))
    const sum = prediction!.influences.reduce((all, { contribution }) => all + contribution, prediction!.base)
    expect(sum).toBeCloseTo(prediction!.probability, 9)
    expect(prediction!.influences).toHaveLength(5)
  })

  it('rebalance an allocation on the very days on which the backtest does', async () => {
    const plan = planBacktest(allocationRequest({ SPY: 60, TLT: 40 }, { rebalanceFrequency: 'monthly' }))
    const { trades, curve } = await runBacktest(plan, data)
    const simulated = [...new Set(trades.map(({ timestamp }) => timestamp))]
    const live: number[] = []
    let last: LastTrade | undefined
    const weights = Float64Array.of(0.6, 0.4)
    for (const [bar, day] of curve.days.entries()) {
      const question = {
        signal: undefined,
        memory: undefined,
        last,
        contributions: '10000',
        today: day,
        calendar: nyse,
        rules: { rebalanceFrequency: 'monthly' as const, thresholdPct: 0 },
        weights,
        holdings: { cash: 0, quantities: Float64Array.of(1, 1) },
        prices: Float64Array.of(1, 1),
      }
      if (!tradeOrHold(question).trades) continue
      live.push(curve.timestamps[bar]!)
      last = { signal: undefined, day, isComplete: true }
    }
    expect(live).toEqual(simulated)
    const { allocation } = signalNow(plan, data, [], nyse.closeOf(TO))
    expect(targetWeights(allocation, ['SPY', 'TLT'])).toEqual(weights)
  })
})
