import { isDeepStrictEqual } from 'node:util'
import { Problem } from '@tradewright/core/problem'
import { metricsOf } from '@tradewright/core/metric-catalogue'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { dateOf } from '@tradewright/core/time'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomTree } from '../rules/test-support/random-trees.ts'
import { fillTimings } from '../trading/fill-timing.ts'
import type { SingleMetrics } from './metrics.ts'
import { planBacktest } from './plan.ts'
import { type BacktestSettings, defaultSettings } from './request.ts'
import { sweepVariants } from './rules-sweep.ts'
import { runBacktest } from './run-backtest.ts'
import { sampleData } from './test-support/market-files.ts'

const PERIOD = { from: dateOf('2018-01-02'), to: dateOf('2018-06-29') }
const data = sampleData(['SPY', 'TLT', 'GLD', 'EFA', 'TB3MS', 'CPIAUCSL'], PERIOD.from, PERIOD.to)
const ALL = metricsOf('curve', 'run').map(({ key }) => key as keyof SingleMetrics)

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
  fillTiming: fc.constantFrom(...fillTimings),
  tradingCostBps: fc.constantFrom(0, 5),
  commission: fc.constantFrom(0, 1),
  cashflow: fc.constantFrom(0, 0, 100, -6000),
  cashflowFrequency: fc.constantFrom('monthly' as const, 'quarterly' as const),
  reinvestDividends: fc.boolean(),
  adjustInflation: fc.boolean(),
  referenceTicker: fc.constantFrom(undefined, 'SPY'),
})

const variant = fc.oneof({ weight: 4, arbitrary: randomTree }, { weight: 1, arbitrary: fc.constant(shortLeg) })

it('gives every variant the metrics of its backtest to the last digit', async () => {
  await fc.assert(
    fc.asyncProperty(settings, fc.array(variant, { minLength: 2, maxLength: 3 }), async (chosen, variants) => {
      const given = { ...defaultSettings, ...PERIOD, ...chosen, shortBorrowPct: 2 }
      const swept = sweepVariants(given, variants, data, ALL)
      for (const [i, tree] of variants.entries()) {
        const { metrics } = await runBacktest(planBacktest({ ...given, strategy: { kind: 'rules', tree } }), data)
        const expected = Object.fromEntries(ALL.map((key) => [key, metrics[key]]))
        // Tells -0 from 0, and is quicker than the assertion, which is for the message.
        if (!isDeepStrictEqual(swept[i], expected)) expect(swept[i]).toEqual(expected)
      }
    }),
    { numRuns: 12, seed: 20 },
  )
})

it('says at its place why a variant cannot be run, and runs the others', () => {
  const given = { ...defaultSettings, ...PERIOD, shortBorrowPct: 2 }
  const noData: RulesTree = {
    ...shortLeg,
    root: { kind: 'hold', id: 'unknown', rows: [{ ticker: 'NODATA', pct: 100 }] },
  }
  const [first, second, third] = sweepVariants(
    given,
    [noData, { ...shortLeg, root: { kind: 'cash', id: 'idle' } }, shortLeg],
    data,
    ['cagr', 'tradeCount'],
  )
  expect(first).toBeInstanceOf(Problem)
  expect((first as Problem).message).toBe('There is no data for NODATA between 2018-01-02 and 2018-06-29.')
  expect(second).toEqual({ cagr: 0, tradeCount: 0 })
  expect(third).toMatchObject({ tradeCount: expect.any(Number) as number })
})
