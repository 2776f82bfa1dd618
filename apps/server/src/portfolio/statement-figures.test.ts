import { Decimal } from '@tradewright/core/decimal'
import { dateOf, DAY, HOUR } from '@tradewright/core/time'
import type { AccountActivity } from '@tradewright/engine/trading/account-activity'
import { expect, it } from 'vitest'
import { statementFigures } from './statement-figures.ts'

const decimal = (text: string) => Decimal.parse(text)
const deposit = (date: string, amount: string): AccountActivity => ({
  kind: 'cash',
  id: date,
  at: dateOf(date) * DAY,
  day: dateOf(date),
  type: 'CSD',
  netAmount: decimal(amount),
  description: '',
  ticker: undefined,
})
const purchase = (date: string): AccountActivity => ({
  kind: 'trade',
  id: `purchase ${date}`,
  at: dateOf(date) * DAY + 15 * HOUR,
  ticker: 'SPY',
  side: 'buy',
  quantity: decimal('1'),
  price: decimal('100'),
  orderId: undefined,
})

const activities = [
  deposit('2026-01-31', '10'),
  deposit('2026-02-01', '200'),
  purchase('2026-01-30'),
  deposit('2026-02-28', '3000'),
]
const records = { activities, events: [], rules: { method: 'fifo' as const }, cash: decimal('3110') }
const month = (from: string | undefined, to: string) => {
  const period = { from: from === undefined ? undefined : dateOf(from), to: dateOf(to), shown: 10 }
  const { lines, cash, flows, tradesCount } = statementFigures(records, period)
  return [String(lines.deposits), String(cash), flows.length, tradesCount]
}

it('counts what happened on the last day of a month in that month alone', () => {
  expect(month('2025-12-31', '2026-01-31')).toEqual(['10', '-90', 1, 1])
  expect(month('2026-01-31', '2026-02-28')).toEqual(['3200', '3110', 2, 0])
  expect(month('2026-02-28', '2026-03-31')).toEqual(['0', '3110', 0, 0])
})

it('counts everything from the beginning where no first day is given', () => {
  expect(month(undefined, '2026-02-01')).toEqual(['210', '110', 2, 1])
})
