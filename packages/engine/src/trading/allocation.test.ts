import { expect, it } from 'vitest'
import { investedPct, readAllocation, targetWeights } from './allocation.ts'

const row = (ticker: string, allocationPct: number) => ({ ticker, allocationPct })

it('adds up rows of the same ticker, however they are written', () => {
  const allocation = readAllocation([row('spy', 40), row(' SPY ', 20), row('TLT', 40)])
  expect([...allocation]).toEqual([
    ['SPY', 60],
    ['TLT', 40],
  ])
  expect([...targetWeights(allocation, ['TLT', 'GLD', 'SPY'])]).toEqual([0.4, 0, 0.6])
})

it('keeps leverage apart from the plain ticker', () => {
  expect([...readAllocation([row('SPY', 50), row('SPY?L=2', 50)]).keys()]).toEqual(['SPY', 'SPY?L=2'])
})

it('counts CASHX as the cash that it is [BT-147]', () => {
  expect([...readAllocation([row('SPY', 60), row('CASHX', 40)])]).toEqual([['SPY', 60]])
  expect(investedPct(readAllocation([row('SPY', 165), row('CASHX', -65)]))).toBe(165)
})

it('lets T-bills be owed', () => {
  expect(investedPct(readAllocation([row('SPY', 165), row('TBILLX', -65)]))).toBe(100)
})

it.each([
  [[], 'The allocation is empty: name at least one ticker.'],
  [
    [row('SPY', -20)],
    'The allocation of SPY is -20%: an allocation cannot be negative without a borrow rate for short positions.',
  ],
  [[row('SPY', Number.NaN)], 'The allocation of SPY is not a number.'],
  [[row('SPY', 1001)], 'The allocation adds up to 1001%, more than 1000% of the account.'],
])('refuses what cannot be held [BT-149]', (rows, message) => {
  expect(() => readAllocation(rows)).toThrow(message)
})
