import { Decimal } from '@tradewright/core/decimal'
import { dateOf, HOUR } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { nyse } from '../../market/trading-calendar.ts'
import { openAccount } from '../simulated-broker/state.ts'
import { bookLateActions } from './late-actions.ts'
import type { PaperBar } from './paper-market.ts'

const decimal = (text: string) => Decimal.parse(text)
const [monday, wednesday, friday] = [dateOf('2024-03-04'), dateOf('2024-03-06'), dateOf('2024-03-08')]

const bar = (day: number, more: Partial<PaperBar>): PaperBar => ({
  day,
  open: undefined,
  close: undefined,
  dividend: undefined,
  split: undefined,
  ...more,
})

const market = (bars: PaperBar[]) => ({ calendar: nyse, bars: new Map([['AAA', bars]]), latest: () => undefined })

it('books a split of Monday on Friday, although one of Wednesday is booked already', () => {
  const held = { quantity: decimal('35'), averageEntryPrice: decimal('100') }
  const state = { ...openAccount(decimal('0')), positions: new Map([['AAA', held]]) }
  const bought = {
    executionId: 'e-1',
    orderId: 'o-1',
    clientOrderId: 'mine-1',
    ticker: 'AAA',
    side: 'buy' as const,
    quantity: decimal('5'),
    price: decimal('100'),
    fee: Decimal.zero,
    at: nyse.openOf(wednesday) + HOUR,
  }
  const past = {
    since: nyse.openOf(monday),
    fills: [bought],
    actions: [{ kind: 'split' as const, ticker: 'AAA', day: wednesday }],
  }
  const bars = [bar(monday, { split: decimal('2'), dividend: decimal('1') }), bar(wednesday, { split: decimal('3') })]
  const at = nyse.openOf(friday)
  const booked = bookLateActions(state, { from: at, to: at }, market(bars), past)
  // 10 shares at $300 before Monday: 20 after its split, 60 after Wednesday's, and the 5 that were bought then.
  expect(booked.state.positions.get('AAA')).toEqual({
    quantity: decimal('65'),
    averageEntryPrice: decimal('53.846153846'),
  })
  expect(booked.splits.map(({ day }) => day)).toEqual([monday])
  expect(booked.dividends.map(({ amount }) => String(amount))).toEqual(['20'])
})

it('leaves alone what lies before the past that is known, and what is not open yet', () => {
  const held = { quantity: decimal('10'), averageEntryPrice: decimal('100') }
  const state = { ...openAccount(decimal('0')), positions: new Map([['AAA', held]]) }
  const bars = [bar(monday, { split: decimal('2') }), bar(friday, { split: decimal('2') })]
  const past = { since: nyse.openOf(wednesday), fills: [], actions: [] }
  const at = nyse.openOf(friday) - HOUR
  expect(bookLateActions(state, { from: at, to: at }, market(bars), past).state).toBe(state)
})

it('books late what goes ex on shares that are owed: more of them after a split, and the dividend is paid', () => {
  const owed = { quantity: decimal('-35'), averageEntryPrice: decimal('100') }
  const state = { ...openAccount(decimal('5000')), positions: new Map([['AAA', owed]]) }
  const sold = {
    executionId: 'e-1',
    orderId: 'o-1',
    clientOrderId: 'mine-1',
    ticker: 'AAA',
    side: 'sell' as const,
    quantity: decimal('5'),
    price: decimal('100'),
    fee: Decimal.zero,
    at: nyse.openOf(wednesday) + HOUR,
  }
  const past = { since: nyse.openOf(monday), fills: [sold], actions: [] }
  const at = nyse.openOf(friday)
  const bars = [bar(monday, { split: decimal('2'), dividend: decimal('1') })]
  const booked = bookLateActions(state, { from: at, to: at }, market(bars), past)
  // 30 shares were owed on Monday, 60 after its split, and the 5 that were sold on Wednesday.
  expect(String(booked.state.positions.get('AAA')?.quantity)).toBe('-65')
  expect(String(booked.state.cash)).toBe('4940')
})
