import { expect, it } from 'vitest'
import { namedIn } from './backtest-topics.ts'
import { inverseVolatility } from './portfolio-mix.ts'
import { weightsIn, tickersIn } from './market-topics.ts'

it.each([
  ['What is the price of GLD?', ['GLD']],
  ['How are SPY and TLT correlated?', ['SPY', 'TLT']],
  ['Is BTC-USD up? And ETH?', ['BTC-USD', 'ETH-USD']],
  ['how did bitcoin do against the S&P 500', ['BTC-USD', 'SPY']],
  ['What is the CAGR of my ML strategy?', []],
])('finds the tickers of %j', (question, tickers) => {
  expect(tickersIn(question)).toEqual(tickers)
})

it.each([
  [
    'What if I held 60% SPY and 40% TLT?',
    [
      ['SPY', 60],
      ['TLT', 40],
    ],
  ],
  [
    'Backtest SPY 55.5 GLD: 44.5%',
    [
      ['SPY', 55.5],
      ['GLD', 44.5],
    ],
  ],
  ['I am 100% sure', []],
  ['What was the CAGR 5 years ago?', []],
])('finds the weights of %j', (question, weights) => {
  expect(weightsIn(question).map(({ ticker, percent }) => [ticker, percent])).toEqual(weights)
})

it('finds named items in the order of the question, the longer name before its part', () => {
  const items = ['Core', 'Core plus', 'Gold'].map((name) => ({ name }))
  expect(namedIn('compare gold with core plus', items).map(({ name }) => name)).toEqual(['Gold', 'Core plus'])
})

it('gives whole percentages that add up, more to what moves less', () => {
  expect(inverseVolatility([0.2, 0.1])).toEqual([33, 67])
  expect(inverseVolatility([0.15, 0.15, 0.15]).reduce((sum, one) => sum + one)).toBe(100)
})
