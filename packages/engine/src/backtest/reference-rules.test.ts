import { rulesExamples } from '@tradewright/core/rules/examples'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { dateOf, epochDayOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { expectColumn, expectNear } from '../../../../reference/expect-near.ts'
import { referenceMarket, referenceValues } from '../../../../reference/read.ts'
import { claim, hasShared } from '../../../../scripts/shared-data.ts'
import type { MarketData } from './market-data.ts'
import { planBacktest } from './plan.ts'
import { defaultSettings } from './request.ts'
import type { BacktestResult } from './result.ts'
import { runBacktest } from './run-backtest.ts'
import { realData } from './test-support/market-files.ts'

/** Each decided and traded with pandas by itself, without a tree: reference/rules.py. */
interface RulesReference {
  from: string
  to: string
  end_value: number
  cagr: number
  /** Every 40th. */
  values: number[]
  /** Weights by ticker where they changed. */
  decisions: [date: string, weights: Record<string, number>][]
}

/** Neither market has the sector funds. */
const SECTORS: Readonly<Record<string, string>> = {
  XLB: 'QQQ',
  XLE: 'IWM',
  XLF: 'EFA',
  XLI: 'EEM',
  XLK: 'VNQ',
  XLP: 'DBC',
  XLU: 'GLD',
  XLV: 'LQD',
  XLY: 'SPY',
}

const FUNDS = 'SPY TLT GLD EFA EEM AGG IEF LQD SHY BIL TIP DBC VNQ IWM QQQ'.split(' ')
const RATES = ['TB3MS', 'FEDFUNDS']

const treeOf = (key: string): RulesTree => {
  const { tree } = rulesExamples.find((one) => one.key === key)!
  return JSON.parse(
    JSON.stringify(tree).replaceAll(/"(XL.)"/g, (_, sector: string) => `"${SECTORS[sector]!}"`),
  ) as RulesTree
}

function run(key: string, data: MarketData, { from, to }: { from: string; to: string }): Promise<BacktestResult> {
  const plan = planBacktest({
    ...defaultSettings,
    from: dateOf(from),
    to: dateOf(to),
    fillTiming: key === 'macd-cross' ? 'next_open' : 'next_close',
    strategy: { kind: 'rules', tree: treeOf(key) },
  })
  return runBacktest(plan, data)
}

/** Target weights at the checks at which they changed, without what is cash. */
function decisionsOf({ rules }: BacktestResult): RulesReference['decisions'] {
  const decisions: RulesReference['decisions'] = []
  rules!.timestamps.forEach((stamp, check) => {
    if (rules!.trades[check] === 0) return
    const entries = rules!.tickers.map((ticker, i) => [ticker, rules!.weights[i]![check]!] as const)
    const held = Object.fromEntries(entries.filter(([, weight]) => weight > 1e-12).sort(([a], [b]) => (a < b ? -1 : 1)))
    const before = decisions.at(-1)?.[1]
    const isSame =
      before &&
      Object.keys(held).join() === Object.keys(before).join() &&
      Object.entries(held).every(([ticker, weight]) => Math.abs(weight - before[ticker]!) <= 1e-9)
    if (!isSame) decisions.push([formatDate(epochDayOf(stamp)), held])
  })
  return decisions
}

const sample = referenceValues<Record<string, RulesReference>>('rules')

it('there is a reference for every example', () => {
  expect(Object.keys(sample).sort()).toEqual(rulesExamples.map(({ key }) => key).sort())
})

describe('a published rule set decides and ends as pandas has it', () => {
  const market = referenceMarket([...FUNDS, ...RATES])
  it.each(Object.entries(sample))('%s', async (key, theirs) => {
    const result = await run(key, market, theirs)
    const ours = decisionsOf(result)
    expect(ours.map(([date, held]) => [date, Object.keys(held)])).toEqual(
      theirs.decisions.map(([date, held]) => [date, Object.keys(held)]),
    )
    for (const [i, [date, held]] of theirs.decisions.entries()) {
      for (const [ticker, weight] of Object.entries(held)) {
        // Minimisers end within some 1e-7 of the solution.
        expectNear(ours[i]![1][ticker]!, weight, `${ticker} on ${date}`, 1e-6)
      }
    }
    const { curve, rules } = result
    const isSolved = key === 'risk-parity'
    const every = curve.values.filter((_, row) => row % 40 === 0)
    expectColumn(every, theirs.values, 'values', isSolved ? 1e-7 : undefined)
    expectNear(curve.values.at(-1)!, theirs.end_value, 'end value', isSolved ? 1e-7 : undefined)
    expect(rules!.honesty.truncation).toMatchObject({ passed: true, failedFeatures: [], failedDecisions: 0 })
    expect(rules!.honesty.truncation.checkedDecisions).toBeGreaterThan(30)
  })
})

const REAL = 'data/equities/daily/SPY.csv'

describe('on real prices it earns what pandas computes, within 0.25 points a year', () => {
  const real = referenceValues<Record<string, Pick<RulesReference, 'from' | 'to' | 'cagr'>>>('rules-real')
  const market = hasShared(REAL) ? realData(FUNDS, RATES) : { series: new Map<string, never>() }
  it.skipIf(!hasShared(REAL)).each(Object.entries(real))(claim('%s', REAL), async (key, theirs) => {
    const { curve, rules } = await run(key, market, theirs)
    const years = (curve.days.at(-1)! - curve.days[0]!) / 365.25
    const cagr = (curve.values.at(-1)! / curve.values[0]!) ** (1 / years) - 1
    expect(formatDate(curve.days[0]!)).toBe(theirs.from)
    expect(Math.abs(cagr - theirs.cagr) * 100, `ours ${cagr}, theirs ${theirs.cagr}`).toBeLessThan(0.25)
    expect(rules!.honesty.truncation.passed).toBe(true)
  })
})
