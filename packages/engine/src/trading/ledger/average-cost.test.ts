import { Decimal } from '@tradewright/core/decimal'
import { expect, it } from 'vitest'
import { averageCosts } from './average-cost.ts'
import { type Leg, partyOf, USD } from './entry.ts'

const decimal = (text: string) => Decimal.parse(text)
const legs = (amounts: Record<string, string>): Leg[] =>
  Object.entries(amounts).flatMap(([asset, amount]) => [
    { party: partyOf(1), asset, amount: decimal(amount) },
    { party: 'market', asset, amount: decimal(amount).negated() },
  ])
const trade = (ticker: string, quantity: string, dollars: string) => ({
  legs: legs({ [ticker]: quantity, [USD]: dollars }),
  amount: decimal(dollars).absolute(),
  keepsCost: false,
})
const costs = (...movements: ReturnType<typeof trade>[]) =>
  Object.fromEntries([...averageCosts(1, movements)].map(([ticker, cost]) => [ticker, String(cost)]))

it('is what was paid for the shares, whatever was sold of them', () => {
  expect(costs(trade('SPY', '10', '-4000'), trade('SPY', '10', '-5000'), trade('SPY', '-5', '9999'))).toEqual({
    SPY: '450',
  })
  expect(costs(trade('SPY', '10', '-4000'), trade('SPY', '-10', '5000'), trade('SPY', '2', '-1000'))).toEqual({
    SPY: '500',
  })
})

it('of shares that were contributed is their value then', () => {
  expect(costs({ legs: legs({ SPY: '10' }), amount: decimal('4100'), keepsCost: false })).toEqual({ SPY: '410' })
})

it('is divided by a split, and goes on under another symbol', () => {
  const split = { legs: legs({ SPY: '30' }), amount: decimal('0'), keepsCost: true }
  expect(costs(trade('SPY', '10', '-4000'), split)).toEqual({ SPY: '100' })
  const renamed = { legs: legs({ SPY: '-10', AAPL: '10' }), amount: decimal('0'), keepsCost: true }
  expect(costs(trade('SPY', '10', '-4000'), renamed)).toEqual({ AAPL: '400' })
})

it('of a short position is what it was sold for, and begins anew where a position turns', () => {
  expect(costs(trade('SPY', '-10', '4000'), trade('SPY', '-10', '5000'))).toEqual({ SPY: '450' })
  expect(costs(trade('SPY', '10', '-4000'), trade('SPY', '-15', '7500'))).toEqual({ SPY: '500' })
})
