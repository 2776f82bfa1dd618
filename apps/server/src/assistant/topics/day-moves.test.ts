import { expect, it } from 'vitest'
import { NEWEST } from '../tools/account-tools.ts'
import { dayMoves } from './account-topics.ts'

const position = (ticker: string, quantity: number, price = 110) => ({
  ticker,
  quantity,
  price,
  market_value: 0,
  gain: 0,
  synthetic: false,
})
const trade = (ticker: string, side: 'buy' | 'sell', quantity: number, price: number, date = '2024-01-10') => ({
  ticker,
  side,
  quantity,
  price,
  date,
})
/** 10% up, to 110. */
const spy = { ticker: 'SPY', date: '2024-01-10', value: 110, change_1_day: 0.1, synthetic: false }

const evening = '2024-01-10T22:00:00.000Z'
const nextNoon = '2024-01-11T17:00:00.000Z'

const amountOf = (quantity: number, newest_trades: ReturnType<typeof trade>[], as_of = evening, price = 110) => {
  const [move] = dayMoves({ positions: [position('SPY', quantity, price)], newest_trades, as_of }, [spy])
  return move!.amount === null ? null : Math.round(move!.amount * 100) / 100
}

it.each([
  ['was held before', 5, [], 50],
  ['is short', -5, [], -50],
  ['was bought that day, from its own price', 5, [trade('SPY', 'buy', 5, 108)], 10],
  ['was held, and more of it bought', 5, [trade('SPY', 'buy', 2, 109)], 32],
  ['was held, and some of it sold', 5, [trade('SPY', 'sell', 5, 104)], 70],
  ['was bought the day before', 5, [trade('SPY', 'buy', 5, 90, '2024-01-09')], 50],
  ['stands beside trades of others', 5, [trade('TLT', 'buy', 5, 1)], 50],
])('counts what %s', (_, quantity, trades, amount) => {
  expect(amountOf(quantity, trades)).toBe(amount)
})

it.each([
  ['was held before', [], 10],
  ['was bought since, from its own price', [trade('SPY', 'buy', 5, 111, '2024-01-11')], 5],
  ['was bought on the day of the close', [trade('SPY', 'buy', 5, 100)], 10],
])('counts a day under way from the last close: what %s', (_, trades, amount) => {
  expect(amountOf(5, trades, nextNoon, 112)).toBe(amount)
})

it('tells the last day itself as long as no newer price has come', () => {
  const facts = { positions: [position('SPY', 5)], newest_trades: [], as_of: nextNoon }
  expect(dayMoves(facts, [spy])[0]).toMatchObject({ day: '2024-01-10', isUnderWay: false })
  const newer = { ...facts, positions: [position('SPY', 5, 112)] }
  expect(dayMoves(newer, [spy])[0]).toMatchObject({ day: '2024-01-10', isUnderWay: true })
})

it('says nothing where trades of the day may be missing from the list', () => {
  const many = Array.from({ length: NEWEST }, () => trade('TLT', 'buy', 1, 1))
  expect(amountOf(5, many)).toBeNull()
})

it('never explains a real holding with made-up prices', () => {
  const facts = { positions: [position('SPY', 5)], newest_trades: [], as_of: evening }
  const [move] = dayMoves(facts, [{ ...spy, synthetic: true }])
  expect(move).toMatchObject({ day: null, change: null, amount: null })
})

it('puts the largest first, whatever its sign, and what has no price last', () => {
  const quotes = [spy, { ...spy, ticker: 'TLT', change_1_day: -0.2 }, { ...spy, ticker: 'GLD', change_1_day: null }]
  const positions = ['NONE', 'GLD', 'SPY', 'TLT'].map((ticker) => position(ticker, 5))
  const moves = dayMoves({ positions, newest_trades: [], as_of: evening }, quotes)
  expect(moves.map((move) => [move.position.ticker, move.amount === null])).toEqual([
    ['TLT', false],
    ['SPY', false],
    ['NONE', true],
    ['GLD', true],
  ])
})
