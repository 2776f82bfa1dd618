import { dateOf } from '@tradewright/core/time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nyse } from '../market/calendar/nyse.ts'
import { accountPerformance, type PerformanceInput } from './account-performance.ts'
import { type AccountValue, placeFlows, valuesOfPeriod } from './account-values.ts'
import { isAvailable } from './figure.ts'
import { timeWeightedReturn } from './time-weighted-return.ts'

const value = (date: string, amount: number, flow = 0): AccountValue => ({ day: dateOf(date), value: amount, flow })

const performance = (values: readonly AccountValue[], more: Partial<PerformanceInput> = {}) =>
  accountPerformance({ values, beginsWithAccount: true, placement: 'exact', flowsAreExact: true, ...more })

describe('the return of an account', () => {
  it('is not moved by deposits: 100k, up to 110k, +50k, down to 152k', () => {
    const { method, rate, totalReturn, subPeriods, cashFlows, netContributions } = performance([
      value('2022-01-03', 100_000, 100_000),
      value('2022-07-01', 160_000, 50_000),
      value('2024-01-02', 152_000),
    ])
    expect(method).toBe('true_time_weighted_return')
    expect(totalReturn).toBeCloseTo(0.045, 12)
    expect(rate).toBeCloseTo(1.045 ** (365.25 / 729) - 1, 12)
    expect({ subPeriods, cashFlows, netContributions }).toEqual({
      subPeriods: 2,
      cashFlows: 1,
      netContributions: 150_000,
    })
  })

  it('differs from what the investor earned: shares 10, 8, 4, 10.5', () => {
    const { totalReturn, moneyWeighted } = performance([
      value('2020-01-01', 1000, 1000),
      value('2020-07-01', 1600, 800),
      value('2021-04-01', 600, -200),
      value('2021-10-01', 1575),
    ])
    expect(totalReturn).toBeCloseTo(0.05, 12)
    expect(moneyWeighted).toBeCloseTo(-0.00945, 4)
  })

  it('links 5 % and -2.5 %: 100, then 120 with 15 paid in, then 127 with 10', () => {
    const days = [value('2024-01-02', 100), value('2024-01-03', 120, 15), value('2024-01-04', 127, 10)]
    expect(performance(days).totalReturn).toBeCloseTo(0.02375, 12)
  })

  it('counts dividends and fees as performance', () => {
    // 1000 in shares pay 30, of which 5 go to the broker; nothing else moves.
    const { totalReturn, method } = performance([value('2022-01-03', 1000, 1000), value('2024-01-02', 1025)])
    expect(totalReturn).toBeCloseTo(0.025, 12)
    expect(method).toBe('simple_return_no_cash_flows')
  })

  it('counts the first day of an account from its deposit', () => {
    const { totalReturn } = performance([value('2024-01-02', 99_000, 100_000), value('2024-01-03', 99_990)])
    expect(totalReturn).toBeCloseTo(-0.0001, 12)
    const unexplained = performance([value('2024-01-02', 99_000, 500), value('2024-01-03', 99_990)])
    expect(unexplained.totalReturn).toBeCloseTo(0.01, 12)
    expect(unexplained.netContributions).toBe(99_000)
  })

  it('does not tell less than a year as a yearly rate', () => {
    const flows = [value('2024-01-02', 1000, 1000), value('2024-03-01', 1600, 500), value('2024-06-03', 1680)]
    const { method, rate, totalReturn, isAnnualised, moneyWeighted } = performance(flows)
    expect(method).toBe('simple_return_short_period')
    expect([isAnnualised, rate]).toEqual([false, totalReturn])
    expect(isAvailable(moneyWeighted) && moneyWeighted > 0.1 && moneyWeighted < 0.2).toBe(true)
  })

  it('says which method the data allowed', () => {
    const long = [value('2022-01-03', 1000, 1000), value('2022-07-01', 1600, 500), value('2024-01-02', 1700)]
    expect(performance(long, { placement: 'near' }).method).toBe('daily_returns_compounded')
    expect(performance(long, { flowsAreExact: false }).method).toBe('daily_returns_compounded')
    const far = performance(long, { placement: 'far' })
    expect(far.method).toBe('simple_return')
    expect(far.totalReturn).toBeCloseTo(200 / 1500, 12)
  })

  it('has no value without two days, and says why', () => {
    expect(performance([])).toMatchObject({
      method: 'insufficient_data',
      rate: { notAvailable: 'there are no account values in this period' },
    })
    expect(performance([value('2024-01-02', 100, 100)])).toMatchObject({
      method: 'insufficient_data',
      rate: { notAvailable: 'there is only one day with a value in this period' },
      netContributions: 100,
    })
    const indebted = performance([value('2022-01-03', 100), value('2023-01-03', -20), value('2024-01-03', 50)])
    expect(indebted).toMatchObject({
      method: 'insufficient_data',
      rate: { notAvailable: 'the account was below zero on 2023-01-03' },
    })
  })

  it('goes on after an account was emptied and refilled', () => {
    const { totalReturn } = performance([
      value('2022-01-03', 1000, 1000),
      value('2022-07-01', 0, -1100),
      value('2022-07-05', 0),
      value('2023-01-03', 500, 500),
      value('2024-01-03', 550),
    ])
    expect(totalReturn).toBeCloseTo(1.1 * 1.1 - 1, 12)
  })

  it('is minus everything when everything was lost', () => {
    expect(performance([value('2022-01-03', 1000), value('2024-01-03', 0)]).totalReturn).toBe(-1)
  })
})

const curve = fc.array(
  fc.record({ growth: fc.double({ min: 0.5, max: 1.8, noNaN: true }), flow: fc.integer({ min: -300, max: 900 }) }),
  { minLength: 2, maxLength: 40 },
)

/** An account that grows by itself and is paid into and out of, never below 100. */
function lived(steps: readonly { growth: number; flow: number }[]): AccountValue[] {
  const values: AccountValue[] = [{ day: 19_000, value: 1000, flow: 1000 }]
  for (const [i, { growth, flow }] of steps.entries()) {
    const grown = values.at(-1)!.value * growth
    const paid = grown + flow < 100 ? 0 : flow
    values.push({ day: 19_001 + 30 * i, value: grown + paid, flow: paid })
  }
  return values
}

describe('properties of the return', () => {
  it('does not change when a deposit and an equal withdrawal come at the same instant', () => {
    fc.assert(
      fc.property(curve, fc.nat(), fc.integer({ min: 1, max: 1_000_000 }), (steps, where, amount) => {
        const values = lived(steps)
        const history = { days: values.map(({ day }) => day), equity: values.map((one) => one.value) }
        const flows = values.filter(({ flow }) => flow !== 0).map(({ day, flow }) => ({ day, amount: flow }))
        const { day } = values[where % values.length]!
        const more = [...flows, { day, amount }, { day, amount: -amount }]
        const [plain, churned] = [flows, more].map((list) => {
          const placed = placeFlows(history, list, () => true)
          return performance(placed.values, { placement: placed.placement })
        })
        expect(churned!.totalReturn).toEqual(plain!.totalReturn)
        expect(churned!.moneyWeighted).toEqual(plain!.moneyWeighted)
      }),
    )
  })

  it('is the time-weighted return, and the product of what the account did by itself', () => {
    fc.assert(
      fc.property(curve, (steps) => {
        const values = lived(steps)
        const { totalReturn } = performance(values)
        const grown = steps.reduce((product, { growth }) => product * growth, 1) - 1
        expect(totalReturn).toBeCloseTo(grown, 6)
        expect(totalReturn).toBeCloseTo(timeWeightedReturn(values) as number, 9)
      }),
    )
  })

  it('never gives a number that is none', () => {
    const wild = fc.array(
      fc.record({
        value: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        flow: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(wild, fc.boolean(), (rows, beginsWithAccount) => {
        const values = rows.map((row, i) => ({ day: 19_000 + i * 50, ...row }))
        const { rate, totalReturn, moneyWeighted, netContributions } = performance(values, { beginsWithAccount })
        for (const figure of [rate, totalReturn, moneyWeighted, netContributions]) {
          expect(typeof figure === 'object' || Number.isFinite(figure)).toBe(true)
        }
      }),
    )
  })
})

describe('placing flows', () => {
  const isSession = (day: number) => nyse.isSession(day)
  const days = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08'].map(dateOf)
  const flow = (date: string, amount: number) => ({ day: dateOf(date), amount })

  it('puts them on their day, those of a weekend on Monday, later ones on the last', () => {
    const equity = [1, 2, 3, 4, 5]
    const { values, placement } = placeFlows(
      { days, equity },
      [flow('2024-01-09', 7), flow('2024-01-03', 10), flow('2024-01-06', 20), flow('2023-12-29', 5)],
      isSession,
    )
    expect(values.map((one) => one.flow)).toEqual([5, 10, 0, 0, 27])
    expect(placement).toBe('exact')
  })

  it('knows when values around them are missing', () => {
    const near = placeFlows({ days, equity: [1, null, 3, 4, 5] }, [flow('2024-01-03', 10)], isSession)
    expect(near).toMatchObject({ placement: 'near', values: [{ flow: 0 }, { flow: 10 }, {}, {}] })
    const gap = [dateOf('2024-01-02'), dateOf('2024-02-01')]
    const far = placeFlows({ days: gap, equity: [1, 2] }, [flow('2024-01-03', 10)], isSession)
    expect(far.placement).toBe('far')
    expect(placeFlows({ days: [], equity: [] }, [flow('2024-01-03', 10)], isSession).values).toEqual([])
  })

  it('cuts a period at the last value before it', () => {
    const values = days.map((day, i) => ({ day, value: i + 1, flow: 0 }))
    const cut = (from: string, to: string) => {
      const period = valuesOfPeriod(values, { from: dateOf(from), to: dateOf(to) })
      return [period.values.map((one) => one.value), period.beginsWithAccount]
    }
    expect(cut('2024-01-06', '2024-01-31')).toEqual([[4, 5], false])
    expect(cut('2024-01-03', '2024-01-04')).toEqual([[2, 3], false])
    expect(cut('2000-01-01', '2024-01-03')).toEqual([[1, 2], true])
    expect(cut('2024-01-02', '2024-01-03')).toEqual([[1, 2], true])
    expect(cut('2030-01-01', '2030-02-01')).toEqual([[5], false])
  })
})
