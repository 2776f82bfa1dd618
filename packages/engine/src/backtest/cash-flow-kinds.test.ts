import { choicesOf } from '@tradewright/core/backtest-settings'
import { epochDayOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { planBacktest } from './plan.ts'
import type { BacktestRequest } from './request.ts'
import { runBacktest } from './run-backtest.ts'
import { sampleData } from './test-support/market-files.ts'
import { nearestMean } from './test-support/nearest-mean.ts'
import { allocationRequest, FROM, mlStrategy, TO } from './test-support/requests.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE', 'CPIAUCNS', 'CPIAUCSL'], FROM, TO)

const flows = (kind: BacktestRequest['cashflowKind'] & string): Partial<BacktestRequest> => ({
  cashflow: kind === 'percent' ? -1 : 100,
  cashflowKind: kind,
  cashflowFrequency: 'quarterly',
  fillTiming: 'same_close',
  tradingCostBps: 0,
})

describe.each(choicesOf('cashflowKind'))('quarterly flows of kind %s', (kind) => {
  it('are the same in rules as in an allocation that holds the same, in dollars as they were', async () => {
    const tree = {
      version: 1,
      check: 'bar',
      cash: 'CASHX',
      root: { kind: 'hold', id: 'all', rows: [{ ticker: 'SPY', pct: 100 }], rebalance: { on: 'change' } },
    } as const
    const more = flows(kind)
    const rules = await runBacktest(
      planBacktest(allocationRequest({}, { ...more, strategy: { kind: 'rules', tree } })),
      data,
    )
    const allocation = await runBacktest(
      planBacktest(allocationRequest({ SPY: 100 }, { ...more, rebalanceFrequency: 'none' })),
      data,
    )
    expect(Array.from(rules.curve.flows)).toEqual(Array.from(allocation.curve.flows))
    expect(Array.from(rules.curve.nominalValues)).toEqual(Array.from(allocation.curve.nominalValues))
    expect(rules.curve.values).toEqual(rules.curve.nominalValues)
    const paid = Array.from(rules.curve.flows).filter((flow) => flow !== 0)
    // Twenty quarters end in five years.
    expect(paid).toHaveLength(20)
    if (kind === 'dollars') expect(new Set(paid)).toEqual(new Set([100]))
    if (kind === 'inflation') expect(paid.at(-1)!).toBeGreaterThan(paid[0]!)
  })

  it('are the same in a model that always holds it, over the bars that it trades', async () => {
    const more = flows(kind)
    const strategy = { ...mlStrategy, sell: mlStrategy.buy }
    const model = await runBacktest(planBacktest(allocationRequest({}, { ...more, strategy })), data, nearestMean)
    const from = epochDayOf(model.curve.timestamps[0]!)
    const allocation = await runBacktest(
      planBacktest(allocationRequest({ SPY: 100 }, { ...more, from, rebalanceFrequency: 'none' })),
      data,
    )
    // The price index is divided by that of another first day, which rounds differently.
    expectClose(model.curve.flows, allocation.curve.flows)
    expectClose(model.curve.nominalValues, allocation.curve.nominalValues)
    expect(model.curve.flows.filter((flow) => flow !== 0).length).toBeGreaterThanOrEqual(5)
  })
})

function expectClose(found: Float64Array, expected: Float64Array): void {
  expect(found).toHaveLength(expected.length)
  found.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(1e-12 * Math.abs(value)))
}

describe('a deposit that is large beside the account', () => {
  const deposit = (times: number, tradingCostBps = 10) =>
    runBacktest(
      planBacktest(
        allocationRequest(
          { SPY: 100 },
          { startValue: 100, cashflow: 100 * times, cashflowKind: 'dollars', tradingCostBps },
        ),
      ),
      data,
    )

  it('is refused where trading it costs more than the account was worth', async () => {
    await expect(deposit(100_000)).rejects.toThrow('there is no return to measure')
    expect((await deposit(100_000, 0)).metrics.totalReturn).toBeCloseTo((await deposit(0, 0)).metrics.totalReturn, 6)
  })

  it('is named where its costs count as a loss of that day', async () => {
    expect((await deposit(100)).notes.join(' ')).toMatch(
      /Trading the deposit of \S+ cost about \d+\.?\d*% of the account/,
    )
    expect((await deposit(1)).notes.join(' ')).not.toContain('Trading the deposit')
  })
})
