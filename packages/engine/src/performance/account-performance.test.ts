import { DAY, dateOf } from '@tradewright/core/time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nyse } from '../market/trading-calendar.ts'
import {
  accountPerformance,
  type PerformanceInput,
  type AccountValue,
  placeFlows,
  valuesOfPeriod,
} from './account-performance.ts'
import { isAvailable } from './figure.ts'

/** Flows at the end of their day, at a known time. */
const value = (date: string, amount: number, flow = 0): AccountValue => atClose(dateOf(date), amount, flow)
const atClose = (day: number, amount: number, flow: number): AccountValue => ({
  day,
  value: amount,
  flow,
  invested: 0,
  investedOtherwise: 0,
  isExact: true,
})

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

/** Days without hours: every flow of a day comes before its close. */
const everyDay = {
  isSession: () => true,
  openOf: (day: number) => day * DAY,
  closeOf: (day: number) => (day + 1) * DAY,
}

/** Worked by hand: what each day made, and what a share bought with every dollar would have become. */
describe('a deposit that is invested the same day', () => {
  interface Flow {
    date: string
    amount: number
    /** New York, in winter. */
    time?: string | undefined
  }
  const closes = (days: readonly [date: string, equity: number][], flows: readonly Flow[], sessions = nyse) => {
    const history = { days: days.map(([date]) => dateOf(date)), equity: days.map(([, equity]) => equity) }
    const external = flows.map(({ date, amount, time }) => ({
      day: dateOf(date),
      amount,
      at: time === undefined ? undefined : Date.parse(`${date}T${time}:00-05:00`),
    }))
    const placed = placeFlows(history, external, sessions)
    return performance(placed.values, { placement: placed.placement, beginsWithAccount: false })
  }

  // +2 % on the day of a deposit of 20 times the account, -1.5 % with a withdrawal, +1 % with another deposit.
  const morning = [21_000 * 1.02, (21_420 - 5000) * 0.985, (16_173.7 + 3000) * 1.01] as const
  const evening = [1000 * 1.02 + 20_000, 21_020 * 0.985 - 5000, 15_704.7 * 1.01 + 3000] as const
  const week = ['2024-01-03', '2024-01-04', '2024-01-05'] as const
  const account = (values: readonly number[]): [string, number][] => [
    ['2024-01-02', 1000],
    ...week.map((date, i): [string, number] => [date, values[i]!]),
    ['2024-01-08', values[2]!],
  ]
  const amounts = [20_000, -5000, 3000]
  const flowsAt = (time?: string): Flow[] => amounts.map((amount, i) => ({ date: week[i]!, amount, time }))
  const real = 1.02 * 0.985 * 1.01 - 1

  it('before the opening, at times that the broker gives', () => {
    const { totalReturn, otherReading } = closes(account(morning), flowsAt('08:00'))
    expect(totalReturn).toBeCloseTo(real, 12)
    expect(otherReading).toBeUndefined()
  })

  it('after the close, at times that the broker gives', () => {
    const { totalReturn, otherReading } = closes(account(evening), flowsAt('17:30'))
    expect(totalReturn).toBeCloseTo(real, 12)
    expect(otherReading).toBeUndefined()
  })

  it('without a time counts from the start of its day, a withdrawal at the end, and both readings are told', () => {
    const { totalReturn, otherReading } = closes(account(morning), flowsAt())
    // 16,173.7 + 5,000 of 21,420: the withdrawal was in fact made before the day's loss.
    expect(totalReturn).toBeCloseTo(1.02 * (21_173.7 / 21_420) * 1.01 - 1, 12)
    expect(otherReading?.days).toBe(3)
    expect(otherReading?.totalReturn).toBeCloseTo(
      (1420 / 1000) * (16_173.7 / 16_420) * ((19_365.437 - 3000) / 16_173.7) - 1,
      9,
    )
  })

  it('inside the session counts for the part of the day that was left', () => {
    // Two of six and a half hours before the close; the account stood still but for a gain of 10.
    const { totalReturn, otherReading } = closes(
      [
        ['2024-01-02', 1000],
        ['2024-01-03', 1510],
      ],
      [{ date: '2024-01-03', amount: 500, time: '14:00' }],
    )
    expect(totalReturn).toBeCloseTo(10 / (1000 + (500 * 2) / 6.5), 12)
    expect(otherReading).toBeUndefined()
  })

  it('with a withdrawal of the same amount on the same day is a reversal and changes nothing', () => {
    const days: [string, number][] = [
      ['2024-01-02', 1000],
      ['2024-01-03', 1020],
    ]
    const { totalReturn, otherReading } = closes(days, [
      { date: '2024-01-03', amount: 5000 },
      { date: '2024-01-03', amount: -5000 },
    ])
    expect(totalReturn).toBeCloseTo(0.02, 12)
    expect(otherReading).toBeUndefined()
  })

  it('several of one day each count at their own end', () => {
    // 300 in at the start of the day, 100 out at its end: 1,300 became 1,326 before the withdrawal.
    const { totalReturn } = closes(
      [
        ['2024-01-02', 1000],
        ['2024-01-03', 1226],
      ],
      [
        { date: '2024-01-03', amount: 300 },
        { date: '2024-01-03', amount: -100 },
      ],
    )
    expect(totalReturn).toBeCloseTo(0.02, 12)
  })

  it('of a weekend is there before Monday begins, whatever its sign', () => {
    const weekend = (amount: number, monday: number) =>
      closes(
        [
          ['2024-01-05', 1000],
          ['2024-01-08', monday],
        ],
        [{ date: '2024-01-06', amount }],
      )
    expect(weekend(500, 1530).totalReturn).toBeCloseTo(0.02, 12)
    expect(weekend(-500, 510).totalReturn).toBeCloseTo(0.02, 12)
    expect(weekend(500, 1530).otherReading).toBeUndefined()
  })

  it('in an account of coins counts by the whole day', () => {
    const { totalReturn } = closes(
      [
        ['2024-01-05', 1000],
        ['2024-01-06', 2015],
        ['2024-01-07', 2015],
      ],
      [{ date: '2024-01-06', amount: 1000, time: '07:00' }],
    )
    expect(totalReturn).toBeCloseTo(15 / (1000 + 1000 * 0.5), 12)
  })

  it('names the method by what is known about the times', () => {
    const year = (time?: string) =>
      closes(
        [
          ['2022-01-03', 1000],
          ['2022-07-01', 1600],
          ['2024-01-02', 1700],
        ],
        [{ date: '2022-07-01', amount: 500, time }],
      ).method
    expect(year('07:00')).toBe('true_time_weighted_return')
    expect(year('18:00')).toBe('true_time_weighted_return')
    expect(year('12:00')).toBe('daily_returns_compounded')
    expect(year()).toBe('daily_returns_compounded')
  })
})

const curve = fc.array(
  fc.record({ growth: fc.double({ min: 0.5, max: 1.8, noNaN: true }), flow: fc.integer({ min: -300, max: 900 }) }),
  { minLength: 2, maxLength: 40 },
)

/** An account that grows by itself and is paid into and out of, never below 100. */
function lived(steps: readonly { growth: number; flow: number }[]): AccountValue[] {
  const values: AccountValue[] = [atClose(19_000, 1000, 1000)]
  for (const [i, { growth, flow }] of steps.entries()) {
    const grown = values.at(-1)!.value * growth
    const paid = grown + flow < 100 ? 0 : flow
    values.push(atClose(19_001 + 30 * i, grown + paid, paid))
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
          const placed = placeFlows(history, list, everyDay)
          return performance(placed.values, { placement: placed.placement })
        })
        expect(churned!.totalReturn).toEqual(plain!.totalReturn)
        expect(churned!.moneyWeighted).toEqual(plain!.moneyWeighted)
      }),
    )
  })

  it('is the product of what the account did by itself', () => {
    fc.assert(
      fc.property(curve, (steps) => {
        const values = lived(steps)
        const { totalReturn, otherReading } = performance(values)
        expect(otherReading).toBeUndefined()
        const grown = steps.reduce((product, { growth }) => product * growth, 1) - 1
        expect(totalReturn).toBeCloseTo(grown, 6)
      }),
    )
  })

  it('never gives a number that is none', () => {
    const wild = fc.array(
      fc.record({
        value: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        flow: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        invested: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        investedOtherwise: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(wild, fc.boolean(), (rows, beginsWithAccount) => {
        const values = rows.map((row, i) => ({ ...atClose(19_000 + i * 50, row.value, row.flow), ...row }))
        const { rate, totalReturn, moneyWeighted, netContributions, otherReading } = performance(values, {
          beginsWithAccount,
        })
        const other = otherReading ? [otherReading.rate, otherReading.totalReturn] : []
        for (const figure of [rate, totalReturn, moneyWeighted, netContributions, ...other]) {
          expect(typeof figure === 'object' || Number.isFinite(figure)).toBe(true)
        }
      }),
    )
  })
})

describe('placing flows', () => {
  const days = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08'].map(dateOf)
  const flow = (date: string, amount: number) => ({ day: dateOf(date), amount })

  it('puts them on their day, those of a weekend on Monday, later ones on the last', () => {
    const equity = [1, 2, 3, 4, 5]
    const { values, placement } = placeFlows(
      { days, equity },
      [flow('2024-01-09', 7), flow('2024-01-03', 10), flow('2024-01-06', 20), flow('2023-12-29', 5)],
      nyse,
    )
    expect(values.map((one) => one.flow)).toEqual([5, 10, 0, 0, 27])
    expect(placement).toBe('exact')
  })

  it('knows when values around them are missing', () => {
    const near = placeFlows({ days, equity: [1, null, 3, 4, 5] }, [flow('2024-01-03', 10)], nyse)
    expect(near).toMatchObject({ placement: 'near', values: [{ flow: 0 }, { flow: 10 }, {}, {}] })
    const gap = [dateOf('2024-01-02'), dateOf('2024-02-01')]
    const far = placeFlows({ days: gap, equity: [1, 2] }, [flow('2024-01-03', 10)], nyse)
    expect(far.placement).toBe('far')
    expect(placeFlows({ days: [], equity: [] }, [flow('2024-01-03', 10)], nyse).values).toEqual([])
  })

  it('cuts a period at the last value before it', () => {
    const values = days.map((day, i) => atClose(day, i + 1, 0))
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
