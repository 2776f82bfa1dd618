import type { RebalanceFrequency } from '@tradewright/core/backtest-settings'
import { dateOf, formatDate } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { nyse } from '../market/trading-calendar.ts'
import { periodEnds } from './rebalance-calendar.ts'

const endsOf = (from: string, to: string, frequency: RebalanceFrequency) => {
  const days = nyse.sessionsBetween(dateOf(from), dateOf(to))
  const ends = periodEnds(days, frequency, nyse.nextSession(days.at(-1)!))
  return [...days].filter((_, bar) => ends[bar] === 1).map(formatDate)
}

it.each([
  ['weekly', ['2024-03-22', '2024-03-28', '2024-04-05']],
  ['monthly', ['2024-03-28']],
  ['quarterly', ['2024-03-28']],
  ['yearly', []],
  ['none', []],
] as const)('ends %s periods at the close of their last session', (frequency, ends) => {
  expect(endsOf('2024-03-18', '2024-04-10', frequency)).toEqual(ends)
})

it('ends every day when daily, except the first, at whose close the account is only just invested', () => {
  expect(endsOf('2024-03-18', '2024-03-21', 'daily')).toEqual(['2024-03-19', '2024-03-20'])
})

it('asks the calendar whether the last bar ends a period', () => {
  expect(endsOf('2019-12-02', '2020-01-01', 'yearly')).toEqual(['2019-12-31'])
  expect(endsOf('2019-12-02', '2019-12-31', 'yearly')).toEqual([])
})

it('does not rebalance what was bought on the last day of a period', () => {
  expect(endsOf('2019-12-31', '2020-02-05', 'yearly')).toEqual([])
  expect(endsOf('2019-12-31', '2020-02-05', 'monthly')).toEqual(['2020-01-31'])
})

it('ends a period at the last bar of its last session', () => {
  const days = Int32Array.of(10, 10, 10, 11, 11)
  expect([...periodEnds(days, 'daily', 12)]).toEqual([0, 0, 1, 0, 1])
})
