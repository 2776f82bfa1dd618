import { dateOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, readSharedJson } from '../../../../scripts/shared-data.ts'
import { notAvailable } from './figure.ts'
import { moneyWeightedReturn, xirr } from './returns.ts'

const cases = 'data/reference/cashflow_xirr.json'
interface XirrCases {
  cases: { id: string; cashflows: [string, number][]; expected_xirr: number }[]
}

describe('xirr', () => {
  it("solves the spreadsheets' example and one that loses", () => {
    const example = [
      { day: dateOf('2008-01-01'), amount: -10000 },
      { day: dateOf('2008-03-01'), amount: 2750 },
      { day: dateOf('2008-10-30'), amount: 4250 },
      { day: dateOf('2009-02-15'), amount: 3250 },
      { day: dateOf('2009-04-01'), amount: 2750 },
    ]
    expect(xirr(example)).toBeCloseTo(0.3733625335, 9)
    const losing = [
      { day: dateOf('2020-01-01'), amount: -1000 },
      { day: dateOf('2020-07-01'), amount: -800 },
      { day: dateOf('2021-04-01'), amount: 200 },
      { day: dateOf('2021-10-01'), amount: 1575 },
    ]
    expect(xirr(losing)).toBeCloseTo(-0.00945, 4)
  })

  it('is not carried on to a year where it was earned in less', () => {
    // 10,000 that become 14,365 from April to December: a portfolio of eight months that was published with 43.65 %.
    const flows = [
      { day: dateOf('2020-04-01'), amount: -10_000 },
      { day: dateOf('2020-12-01'), amount: 14_365 },
    ]
    expect(moneyWeightedReturn(flows)).toBeCloseTo(0.4365, 12)
    expect(xirr(flows)).toBeGreaterThan(0.7)
    const year = [flows[0]!, { day: dateOf('2021-04-01'), amount: 11_000 }]
    expect(moneyWeightedReturn(year)).toBeCloseTo(0.1, 12)
  })

  it('has no value without money both ways', () => {
    expect(xirr([{ day: 0, amount: -5 }])).toEqual(notAvailable('money must go in and come out'))
    expect(xirr([])).toEqual(notAvailable('money must go in and come out'))
  })

  it.skipIf(!hasShared(cases))(claim('agrees with pyxirr on every case', cases), () => {
    for (const { id, cashflows, expected_xirr } of readSharedJson<XirrCases>(cases).cases) {
      const flows = cashflows.map(([date, amount]) => ({ day: dateOf(date), amount }))
      expect(xirr(flows), id).toBeCloseTo(expected_xirr, 8)
    }
  })
})
