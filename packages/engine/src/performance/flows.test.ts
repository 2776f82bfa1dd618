import { dateOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, readSharedJson } from '../../../../scripts/shared-data.ts'
import { notAvailable } from './figure.ts'
import { timeWeightedReturn } from './time-weighted-return.ts'
import { xirr } from './xirr.ts'

describe('timeWeightedReturn', () => {
  it('breaks the period at every flow', () => {
    expect(
      timeWeightedReturn([
        { value: 100, flow: 0 },
        { value: 120, flow: 15 },
        { value: 127, flow: 10 },
      ]),
    ).toBeCloseTo(0.02375, 12)
    expect(
      timeWeightedReturn([
        { value: 100_000, flow: 0 },
        { value: 160_000, flow: 50_000 },
        { value: 152_000, flow: 0 },
      ]),
    ).toBeCloseTo(0.045, 12)
  })

  it('sees what a share did, whatever was bought and sold of it', () => {
    const shares = [
      { value: 1000, flow: 1000 },
      { value: 1600, flow: 800 },
      { value: 600, flow: -200 },
      { value: 0, flow: -1575 },
    ]
    expect(timeWeightedReturn(shares)).toBeCloseTo(0.05, 12)
  })

  it('can count a flow at the start of its period', () => {
    expect(
      timeWeightedReturn(
        [
          { value: 100, flow: 0 },
          { value: 165, flow: 50 },
        ],
        'start-of-period',
      ),
    ).toBeCloseTo(0.1, 12)
  })

  it('has no value when the account was empty in between', () => {
    expect(
      timeWeightedReturn([
        { value: 0, flow: 0 },
        { value: 10, flow: 10 },
      ]),
    ).toEqual(notAvailable('the account was empty in between'))
  })
})

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
