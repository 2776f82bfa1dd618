import { choicesOf } from '@tradewright/core/backtest-settings'
import { isDeepStrictEqual } from 'node:util'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { dateOf } from '@tradewright/core/time'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomTree } from '../rules/test-support/random-trees.ts'
import { runConditions } from './account-run.ts'
import { planBacktest, shortTickers } from './plan.ts'
import { SeriesSet } from './priced-series.ts'
import { type BacktestSettings, defaultSettings } from './request.ts'
import { RulesAccounts } from './rules-accounts.ts'
import { runBacktest } from './run-backtest.ts'
import { simulationTable } from './simulation-table.ts'
import { sampleData } from './test-support/market-files.ts'

const PERIOD = { from: dateOf('2018-01-02'), to: dateOf('2018-06-29') }
const data = sampleData(['SPY', 'TLT', 'GLD', 'EFA', 'TB3MS', 'CPIAUCSL'], PERIOD.from, PERIOD.to)

const shortLeg: RulesTree = {
  version: 1,
  check: 'weekly',
  cash: 'CASHX',
  root: {
    kind: 'hold',
    id: 'pair',
    rows: [
      { ticker: 'SPY', pct: 80 },
      { ticker: 'TLT', pct: -30 },
    ],
  },
}

const settings: fc.Arbitrary<Partial<BacktestSettings>> = fc.record({
  fillTiming: fc.constantFrom(...choicesOf('fillTiming')),
  tradingCostBps: fc.constantFrom(0, 5),
  commission: fc.constantFrom(0, 1),
  cashflow: fc.constantFrom(0, 0, 100, -6000),
  cashflowFrequency: fc.constantFrom('monthly' as const, 'quarterly' as const),
  reinvestDividends: fc.boolean(),
  adjustInflation: fc.boolean(),
})

const variant = fc.oneof({ weight: 4, arbitrary: randomTree }, { weight: 1, arbitrary: fc.constant(shortLeg) })

it('runs every program as its backtest does, to the last digit, after others have been run', async () => {
  await fc.assert(
    fc.asyncProperty(settings, fc.array(variant, { minLength: 2, maxLength: 3 }), async (chosen, variants) => {
      const given = { ...defaultSettings, ...PERIOD, ...chosen, shortBorrowPct: 2 }
      const plans = variants.map((tree) => planBacktest({ ...given, strategy: { kind: 'rules', tree } }))
      const byTickers = new Map<string, RulesAccounts>()
      for (const plan of plans) {
        const accounts = byTickers.getOrInsertComputed(plan.tradedTickers.join(), () => accountsOf(plan))
        if (plan.strategy.kind !== 'rules') throw new Error('a variant of rules is rules')
        const { values, result } = accounts.run(plan.strategy.program)
        const backtest = await runBacktest(plan, data)
        // Tells -0 from 0, and is quicker than the assertion, which is for the message.
        if (!isDeepStrictEqual(values, backtest.curve.values)) expect(values).toEqual(backtest.curve.values)
        expect(result.trades).toHaveLength(backtest.trades.length)
      }
    }),
    { numRuns: 12, seed: 20 },
  )
})

function accountsOf({ settings: given, strategy, tradedTickers }: ReturnType<typeof planBacktest>): RulesAccounts {
  const seriesSet = new SeriesSet(data, given)
  const table = simulationTable(seriesSet, tradedTickers, given)
  return new RulesAccounts(runConditions(seriesSet.lookUp, table, given, shortTickers(strategy).length > 0), seriesSet)
}
