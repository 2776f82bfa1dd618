import { dateOf, epochDayOf, HOUR, MINUTE } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineSignalService } from '../../test-support/live/engine-signal-service.ts'
import { expireLeases } from '../../test-support/live/live-story.ts'
import { expectSound, liveWorld, logOf, settle } from '../../test-support/live/live-world.ts'
import { deployedRules, goTo, rulesData, rulesDeps, rulesRequest } from '../../test-support/live/rules-story.ts'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { decisionToWire } from '../http/live-trading/watch-wire.ts'
import { LiveRunner } from './cycle/runner.ts'
import type { Decision } from './decision.ts'
import { endOfDay } from './end-of-day/end-of-day.ts'

/** LIVE_CAMPAIGN runs a whole year of sessions; the usual tests its first weeks. */
const SESSIONS = process.env['LIVE_CAMPAIGN'] === undefined ? 15 : 252

const data = rulesData()
const days = [...nyse.sessionsBetween(dateOf('2019-01-02'), dateOf('2019-12-31'))].slice(0, SESSIONS)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

describe('a deployment of rules on the paper broker, half an hour before each close', () => {
  it('decides as the backtest does, day by day, through restarts: weights, trades and latches', async () => {
    const world = await liveWorld({ database, now: nyse.openOf(days[0]!) - HOUR })
    const deps = rulesDeps(world, data)
    const { id } = await deployedRules(world, deps)
    let runner = new LiveRunner(deps)
    const decisions: Decision[] = []
    for (const [i, day] of days.entries()) {
      goTo(world, data, nyse.closeOf(day) - 30 * MINUTE, day)
      await settle(world, runner, i === 0 ? 4 : 3)
      decisions.push((await deps.database.decisions.latest(id))!)
      if (i % 5 !== 2) continue
      // The process goes without a word, and another one takes over.
      runner = new LiveRunner(rulesDeps(world, data))
      await expireLeases(world)
    }
    await expectSound(world)
    const to = days.at(-1)!
    const { rules } = await runBacktest(planBacktest({ ...rulesRequest, to }), data)
    const checkOf = new Map(Array.from(rules!.timestamps, (stamp, i) => [epochDayOf(stamp), i]))
    for (const [i, { signal, outcome }] of decisions.entries()) {
      const known = nyse.previousSession(days[i]!)
      const check = checkOf.get(known)!
      expect(epochDayOf(signal.dataAsOf!)).toBe(known)
      expect(signal.rules!.weights).toEqual(
        Object.fromEntries(rules!.tickers.map((ticker, at) => [ticker, rules!.weights[at]![check]!])),
      )
      // The first one invests what the backtest holds by then.
      if (i > 0) expect(outcome !== 'held', String(i)).toBe(rules!.trades[check] === 1)
    }
    const branches = decisions.map(({ signal }) => signal.rules!.check!.way[0]!.branch)
    expect(new Set(branches)).toEqual(new Set(['yes', 'no']))
    const shown = decisionToWire(decisions.at(-1)!)
    expect(shown).toMatchObject({ signal_type: 'Rules', rules: { latches: [{ block: 'position', ticker: null }] } })
    expect(await logOf(world, id)).toMatch(
      /Generating Signal: rules, check of 2019-\d\d-\d\d: trend (yes|no)\. Latches: position (on|off)\. The check of/,
    )
    // After the session its replay stands beside it.
    await runner.close()
    goTo(world, data, nyse.closeOf(to) + MINUTE, to)
    const evening = rulesDeps(world, data)
    await settle(world, new LiveRunner(evening, { daily: endOfDay(evening, engineSignalService(data)) }), 1)
    const replay = (await deps.database.journal.replay(id))!
    expect(replay.error).toBeNull()
    expect(replay.points).toHaveLength(days.length)
    expect(Math.abs(replay.driftPct!)).toBeLessThan(0.1)
    await world.close()
  }, 600_000)
})
