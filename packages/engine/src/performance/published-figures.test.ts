import { dateOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readSharedCsv, readSharedJson } from '../../../../scripts/shared-data.ts'
import { cagr, growthOf, simpleReturns, extremes, monthlyReturns, yearlyReturns } from './returns.ts'
import { calmar, sharpe, sortino, volatility } from './risk-adjusted-return.ts'
import { maxDrawdown } from './drawdown.ts'
import { type Figure, isAvailable } from './figure.ts'

const ffn = 'data/reference/metrics_ffn.json'
const empyrical = 'data/reference/metrics_empyrical.json'

interface FfnReference {
  spy_2010_2013: Record<string, number>
  spy_monthly_returns_pct: Record<string, number[]>
}

function adjustedCloses(ticker: string, from: string, to: string) {
  const csv = readSharedCsv(`data/equities/daily/${ticker}.csv`)
  const all = csv['date']!
  const [first, last] = [all.indexOf(from), all.indexOf(to)]
  return {
    days: all.slice(first, last + 1).map(dateOf),
    values: numbers(csv['adj_close']).subarray(first, last + 1),
  }
}

describe.skipIf(!hasShared(ffn))(claim('the figures that ffn publishes for SPY', ffn), () => {
  const reference = hasShared(ffn) ? readSharedJson<FfnReference>(ffn) : undefined

  it('are reproduced from the same prices', () => {
    const { days, values } = adjustedCloses('SPY', '2010-01-04', '2013-12-31')
    const expected = reference!.spy_2010_2013
    const returns = simpleReturns(values)
    const growth = values.at(-1)! / values[0]!
    const yearly = cagr(growth, days.at(-1)! - days[0]!)
    const { depth } = maxDrawdown(values)
    expect(growth - 1).toBeCloseTo(expected['total_return']!, 5)
    expect(yearly).toBeCloseTo(expected['cagr']!, 5)
    expect(depth).toBeCloseTo(expected['max_drawdown']!, 5)
    expect(calmar(yearly, depth)).toBeCloseTo(expected['calmar']!, 4)
    expect(sharpe(returns, { periodsPerYear: 252 })).toBeCloseTo(expected['daily_sharpe']!, 4)
    expect(volatility(returns, 252)).toBeCloseTo(expected['daily_vol']!, 5)
    const months = extremes(monthlyReturns(days, values))!
    expect(months.best.return).toBeCloseTo(expected['best_month']!, 5)
    expect(months.worst.return).toBeCloseTo(expected['worst_month']!, 5)
    const years = extremes(yearlyReturns(days, values).slice(1))!
    expect(years.best).toMatchObject({ year: 2013 })
    expect(years.worst.return).toBeCloseTo(expected['worst_year']!, 5)
  })

  it('include the table of months', () => {
    const { days, values } = adjustedCloses('SPY', '2010-01-04', '2013-12-31')
    const table = monthlyReturns(days, values)
    expect(table).toHaveLength(48)
    for (const { year, month, return: earned } of table) {
      expect(earned * 100, `${year}-${month}`).toBeCloseTo(reference!.spy_monthly_returns_pct[year]![month - 1]!, 1)
    }
  })
})

type Argument = number | { series: string }

interface EmpyricalCase {
  function: string
  args: { returns: { series: string }; risk_free?: Argument; required_return?: Argument; period?: string }
  expected: number | string
}

interface EmpyricalReference {
  series: Record<string, { values: (number | null)[] }>
  cases: EmpyricalCase[]
}

describe.skipIf(!hasShared(empyrical))(claim("empyrical's own tests", empyrical), () => {
  const reference = hasShared(empyrical) ? readSharedJson<EmpyricalReference>(empyrical) : undefined
  const periods: Record<string, number> = { daily: 252, weekly: 52, monthly: 12 }

  /** A missing first return is left out, as empyrical's sums do. */
  const seriesOf = ({ series }: { series: string }): number[] =>
    reference!.series[series]!.values.filter((value) => value !== null)
  /** Compared with the end of a series that is longer by such a return. */
  const rateBeside = (returns: number[], rate: Argument = 0): number[] | number =>
    typeof rate === 'number' ? rate : seriesOf(rate).slice(-returns.length)

  const compute: Record<string, (returns: number[], args: EmpyricalCase['args']) => Figure> = {
    sharpe_ratio: (returns, args) =>
      sharpe(returns, { periodsPerYear: 252, riskFree: rateBeside(returns, args.risk_free) }),
    sortino: (returns, args) =>
      sortino(returns, {
        periodsPerYear: periods[args.period!]!,
        riskFree: rateBeside(returns, args.required_return),
      }),
    annual_volatility: (returns, args) => volatility(returns, periods[args.period!]!),
    max_drawdown: (returns) => maxDrawdown(growthOf(returns)).depth,
  }

  it.each(Object.keys(compute))('hold for %s', (name) => {
    const cases = reference!.cases.filter((one) => one.function === name)
    expect(cases.length).toBeGreaterThan(2)
    for (const { args, expected } of cases) {
      const figure = compute[name]!(seriesOf(args.returns), args)
      // Where empyrical says NaN or Infinity we give a reason; and an empty curve has not fallen.
      if (typeof expected === 'string') expect(isAvailable(figure) ? figure : 0, JSON.stringify(args)).toBe(0)
      else expect(figure, JSON.stringify(args)).toBeCloseTo(expected, 8)
    }
  })
})

it('takes a month from the last value of the month before', () => {
  const days = ['2024-01-31', '2024-02-01', '2024-02-29', '2024-03-04'].map(dateOf)
  const table = monthlyReturns(days, [100, 90, 110, 99])
  expect(table).toHaveLength(2)
  expect(table[0]).toMatchObject({ year: 2024, month: 2 })
  expect(table[0]!.return).toBeCloseTo(0.1, 12)
  expect(table[1]!.return).toBeCloseTo(-0.1, 12)
  expect(monthlyReturns([], [])).toEqual([])
  expect(extremes([])).toBeUndefined()
})
