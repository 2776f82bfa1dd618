import { Decimal } from '@tradewright/core/decimal'
import { DAY, dateOf, type EpochDay, epochDayOf, formatDate, HOUR, MINUTE } from '@tradewright/core/time'
import { modelLearner } from '@tradewright/engine/backtest/model-learner'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { type BacktestRequest, defaultSettings } from '@tradewright/engine/backtest/request'
import type { BacktestResult } from '@tradewright/engine/backtest/result'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import { sampleData } from '@tradewright/engine/backtest/test-support/market-files'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import type { WindowPercentages } from '@tradewright/engine/models/splits'
import { choiceOf } from '@tradewright/engine/models/catalogue'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeBefore, engineSignalService } from '../../../test-support/live/engine-signal-service.ts'
import {
  deployForm,
  expectSound,
  liveWorld,
  type LiveWorld,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { LiveRunner } from '../cycle/runner.ts'
import type { Decision } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { deploy } from '../deploy/deploy.ts'
import { controlDeployment } from '../control.ts'
import { endOfDay } from '../end-of-day/end-of-day.ts'
import type { StoredReplay } from '../ports/journal.ts'
import type { ModelDescription } from '../ports/models.ts'
import { recipeOf } from './recipe.ts'

const FROM = dateOf('2016-01-04')
/** The backtest ends here, and the deployment begins on the next session: 18 months of it. */
const BACKTEST_END = dateOf('2018-06-29')
const END = dateOf('2019-12-31')
/** Without dividends, which the broker of this world does not pay. */
const data: MarketData = { ...sampleData(['SPY', 'TLT', 'TB3MS'], FROM, END), actions: new Map() }
const model = choiceOf('forest', { trees: 5 })

const requestTo = (to: EpochDay, walkForward: WindowPercentages): BacktestRequest => ({
  ...defaultSettings,
  from: FROM,
  to,
  rebalanceFrequency: 'none',
  fillTiming: 'next_close',
  tradingCostBps: 0,
  strategy: {
    kind: 'ml',
    trainPct: 70,
    walkForward,
    features: [
      { id: 7, params: { ticker: 'SPY', window: 5 } },
      { id: 1, params: { ticker: 'SPY', window: 3 } },
    ],
    target: { id: 2, params: { ticker: 'SPY', horizon: 3 } },
    buy: [{ ticker: 'SPY', allocationPct: 100 }],
    sell: [{ ticker: 'TLT', allocationPct: 100 }],
  },
})

let world: LiveWorld
let deployment: Deployment
let versions: ModelDescription[]
let tested: BacktestResult
let replay: StoredReplay
const decisions: Decision[] = []

/** The product's walk-forward backtest of the whole time, by percentages that give windows of as many rows. */
async function backtested(percentages: WindowPercentages): Promise<BacktestResult> {
  const rowsTo = async (to: EpochDay) =>
    (await runBacktest(planBacktest(requestTo(to, percentages)), data, modelLearner({ kind: 'linear' }))).ml!.usableRows
  const [own, all] = [await rowsTo(BACKTEST_END), await rowsTo(END)]
  const share = (pct: number) => ((Math.floor((own * pct) / 100) + 0.5) / all) * 100
  const same = {
    trainPct: share(percentages.trainPct),
    testPct: share(percentages.testPct),
    stepPct: share(percentages.stepPct!),
  }
  return runBacktest(planBacktest(requestTo(END, same)), data, modelLearner(model))
}

beforeAll(async () => {
  world = await liveWorld({ now: nyse.openOf(nyse.nextSession(BACKTEST_END)) - HOUR })
  const percentages = { trainPct: 40, testPct: 6, stepPct: 6 }
  tested = await backtested(percentages)
  const strategy = { request: requestTo(BACKTEST_END, percentages), model, provider: 'sample' }
  const deps = {
    ...world.deps,
    signalService: engineSignalService(data),
    readStrategy: () => strategy,
    holder: randomUUID(),
  }
  const { id: strategyId } = await world.database.database
    .selectFrom('strategies')
    .select('id')
    .executeTakeFirstOrThrow()
  const settings = settingsOf({ tradingDays: ['Wednesday'], rebalanceFrequency: 'none' })
  const form = deployForm({ strategyId, accountId: world.accountId, settings })
  ;({ deployment } = await deploy(deps, world.userId, form))
  await controlDeployment(deps, world.userId, deployment.id, 'start')
  const runner = new LiveRunner(deps)
  const goTo = (at: number) => {
    world.clock.advance(at - world.clock.now().getTime())
    // As if the close were known half an hour before: fills then are those of the backtest.
    const close = nyse.closeOf(epochDayOf(at)) + DAY
    for (const ticker of ['SPY', 'TLT']) world.quotes.set(ticker, Decimal.fromNumber(closeBefore(data, ticker, close)))
  }
  for (const day of nyse.sessionsBetween(BACKTEST_END + 1, END + 1)) {
    const close = nyse.closeOf(day)
    const isWednesday = new Date(day * DAY).getUTCDay() === 3
    if (isWednesday) {
      goTo(close - 30 * MINUTE)
      await settle(world, runner, 3)
      decisions.push((await deps.database.decisions.latest(deployment.id))!)
    }
    const { retrainAt } = (await deps.database.deployments.byId(deployment.id))!
    if (retrainAt !== null && retrainAt.getTime() > close) continue
    goTo(close)
    await settle(world, runner, 1)
  }
  versions = await deps.database.models.versions(deployment.id, recipeOf(deployment))
  await runner.close()
  goTo(nyse.closeOf(END) + MINUTE)
  const own = { ...deps, holder: randomUUID() }
  const evening = new LiveRunner(own, { daily: endOfDay(own, deps.signalService) })
  await settle(world, evening, 1)
  await evening.close()
  replay = (await deps.database.journal.replay(deployment.id))!
})
afterAll(() => world.close())

const dayOf = (decision: Decision): EpochDay => decision.signal.dataAsOf! / DAY

describe('18 months on the paper broker, retrained at each walk-forward step', () => {
  it('decide as the walk-forward backtest does, window by window, to the last digit', () => {
    const { curve, ml } = tested
    const compared = new Set<number>()
    for (const { number, test } of ml!.walkForward!.windows) {
      for (const decision of decisions.filter((one) => dayOf(one) >= test.from && dayOf(one) <= test.to)) {
        const bar = curve.days.indexOf(dayOf(decision))
        const { prediction, modelVersion } = decision.signal
        expect(prediction!.probability, formatDate(dayOf(decision))).toBe(ml!.probabilities[bar])
        expect(prediction!.signal).toBe(ml!.signals[bar])
        expect(versions[modelVersion! - 1]!.window!.number).toBe(number - 1)
        compared.add(number)
      }
    }
    expect(compared.size).toBeGreaterThan(8)
    expect(decisions.length).toBeGreaterThan(70)
    expect(new Set(decisions.map(({ signal }) => signal.prediction!.signal)).size).toBe(2)
  })

  it('keep every model, each trained before the first bar it decides on was complete', () => {
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, i) => i + 1))
    const [first] = versions
    for (const [i, { window, after, trainedAt }] of versions.entries()) {
      expect(window).toEqual({ number: first!.window!.number + i, sizedOnRows: first!.window!.sizedOnRows })
      const firstDecided = nyse.nextSession(after!.getTime() / DAY)
      if (i > 0) expect(trainedAt.getTime()).toBeLessThan(nyse.closeOf(firstDecided))
    }
  })

  it('trade what was decided, and the books agree with the broker', async () => {
    await expectSound(world)
    const { positions } = await world.deps.database.books.slice(world.accountId, deployment.id)
    const held = decisions.at(-1)!.signal.prediction!.signal === 1 ? 'SPY' : 'TLT'
    expect([...positions.keys()]).toEqual([held])
  })

  it('are replayed by the same models on the same days, and what is left of the drift adds up', () => {
    expect(replay.error).toBeNull()
    expect(Math.abs(replay.driftPct!)).toBeLessThan(0.001)
    const pct = new Map(replay.causes!.map((line) => [line.cause, line.pct]))
    expect([...pct.values()].reduce((sum, one) => sum + one, 0)).toBeCloseTo(replay.driftPct!, 9)
    // Bought and sold at the very closes, every Wednesday, without a fee.
    for (const cause of ['model_version', 'data_corrected', 'runs_missed', 'fees', 'fill_price'] as const) {
      expect(pct.get(cause), cause).toBeCloseTo(0, 9)
    }
    expect(replay.fills!.length).toBeGreaterThan(20)
  })
})
