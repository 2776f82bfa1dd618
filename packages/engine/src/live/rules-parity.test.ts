import type { RulesTree } from '@tradewright/core/rules/tree'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planBacktest } from '../backtest/plan.ts'
import type { BacktestRequest } from '../backtest/request.ts'
import { runBacktest } from '../backtest/run-backtest.ts'
import { sampleData } from '../backtest/test-support/market-files.ts'
import { allocationRequest, FROM, TO } from '../backtest/test-support/requests.ts'
import { nyse } from '../market/trading-calendar.ts'
import { compileRules } from '../rules/compile.ts'
import { RulesEvaluator } from '../rules/evaluator.ts'
import { DAYS, firstRows, inputsOf, market, randomTree, TIMESTAMPS } from '../rules/test-support/random-trees.ts'
import { describeRulesDecision } from './describe-rules-decision.ts'
import { RulesFollower, type RulesMemory, wantedTrade } from './rules-follower.ts'
import { signalNow } from './signal-now.ts'
import { replay } from './test-support/replay.ts'
import { type LastTrade, tradeOrHold } from './trade-or-hold.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS'], FROM, TO)

/** A latch, a latched tolerance, a streak, and blocks with rebalancing of their own. */
const tree: RulesTree = {
  version: 1,
  check: 'weekly',
  cash: 'CASHX',
  root: {
    kind: 'if',
    id: 'trend',
    condition: {
      kind: 'latch',
      id: 'position',
      enter: {
        kind: 'compare',
        id: 'above',
        left: { kind: 'feature', feature: 'sma', params: { ticker: 'SPY', window: 1 } },
        is: 'above',
        right: { kind: 'feature', feature: 'sma', params: { ticker: 'SPY', window: 50 } },
        tolerance: { size: 1, unit: 'percent', latched: true },
      },
      exit: {
        kind: 'streak',
        id: 'weak',
        checks: 2,
        of: {
          kind: 'compare',
          id: 'falls',
          left: { kind: 'feature', feature: 'percent_change', params: { ticker: 'SPY', window: 20 } },
          is: 'below',
          right: { kind: 'number', value: 0 },
        },
      },
    },
    yes: {
      kind: 'hold',
      id: 'mix',
      rows: [
        { ticker: 'SPY', pct: 70 },
        { ticker: 'TLT', pct: 20 },
      ],
      rebalance: { on: 'band', points: 1 },
    },
    no: { kind: 'hold', id: 'bonds', rows: [{ ticker: 'TLT', pct: 100 }], rebalance: { on: 'change' } },
  },
}

const requestOf = (given: RulesTree, more: Partial<BacktestRequest> = {}) =>
  allocationRequest({}, { strategy: { kind: 'rules', tree: given }, ...more })

const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const nothingElse = {
  signal: undefined,
  contributions: '10000',
  calendar: nyse,
  rules: { rebalanceFrequency: 'daily' as const, thresholdPct: 1 },
  weights: Float64Array.of(1),
  holdings: { cash: 0, quantities: Float64Array.of(1) },
  prices: Float64Array.of(1),
}

describe('a deployment of rules, decided day by day from stored memory', () => {
  it('over a year equals the backtest check by check: weights to the last digit, and the same trades', async () => {
    const plan = planBacktest(requestOf(tree))
    const { rules, curve } = await runBacktest(plan, data)
    const checkOf = new Map(Array.from(rules!.timestamps, (stamp, i) => [stamp, i]))
    let memory: RulesMemory | undefined
    let last: LastTrade | undefined
    let [checks, trades] = [0, 0]
    for (const day of curve.days.slice(-252)) {
      const signal = signalNow(plan, data, [], nyse.closeOf(day), memory)
      memory = stored(signal.rules!)
      const answer = tradeOrHold({ ...nothingElse, memory, last, today: day })
      const check = checkOf.get(signal.dataAsOf)
      if (check !== undefined) {
        checks++
        expect(memory.weights).toEqual(
          Object.fromEntries(rules!.tickers.map((ticker, i) => [ticker, rules!.weights[i]![check]!])),
        )
      }
      // The first decision invests, whatever the day; each later one trades where the backtest does.
      if (last) expect(answer.trades, String(day)).toBe(check !== undefined && rules!.trades[check] === 1)
      if (!answer.trades) continue
      trades++
      last = { signal: undefined, rules: wantedTrade(memory), day, isComplete: true, contributions: '10000' }
    }
    expect(checks).toBeGreaterThan(50)
    expect(trades).toBeGreaterThan(5)
    const { answers } = rules!
    expect(Object.values(memory!.state.answers)).toEqual(answers.map(({ answer }) => answer))
    expect(memory!.check!.latches.map(({ id }) => id).sort()).toEqual(['above', 'position'])
    expect(describeRulesDecision(memory!)).toMatch(
      /^rules, check of 2019-12-\d\d: trend (yes|no).*\. Latches: .*position (on|off)/,
    )
  })

  it('makes the checks of days on which it did not run, and trades what they wanted', async () => {
    const plan = planBacktest(requestOf(tree))
    const { curve } = await runBacktest(plan, data)
    const days = curve.days.slice(-120)
    const whole = signalNow(plan, data, [], nyse.closeOf(days.at(-1)!)).rules!
    const early = stored(signalNow(plan, data, [], nyse.closeOf(days[0]!)).rules!)
    const late = signalNow(plan, data, [], nyse.closeOf(days.at(-1)!), early).rules!
    expect(late).toEqual(whole)
    const last = {
      signal: undefined,
      rules: wantedTrade(early),
      day: days[0]!,
      isComplete: true,
      contributions: '10000',
    }
    expect(tradeOrHold({ ...nothingElse, memory: late, last, today: days.at(-1)! })).toMatchObject({
      trades: true,
      reason: expect.stringMatching(/^The check of 2019-\d\d-\d\d divided anew: \w+ \(/),
    })
  })

  it('evaluates no bar twice, also where the newest bars are missing for a while', () => {
    const plan = planBacktest(requestOf(tree))
    const memory = stored(signalNow(plan, data, [], nyse.closeOf(TO)).rules!)
    const earlier = signalNow(plan, data, [], nyse.closeOf(nyse.previousSession(TO)), memory).rules!
    expect(earlier).toEqual(memory)
  })

  it('forgets the states of another tree', () => {
    const at = nyse.closeOf(TO)
    const other = structuredClone(tree) as {
      root: { condition: { enter: { tolerance: { size: number } } } }
    } & RulesTree
    other.root.condition.enter.tolerance.size = 9
    const memory = signalNow(planBacktest(requestOf(other)), data, [], at).rules!
    const plan = planBacktest(requestOf(tree))
    expect(signalNow(plan, data, [], at, memory).rules).toEqual(signalNow(plan, data, [], at).rules)
  })

  it('is replayed as the backtest whose orders are filled when the schedule trades', async () => {
    const schedule = {
      frequency: { type: 'end_of_day' as const, minutesBeforeClose: 30 },
      weekdays: new Set([1, 2, 3, 4, 5]),
      aroundTheClock: false,
    }
    const { curve } = await runBacktest(planBacktest(requestOf(tree, { fillTiming: 'next_close' })), data)
    // From the first check on, when both are invested for the first time.
    const first = curve.values.findIndex((value) => value !== curve.values[0]!)
    const replayed = replay(planBacktest(requestOf(tree)), data, { models: [], schedule, from: curve.days[first]! })
    for (const [i, { growth }] of replayed.entries()) {
      expect(growth).toBeCloseTo(curve.values[first + i]! / curve.values[first]!, 9)
    }
  })
})

it('live equals backtest for random trees, however many bars pass between two decisions', () => {
  fc.assert(
    fc.property(
      randomTree,
      fc.integer(),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 5 }),
      (given, seed, steps) => {
        const program = compileRules(given)
        const series = market(seed)
        const evaluator = new RulesEvaluator(program, inputsOf(program, series))
        let memory: RulesMemory | undefined
        let [bar, wanted] = [-1, null as number | null]
        for (const step of steps) {
          const to = Math.min(bar + step, DAYS.length - 1)
          let check: Float64Array | undefined
          while (bar < to) {
            const checked = evaluator.evaluate(++bar)
            check = checked?.weights
            if (checked?.trades) wanted = TIMESTAMPS[bar]!
          }
          // Only what was known then, as a deployment has it on that day.
          const known = inputsOf(program, firstRows(series, to + 1), to + 1)
          const follower = new RulesFollower('tree', program, known, TIMESTAMPS.subarray(0, to + 1), memory)
          follower.follow(to)
          memory = stored(follower.memory())
          if (check) expect([...follower.weights]).toEqual([...check])
          expect(memory.trade?.bar ?? null).toBe(wanted)
          expect(memory.state).toEqual(stored(evaluator.state()))
        }
      },
    ),
    { numRuns: 40, seed: 20 },
  )
})
