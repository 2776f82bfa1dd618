import type { ReceivedSignal } from '@tradewright/core/external-signal'
import { HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { planBacktest } from '../backtest/plan.ts'
import type { BacktestRequest, ExternalStrategy } from '../backtest/request.ts'
import { runBacktest } from '../backtest/run-backtest.ts'
import { sampleData } from '../backtest/test-support/market-files.ts'
import { allocationRequest, FROM, TO } from '../backtest/test-support/requests.ts'
import { nyse } from '../market/trading-calendar.ts'
import { signalNow } from './signal-now.ts'
import { tradeOrHold } from './trade-or-hold.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS'], FROM, TO)
const sessions = nyse.sessionsBetween(FROM, TO + 1)
const closeOf = (session: number) => nyse.closeOf(sessions[session]!)

const strategy = (signals: readonly ReceivedSignal[]): ExternalStrategy => ({
  kind: 'external',
  allocations: [
    { name: 'on', rows: [{ ticker: 'SPY', allocationPct: 100 }] },
    { name: 'off', rows: [{ ticker: 'TLT', allocationPct: 50 }] },
  ],
  initial: null,
  maxWeightPct: 80,
  signals,
})
const request = (signals: readonly ReceivedSignal[], more: Partial<BacktestRequest> = {}): BacktestRequest => ({
  ...allocationRequest({ SPY: 100 }, { rebalanceFrequency: 'none', ...more }),
  strategy: strategy(signals),
})
const run = (signals: readonly ReceivedSignal[], more: Partial<BacktestRequest> = {}) =>
  runBacktest(planBacktest(request(signals, more)), data)
const on = { allocation: 'on' } as const
const off = { allocation: 'off' } as const

describe('a backtest of signals', () => {
  it('trades a signal at the open after the first close that follows it, and no earlier', async () => {
    const [before, after] = await Promise.all([
      run([{ at: closeOf(10), target: on }]),
      run([{ at: closeOf(10) + 1, target: on }]),
    ])
    const dayOfTrade = ({ trades }: typeof before) => trades.map(({ timestamp }) => timestamp)
    expect(dayOfTrade(before)).toHaveLength(1)
    expect(dayOfTrade(after)[0]).toBeGreaterThan(dayOfTrade(before)[0]!)
    const daysOf = (result: typeof before) => result.curve.timestamps.indexOf(dayOfTrade(result)[0]!)
    expect([daysOf(before), daysOf(after)]).toEqual([11, 12])
  })

  it('does not change before a signal of later', async () => {
    const known = await run([{ at: closeOf(10), target: on }])
    const later = await run([
      { at: closeOf(10), target: on },
      { at: closeOf(100) + HOUR, target: off },
    ])
    const until = (values: ArrayLike<number>) => Array.from(values).slice(0, 101)
    expect(until(later.curve.values)).toEqual(until(known.curve.values))
    expect(Array.from(later.curve.values)).not.toEqual(Array.from(known.curve.values))
  })

  it('does not trade a signal that says once more what is held, and says how many decided', async () => {
    const twice = await run([
      { at: closeOf(10), target: on },
      { at: closeOf(20), target: on },
      { at: closeOf(30), target: { weights: { SPY: 80, TLT: 20 } } },
    ])
    expect(new Set(twice.trades.map(({ timestamp }) => timestamp)).size).toBe(2)
    expect(twice.notes.join(' ')).toContain('3 signals from')
    expect((await run([])).notes.join(' ')).toContain(
      'There is no signal in this period. Until the first signal it holds cash.',
    )
  })

  it('refuses a signal outside of the list, and signals that are out of order', () => {
    expect(() => planBacktest(request([{ at: 1, target: { allocation: 'moon' } }]))).toThrow('There is no allocation')
    expect(() =>
      planBacktest(
        request([
          { at: 2, target: on },
          { at: 1, target: on },
        ]),
      ),
    ).toThrow('in order of time')
  })
})

describe('a decision by signals', () => {
  const signals = [
    { at: closeOf(10), target: on },
    { at: closeOf(50) + HOUR, target: off },
  ]

  it('wants at every close what the backtest wants there', async () => {
    const plan = planBacktest(request(signals))
    for (const [session, percentages] of [
      [5, {}],
      [10, { SPY: 100 }],
      [50, { SPY: 100 }],
      [51, { TLT: 50 }],
    ] as const) {
      const { allocation, external } = signalNow(plan, data, [], closeOf(session))
      expect(Object.fromEntries(allocation), `session ${session}`).toEqual(percentages)
      expect(external!.receivedAt).toBe(session < 10 ? null : session < 51 ? signals[0]!.at : signals[1]!.at)
    }
  })

  it('trades when the target changes, and holds when it is said again', () => {
    const plan = planBacktest(request(signals))
    const { external } = signalNow(plan, data, [], closeOf(51))
    const question = {
      signal: undefined,
      memory: undefined,
      external,
      contributions: '0',
      today: sessions[51]!,
      calendar: nyse,
      rules: { rebalanceFrequency: 'none', thresholdPct: 0 },
      weights: new Float64Array(),
      holdings: { cash: 0, quantities: new Float64Array() },
      prices: new Float64Array(),
    } as const
    const last = { signal: undefined, day: sessions[50]!, isComplete: true, external: 'allocation:on' }
    expect(tradeOrHold({ ...question, last })).toMatchObject({ trades: true, reason: 'The signal changed to off.' })
    expect(tradeOrHold({ ...question, last: { ...last, external: 'allocation:off' } }).trades).toBe(false)
  })
})
