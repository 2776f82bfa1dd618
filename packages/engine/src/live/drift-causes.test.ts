import { DAY, MINUTE } from '@tradewright/core/time'
import { beforeAll, describe, expect, it } from 'vitest'
import { planBacktest } from '../backtest/plan.ts'
import { sampleData } from '../backtest/test-support/market-files.ts'
import { allocationRequest, FROM, mlRequest, TO } from '../backtest/test-support/requests.ts'
import { nyse } from '../market/trading-calendar.ts'
import type { Signal } from '../backtest/signals.ts'
import { defaultForestSettings } from '../models/settings.ts'
import { type DriftCause, explainedReplay, type Lived, type LivedDecision, type LivedOrder } from './drift-causes.ts'
import type { ModelVersion } from './model-versions.ts'
import { allocationDecisions, predictedSignals, replayStage } from './replay.ts'
import { replay } from './test-support/replay.ts'
import { trainModel } from './train-model.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
const plan = planBacktest(mlRequest({}, { rebalanceFrequency: 'none', tradingCostBps: 2 }))
const { strategy } = plan
if (strategy.kind !== 'ml') throw new Error('the plan is of a model')
const schedule = {
  frequency: { type: 'end_of_day' as const, minutesBeforeClose: 30 },
  weekdays: new Set([1, 2, 3, 4, 5]),
  aroundTheClock: false,
}
const from = nyse.nextSession(TO - 200)

const versionOf = (version: number, trainPct: number, after: number | null): ModelVersion => {
  const choice = { kind: 'forest', settings: { ...defaultForestSettings, trees: 5 } } as const
  const { model } = trainModel(plan, data, choice, { mode: 'holdout', trainPct })
  return { version, after, load: () => model }
}

const stage = replayStage(plan, data, from)!
const { timestamps, days } = stage.table.prices
const rawClose = (ticker: string, bar: number) => {
  const { timestamps: stamps, columns } = data.series.get(ticker)!
  return columns['close']![stamps.indexOf(timestamps[bar]!)]!
}

/** Decided by each bar near the close of the next session, and filled at that close for what the backtest assumes. */
function livedBy(models: readonly ModelVersion[], signalAt: (bar: number) => Signal | undefined): Lived {
  const decisions: LivedDecision[] = []
  const orders: LivedOrder[] = []
  let held: Signal | undefined
  for (let bar = stage.start; bar < days.length - 1; bar++) {
    const signal = signalAt(bar)
    if (signal === undefined) continue
    const at = nyse.closeOf(days[bar + 1]!) - 30 * MINUTE
    decisions.push({ id: bar, bar: timestamps[bar]!, at, signal, modelVersion: 1 })
    if (signal !== held) {
      const sides =
        held === undefined
          ? [[signal === 1 ? 'SPY' : 'TLT', 1]]
          : [
              [held === 1 ? 'SPY' : 'TLT', -1],
              [signal === 1 ? 'SPY' : 'TLT', 1],
            ]
      for (const [ticker, quantity] of sides as [string, number][]) {
        const price = rawClose(ticker, bar + 1)
        orders.push({ id: `${bar} ${ticker}`, decisionId: bar, ticker, at, quantity, price, fee: price * 2e-4 })
      }
    }
    held = signal
  }
  return { models, schedule, from, decisions, orders }
}

let models: ModelVersion[]
let said: Int8Array
let asScheduled: Lived

beforeAll(() => {
  models = [versionOf(1, 70, null)]
  said = predictedSignals(stage, strategy, schedule, () => models[0]).signals
  asScheduled = livedBy(models, (bar) => said[bar] as Signal)
})

/** The lines that are not zero. */
function causesOf(lived: Lived): Partial<Record<DriftCause, number>> {
  const { lines } = explainedReplay(plan, data, lived)
  return Object.fromEntries(
    lines.filter(({ growth }) => Math.abs(growth) > 1e-12).map(({ cause, growth }) => [cause, growth]),
  )
}
const lineOf = (lived: Lived, cause: DriftCause) =>
  explainedReplay(plan, data, lived).lines.find((line) => line.cause === cause)!
/** A bar that changes the signal for at least three bars. */
const change = () => {
  for (let bar = stage.start + 10; ; bar++) {
    if (said[bar] !== said[bar - 1] && said[bar] === said[bar + 1] && said[bar] === said[bar + 2]) return bar
  }
}

describe('the causes of a drift', () => {
  it('are none for a deployment that lived as scheduled, and the points are those of the replay', () => {
    expect(causesOf(asScheduled)).toEqual({})
    expect(explainedReplay(plan, data, asScheduled).points).toEqual(replay(plan, data, asScheduled))
    expect(asScheduled.orders.length).toBeGreaterThan(10)
  })

  it('name fees beyond the assumed ones', () => {
    const orders = asScheduled.orders.map((order) => ({ ...order, fee: order.fee * 3 }))
    const causes = causesOf({ ...asScheduled, orders })
    expect(Object.keys(causes)).toEqual(['fees'])
    // The first purchase is before the first common close.
    const trades = orders.length - 1
    expect(causes.fees! / replay(plan, data, asScheduled).at(-1)!.growth).toBeCloseTo((1 - 4e-4) ** trades - 1, 3)
  })

  it('name a fill at another price, with its orders', () => {
    const bar = change()
    const bought = `${bar} ${said[bar] === 1 ? 'SPY' : 'TLT'}`
    const orders = asScheduled.orders.map((order) =>
      order.id === bought ? { ...order, price: order.price * 1.01, fee: order.fee * 1.01 } : order,
    )
    const lived = { ...asScheduled, orders }
    const causes = causesOf(lived)
    expect(Object.keys(causes)).toEqual(['fill_price'])
    expect(causes.fill_price! / replay(plan, data, lived).at(-1)!.growth).toBeCloseTo(1 / 1.01 - 1, 3)
    expect(lineOf(lived, 'fill_price').orders).toContain(bought)
  })

  it('name a run that was missed, with its day', () => {
    const bar = change()
    const lived = livedBy(models, (one) => (one === bar ? undefined : (said[one] as Signal)))
    expect(Object.keys(causesOf(lived))).toEqual(['runs_missed'])
    expect(lineOf(lived, 'runs_missed').days).toEqual([days[bar + 1]])
  })

  it('name a pause apart from runs that were missed', () => {
    const bar = change()
    const without = livedBy(models, (one) => (one === bar ? undefined : (said[one] as Signal)))
    const run = nyse.closeOf(days[bar + 1]!) - 30 * MINUTE
    const lived = { ...without, pauses: [{ from: run - MINUTE, to: run + MINUTE }] }
    expect(Object.keys(causesOf(lived))).toEqual(['paused'])
    expect(lineOf(lived, 'paused').days).toEqual([days[bar + 1]])
    expect(lineOf(lived, 'runs_missed').days).toEqual([])
    // Resumed before the run, which did not take place all the same.
    expect(Object.keys(causesOf({ ...without, pauses: [{ from: run - 9 * MINUTE, to: run - MINUTE }] }))).toEqual([
      'runs_missed',
    ])
  })

  it('name a signal of data that was corrected since', () => {
    const bar = change() + 1
    const flipped = (one: number) => (one === bar ? ((1 - said[one]!) as Signal) : (said[one] as Signal))
    const lived = livedBy(models, flipped)
    expect(Object.keys(causesOf(lived))).toEqual(['data_corrected'])
    expect(lineOf(lived, 'data_corrected').orders.map((id) => id.split(' ')[0])).toEqual([`${bar}`, `${bar}`])
  })

  it('name a model version that decided in place of the scheduled one', () => {
    const late = models.concat(versionOf(2, 50, TO * DAY))
    const second = predictedSignals(stage, strategy, schedule, () => late[1]).signals
    const others = [...said.keys()].filter((bar) => bar > stage.start + 5 && said[bar] !== second[bar])
    const bars = new Set(others.slice(0, 5))
    const lived = livedBy(late, (bar) => (bars.has(bar) ? second[bar] : said[bar]) as Signal)
    const decisions = lived.decisions.map((one) => (bars.has(one.id) ? { ...one, modelVersion: 2 } : one))
    expect(Object.keys(causesOf({ ...lived, decisions }))).toEqual(['model_version'])
  })

  it('of an allocation postpone a rebalance whose run was missed', () => {
    const sixtyForty = planBacktest(allocationRequest({ SPY: 60, TLT: 40 }, { rebalanceFrequency: 'monthly' }))
    const sessions = [...nyse.sessionsBetween(from, TO + 1)]
    const decided = (day: number): LivedDecision => ({
      id: day,
      bar: nyse.previousSession(day) * DAY,
      at: nyse.closeOf(day) - 30 * MINUTE,
      signal: undefined,
      modelVersion: undefined,
    })
    const causes = (skipped: number | undefined) => {
      const decisions = sessions.filter((day) => day !== skipped).map(decided)
      return explainedReplay(sixtyForty, data, { models: [], schedule, from, decisions, orders: [] }).lines
    }
    expect(causes(undefined).every(({ growth }) => Math.abs(growth) < 1e-12)).toBe(true)
    const monthEnd = sessions.find(
      (day, i) => i > 5 && new Date(sessions[i + 1]! * DAY).getUTCMonth() !== new Date(day * DAY).getUTCMonth(),
    )!
    const lines = causes(monthEnd)
    const missed = lines.find(({ cause }) => cause === 'runs_missed')
    const others = lines.filter((line) => line !== missed)
    expect(missed).toMatchObject({ cause: 'runs_missed', days: [monthEnd] })
    expect(Math.abs(missed!.growth)).toBeGreaterThan(1e-9)
    expect(others.every(({ growth }) => Math.abs(growth) < 1e-12)).toBe(true)
  })
})

describe('what borrowed shares cost', () => {
  const RATE = 2
  const request = allocationRequest({ SPY: 100, TLT: -30 }, { rebalanceFrequency: 'none', shortBorrowPct: RATE })
  const short = planBacktest({ ...request, tradingCostBps: 0 })
  const { account, table, start } = replayStage(short, data, from)!
  const { prices } = table
  const sessions = [...nyse.sessionsBetween(from, TO + 1)]

  /** Charged in the morning, at so many times the assumed rate. */
  function livedAt(times: number): Lived {
    const { result } = account(allocationDecisions(replayStage(short, data, from)!))
    const owed = -result.trades.find(({ ticker }) => ticker === 'TLT')!.quantity
    const close = prices.close[prices.tickers.indexOf('TLT')]!
    const borrowCosts = sessions.slice(1).map((day, i) => {
      const charged = (owed * close[start + i]! * RATE * times) / 100 / table.barsPerYear
      return { at: nyse.openOf(day), growth: charged / short.settings.startValue }
    })
    const decisions = sessions.map((day) => ({
      id: day,
      bar: nyse.previousSession(day) * DAY,
      at: nyse.closeOf(day) - 30 * MINUTE,
      signal: undefined,
      modelVersion: undefined,
    }))
    return { models: [], schedule, from, decisions, orders: [], borrowCosts }
  }
  const linesAt = (times: number) => explainedReplay(short, data, livedAt(times)).lines
  const borrowed = (lines: ReturnType<typeof linesAt>) => lines.find(({ cause }) => cause === 'borrow_costs')!.growth

  it('is a line of its own, nothing where it is what the backtest assumes', () => {
    const lines = linesAt(1)
    expect(lines.every(({ growth }) => Math.abs(growth) < 1e-12)).toBe(true)
    expect(borrowed(lines)).toBeDefined()
  })

  it('is all of the drift where the broker charges more', () => {
    const lines = linesAt(11)
    // Ten times two percent of a third of the account, over the part of a year.
    expect(borrowed(lines)).toBeLessThan(-0.02)
    expect(lines.filter(({ cause }) => cause !== 'borrow_costs').every(({ growth }) => Math.abs(growth) < 1e-12)).toBe(
      true,
    )
  })

  it('is a line where none was paid, and no line where nothing is sold short', () => {
    expect(borrowed(linesAt(0))).toBeGreaterThan(0.001)
    expect(explainedReplay(plan, data, asScheduled).lines.map(({ cause }) => cause)).not.toContain('borrow_costs')
  })
})
