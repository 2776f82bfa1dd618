import { dateOf, type EpochDay, formatDate, MINUTE } from '@tradewright/core/time'
import { beforeAll, describe, expect, it } from 'vitest'
import { modelLearner } from '../backtest/model-learner.ts'
import { planBacktest } from '../backtest/plan.ts'
import type { BacktestResult } from '../backtest/result.ts'
import { runBacktest } from '../backtest/run-backtest.ts'
import { sampleData } from '../backtest/test-support/market-files.ts'
import { FROM, mlRequest, TO } from '../backtest/test-support/requests.ts'
import { nyse } from '../market/trading-calendar.ts'
import { defaultForestSettings } from '../models/settings.ts'
import { loadModel } from '../models/catalogue.ts'
import type { WindowPercentages } from '../models/splits.ts'
import type { ModelVersion } from './model-versions.ts'
import { replay } from './test-support/replay.ts'
import { type ModelWindow, type Refit, retrainModel } from './retrain-model.ts'
import { type LiveSignal, signalNow } from './signal-now.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
const choice = { kind: 'forest', settings: { ...defaultForestSettings, trees: 8 } } as const
/** The backtest ends here, and the deployment begins on the next session: 18 months of it. */
const BACKTEST_END = dateOf('2018-06-29')
const walkForward = { trainPct: 50, testPct: 5, stepPct: 5 }

const schedule = {
  frequency: { type: 'end_of_day' as const, minutesBeforeClose: 30 },
  weekdays: new Set([1, 2, 3, 4, 5]),
  aroundTheClock: false,
}

const requestTo = (to: EpochDay, percentages: WindowPercentages) =>
  mlRequest({ walkForward: percentages }, { to, rebalanceFrequency: 'none', fillTiming: 'next_close' })
const planTo = (to: EpochDay) => planBacktest(requestTo(to, walkForward))

interface Decided {
  readonly day: EpochDay
  readonly signal: LiveSignal
  readonly trainedAt: number
}

const versions: (ModelVersion & { readonly window: ModelWindow; readonly trainedAt: number })[] = []
const decided: Decided[] = []
let tested: BacktestResult

/** Trains whatever is due now; answers when the next window is. */
function train(at: number): number {
  const newest = versions.at(-1)?.window
  const refit: Refit = {
    sizedTo: BACKTEST_END,
    sizedOnRows: newest?.sizedOnRows,
    newest: newest?.number,
    at,
  }
  const { refit: done, nextAt } = retrainModel(planTo(TO), data, choice, refit)
  if (done) {
    const model = loadModel(done.trained.model.save())
    const { after } = done.window
    versions.push({ version: versions.length + 1, after, load: () => model, window: done.window, trainedAt: at })
  }
  return nextAt
}

beforeAll(async () => {
  const own = await runBacktest(planTo(BACKTEST_END), data, modelLearner(choice))
  let nextAt = train(nyse.closeOf(BACKTEST_END))
  while (nextAt <= nyse.closeOf(BACKTEST_END)) nextAt = train(nyse.closeOf(BACKTEST_END))
  for (const day of nyse.sessionsBetween(BACKTEST_END + 1, TO + 1)) {
    // Half an hour before the close, by the bar of the session before.
    const at = nyse.closeOf(day) - 30 * MINUTE
    const signal = signalNow(planTo(day), data, versions, at)
    decided.push({ day, signal, trainedAt: versions[signal.modelVersion! - 1]!.trainedAt })
    while (nextAt <= nyse.closeOf(day)) nextAt = train(nyse.closeOf(day))
  }
  // The product's walk-forward backtest of the whole time, by percentages that give windows of as many rows.
  const whole = await runBacktest(planTo(TO), data, modelLearner({ kind: 'linear' }))
  const rows = whole.ml!.usableRows
  const share = (pct: number) => ((Math.floor((own.ml!.usableRows * pct) / 100) + 0.5) / rows) * 100
  const percentages = { trainPct: share(50), testPct: share(5), stepPct: share(5) }
  tested = await runBacktest(planBacktest(requestTo(TO, percentages)), data, modelLearner(choice))
})

describe('18 months of a deployment that is retrained at each walk-forward step', () => {
  it('decide as the walk-forward backtest of the same time does, window by window, to the last digit', () => {
    const { curve, ml } = tested
    const { windows } = ml!.walkForward!
    const compared = new Set<number>()
    for (const { number, test } of windows) {
      for (const { signal } of decided) {
        const day = signal.dataAsOf / 86_400_000
        if (day < test.from || day > test.to) continue
        const bar = curve.days.indexOf(day)
        expect(signal.prediction!.probability, `window ${number}, ${formatDate(day)}`).toBe(ml!.probabilities[bar])
        expect(signal.prediction!.signal).toBe(ml!.signals[bar])
        expect(versions[signal.modelVersion! - 1]!.window.number).toBe(number - 1)
        compared.add(number)
      }
    }
    expect(compared.size).toBeGreaterThan(8)
    expect(decided.length).toBeGreaterThan(370)
    expect(new Set(decided.map(({ signal }) => signal.prediction!.signal)).size).toBe(2)
  })

  it('are decided by models that were ready a session before they were needed', () => {
    for (const [i, { window }] of versions.entries()) expect(window.number).toBe(versions[0]!.window.number + i)
    for (const { after, trainedAt } of versions.slice(1)) expect(trainedAt).toBe(nyse.closeOf(after! / 86_400_000))
    for (const { signal, day, trainedAt } of decided) {
      expect(signal.dataAsOf).toBe(nyse.previousSession(day) * 86_400_000)
      expect(trainedAt).toBeLessThan(nyse.closeOf(day) - 30 * MINUTE)
    }
  })

  it('after a pause that ends a bar before a window begin with the model of the newest bar, then train the next', () => {
    const { after, window } = versions.at(-1)!
    const at = nyse.closeOf(after! / 86_400_000)
    const question = { sizedTo: BACKTEST_END, sizedOnRows: window.sizedOnRows, at }
    const caughtUp = retrainModel(planTo(TO), data, choice, { ...question, newest: window.number - 4 })
    expect(caughtUp.refit!.window).toEqual(versions.at(-2)!.window)
    expect(caughtUp.nextAt).toBeLessThanOrEqual(at)
    const next = retrainModel(planTo(TO), data, choice, { ...question, newest: window.number - 1 })
    expect(next.refit!.window).toEqual(window)
  })

  it('are replayed by the same sequence of models, and give the backtest’s curve', () => {
    const { curve, ml } = tested
    const last = ml!.walkForward!.windows.at(-1)!.test.to
    const first = nyse.nextSession(BACKTEST_END)
    const replayed = replay(planTo(last), data, { models: versions, schedule, from: first })
    const base = curve.days.indexOf(first)
    // Until the first decision of the replay, the backtest holds what it decided before.
    const said = (day: EpochDay) => ml!.signals[curve.days.indexOf(day)]
    const change = decided.findIndex(({ day }, i) => i > 0 && said(nyse.previousSession(day)) !== said(day))
    const settled = change + 3
    for (let i = settled; i < replayed.length; i++) {
      const growth = replayed[i]!.growth / replayed[settled]!.growth
      expect(growth).toBeCloseTo(curve.values[base + i]! / curve.values[base + settled]!, 12)
    }
    expect(replayed.length - settled).toBeGreaterThan(300)
  })
})
